/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the steps of a diff share. */
#ifndef PROFILE_DIFF_PRIVATE_H
#define PROFILE_DIFF_PRIVATE_H

#include <math.h>

#include <profile/diff.h>

enum { DIFF_BASE, DIFF_NEWER, DIFF_SIDES };

/* Runs a side that are compared at most: more would say the same. */
#define DIFF_RUNS_MAX 50

/* What a row is compared with, in hits; together with the hits of the row they give its ratio. */
struct diff_others {
    double hits[DIFF_SIDES];
};

/* A row while it is compared. Logarithms are of hits over the reference of their run. */
struct diff_work {
    double hits[DIFF_SIDES];
    double least[DIFF_SIDES], most[DIFF_SIDES]; /* what they may be, after losses */
    double all;                                 /* hits of both sides */
    bool tested;                                /* the row has hits, is not idle and no reference */
    bool lossy;      /* shows what the table lost, not by how much runs differ */
    double *y;       /* the runs as contrasts, see diff_contrasts(); runs - 1 of them */
    double y_worst;  /* the first of them at that end of the losses that speaks against a change */
    double counting; /* variance of a logarithm by counting alone */
    double own2;     /* variance between the runs of a side, at the worst end */
    double floor2;   /* what the rows have in common, counting included */
    double df;       /* by which the larger of the two is known */
    double reach;    /* special_t_quantile() of 5 % and df: it takes long to work out */
    double spread;   /* variance of the ratio over that of plain counting */
    double trust;    /* 0 to 1: belongs to those that did not change */
    size_t large;    /* its own reference; 0: the common one */
    bool excluded;   /* known to have changed, or idle: has no part in the median */
    double weight;   /* the part of the error that the row gets; 0: it cannot be significant */
    double p_count;  /* p of the row by counting alone */
    int direction;   /* of the change, at the worst end; 0: none */
    struct diff_others others;
};

struct diff_kept {
    struct diff_work *rows;
    size_t count;
    double *y;
    double runs[DIFF_SIDES];
    size_t contrasts; /* runs of both sides, less one */
    double fdr;
    bool exact, counted; /* calls; decided by counting alone, with the spread of each row */
    double noise2;       /* common; NAN: not known */
    bool repeated;
};

struct diff_problem {
    struct diff_side sides[DIFF_SIDES]; /* equally many runs */
    const struct diff_options *options;
    struct diff_kept *kept;
    struct diff_work *rows; /* of kept */
    size_t count, runs;     /* runs: of both sides */
    enum diff_per per;
    double totals[DIFF_SIDES];
    double *run_totals; /* hits of each run, base's first */
    double *logs;       /* of a row with 1/2 hit more, for all rows and runs */
    /* Log of what a run's hits are divided by: of all runs; then its least, and its most. The same
     * again for each row that is so large that it has a reference without itself. */
    double *reference;
    size_t large; /* how many there are */
    struct diff_point *points;
};

/* Run k of both sides, base's first. */
static inline const struct diff_snapshot *diff_run(const struct diff_problem *p, size_t k)
{
    size_t base = p->sides[DIFF_BASE].count;

    return k < base ? &p->sides[DIFF_BASE].snapshots[k] : &p->sides[DIFF_NEWER].snapshots[k - base];
}

/* What a row had at least and at most in a run. */
void diff_ends(const struct diff_snapshot *snapshot, size_t row, double *least, double *most);

/* Rows with a reference of their own, at most. */
#define DIFF_LARGE 20

/* A row's reference: log, least and most, each of all runs. */
static inline double *diff_reference_of(const struct diff_problem *p, const struct diff_work *row)
{
    return p->reference + row->large * 3 * p->runs;
}

/* An orthonormal contrast of one base run and one new run, in units of a difference of means. */
static inline double diff_contrast_unit(const struct diff_kept *kept)
{
    return sqrt(1 / kept->runs[DIFF_BASE] + 1 / kept->runs[DIFF_NEWER]);
}

/* Writes the orthonormal contrasts of base runs and new runs: the first one is new minus base, in
 * units of one run; the others are differences within a side. */
void diff_contrasts(const double *x, size_t base, size_t newer, double *y);

/* The sum of the squares of the contrasts of a row, without those before number from. */
static inline double diff_squares(const double *y, size_t from, size_t contrasts)
{
    double sum = 0;

    for (size_t k = from; k < contrasts; k++)
        sum += y[k] * y[k];
    return sum;
}

/* Fills in own2, floor2, df, y and y_worst of the rows, and kept.noise2, from logs and reference.
 */
void diff_noise(struct diff_problem *problem);

/* Fills in reference and each row's others by what options.per says; for the median, chooses who
 * belongs to it. */
void diff_reference(struct diff_problem *problem, struct diff *diff);
/* By how much all busy rows changed together, as diff.together; uses up trust of the rows. */
double diff_together(struct diff_problem *problem);
/* What the rows outside the median agree on: fills in rival..., and in_camp of the rows. */
void diff_rival(struct diff_problem *problem, struct diff *diff);

/* A row's logarithm of a ratio and its variance, and how much it belongs to the rest. */
struct diff_point {
    double x, variance, trust;
    size_t row;
};

/* The value that most points agree on: where the sum of docs/statistics.md ("Median") is
 * largest. Sets their trust; may change their order. */
double diff_centre(struct diff_point *points, size_t count);

/* One of several differences that are tested together. */
struct diff_item {
    const double *y;     /* contrasts; only read */
    double shift, sign;  /* the first contrast is sign * (y[0] - shift), the others sign * y */
    double worst;        /* what the first one is at the worst end of the losses */
    double own2, floor2; /* variances, as in struct diff_work */
    double weight;       /* of the error; all of them add up to 1 at most */
    double p;            /* by counting alone */
    double adjusted;     /* result */
};

/* Sets adjusted: the larger one of Holm's of p, and of what rotations reach. one_sided: only
 * differences > 0 count. contrasts 1: p alone. Returns false if memory runs out. */
bool diff_decide(struct diff_item *items, size_t count, size_t contrasts, bool one_sided)
    __attribute__((warn_unused_result));

#endif
