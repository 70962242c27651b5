/* SPDX-License-Identifier: 0BSD */
/* How a command to OpenOCD and its answer prove that they arrived whole: the port has no checksum.
 */
#include "tcl_proof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * n number, k sum, s script, q query. Only commands that every build of Jim Tcl has. The answer is
 * "mpSUM n k STATUS QUERY-RESULT", a new line, the result; STATUS is x for a request that is not
 * what was sent. @ stands for the name.
 */
static const char body[] = "set a 1;set b 0;"
                           "foreach c [split \"$n $s $q\" {}] {incr a [scan $c %c];incr b $a};"
                           "set c x;set t {};set r {};"
                           "if {$k eq \"$a.$b\"} {"
                           "if {$q ne {} && [catch {uplevel #0 $q} t]} {set t {}};"
                           "set c [catch {uplevel #0 $s} r]"
                           "};"
                           "set h \"$n $k $c $t\";"
                           "set a 1;set b 0;"
                           "foreach v [split $h {}] {incr a [scan $v %c];incr b $a};"
                           "if {$q ne {} && $c eq {0}} {"
                           "foreach v $r {incr a $v;incr b $a};"
                           "set r [string map {0x {}} $r]"
                           "} else {"
                           "foreach v [split $r {}] {incr a [scan $v %c];incr b $a}"
                           "};"
                           "set m \"mp$a.$b $h\\n$r\";"
                           "if {[info exists ::@]} {"
                           "catch {$::@ puts -nonewline \"$m[format %c 26]\";$::@ flush};list"
                           "} else {"
                           "set m"
                           "}";

static const char arguments[] = "n k s q";

/*
 * A sum is two numbers, that of the elements so far and that of those sums: it tells a byte that
 * was changed, lost or doubled, and an exchange of two. Elements are characters or, in numbers read
 * from memory, the numbers: a sum over their characters would take OpenOCD ten times as long.
 */
struct sum {
    uint64_t a;
    uint64_t b;
};

static struct sum sum_start(void)
{
    return (struct sum){.a = 1, .b = 0};
}

static void sum_add(struct sum *sum, uint64_t element)
{
    sum->a += element;
    sum->b += sum->a;
}

/* The next code point, or a byte where the text is not UTF-8. */
static uint32_t next_character(const unsigned char **text)
{
    const unsigned char *at = *text;
    unsigned more = *at >= 0xf0 ? 3 : *at >= 0xe0 ? 2 : *at >= 0xc0 ? 1 : 0;
    uint32_t value = more == 0 ? *at : *at & (0x3fU >> more);

    for (unsigned i = 1; i <= more; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            *text = at + 1;
            return *at;
        }
        value = value << 6 | (at[i] & 0x3f);
    }
    *text = at + 1 + more;
    return value;
}

static void sum_add_text(struct sum *sum, const char *text, bool utf8)
{
    const unsigned char *at = (const unsigned char *)text;

    while (*at != '\0')
        sum_add(sum, utf8 ? next_character(&at) : *at++);
}

static void sum_print(const struct sum *sum, char text[static TCL_SUM_TEXT])
{
    snprintf(text, TCL_SUM_TEXT, "%" PRId64 ".%" PRId64, (int64_t)sum->a, (int64_t)sum->b);
}

/* What removes the procedure, its channel and its variable, whatever of them there is. */
#define REMOVAL "catch {$::@ close};unset -nocomplain ::@;rename @ {}"

/* Without a delay: OpenOCD never waits for us, whatever we do. An end of ours is seen by its event
 * loop. */
static const char channel[] = "catch {"
                              "set @_c [socket stream 127.0.0.1:%u];"
                              "catch {$@_c ndelay 1};"
                              "catch {$@_c sockopt tcp_nodelay 1};"
                              "$@_c puts -nonewline %.*s;"
                              "$@_c flush;"
                              "set ::@ $@_c;"
                              "catch {$@_c readable {" REMOVAL "}}"
                              "};"
                              "unset -nocomplain @_c;";

/* Without a channel nobody would remove the procedure of a client that is gone meanwhile. */
static const char with_channel[] = "if {[info exists ::@]} {list} else {rename @ {};lindex mp}";

/* Appends a text with the name for each @ of it. */
static void append(char script[static TCL_HELLO_MAX], const char *text, const char *name)
{
    size_t len = strlen(script);

    for (; *text != '\0' && len + TCL_NAME_MAX < TCL_HELLO_MAX; text++) {
        if (*text == '@')
            len += (size_t)snprintf(script + len, TCL_NAME_MAX, "%s", name);
        else
            script[len++] = *text;
    }
    script[len] = '\0';
}

void tcl_proof_hello(const char *name, unsigned port, const char *nonce,
                     char script[static TCL_HELLO_MAX])
{
    char opening[sizeof(channel) + TCL_NONCE_CHARS + 16];

    script[0] = '\0';
    append(script, "proc @ {n k s q} {", name);
    append(script, body, name);
    append(script, "};", name);
    if (port != 0) {
        snprintf(opening, sizeof(opening), channel, port, TCL_NONCE_CHARS, nonce);
        append(script, opening, name);
    }
    append(script, port != 0 ? with_channel : "lindex mp", name);
}

void tcl_proof_show(const char *name, char script[static TCL_HELLO_MAX])
{
    script[0] = '\0';
    append(script, "join [list [string length \\u00e9] [info args @] [info body @]]", name);
}

void tcl_proof_shown(const char *name, char text[static TCL_HELLO_MAX])
{
    text[0] = '\0';
    append(text, arguments, name);
    append(text, " ", name);
    append(text, body, name);
}

void tcl_proof_goodbye(const char *name, char script[static TCL_HELLO_MAX])
{
    script[0] = '\0';
    append(script, "catch {" REMOVAL "};list", name);
}

size_t tcl_proof_frame_max(const char *script, const char *query)
{
    return 2 * strlen(script) + 2 * strlen(query) + TCL_NAME_MAX + TCL_SUM_TEXT + 32;
}

/* Writes the text as one word between double quotes. */
static char *quote(const char *text, char *at)
{
    *at++ = '"';
    for (; *text != '\0'; text++) {
        if (strchr("\\\"$[]{}", *text) != NULL)
            *at++ = '\\';
        *at++ = *text;
    }
    *at++ = '"';
    return at;
}

size_t tcl_proof_frame(const char *name, unsigned sequence, const char *script, const char *query,
                       bool utf8, char *out, char sum[static TCL_SUM_TEXT])
{
    struct sum of_request = sum_start();
    char head[TCL_NAME_MAX + TCL_SUM_TEXT + 24];

    snprintf(head, sizeof(head), "%u ", sequence);
    sum_add_text(&of_request, head, utf8);
    sum_add_text(&of_request, script, utf8);
    sum_add_text(&of_request, " ", utf8);
    sum_add_text(&of_request, query, utf8);
    sum_print(&of_request, sum);
    int len = snprintf(out, TCL_NAME_MAX + sizeof(head), "%s %u %s ", name, sequence, sum);
    char *at = quote(script, out + len);
    *at++ = ' ';
    at = quote(query, at);
    *at = '\0';
    return (size_t)(at - out);
}

/* Adds hexadecimal numbers with one space between them; false: the text is not that. */
static bool add_numbers(struct sum *sum, const char *text)
{
    while (*text != '\0') {
        size_t digits = strspn(text, "0123456789abcdefABCDEF");
        if (digits == 0 || digits > 16)
            return false;
        sum_add(sum, strtoull(text, NULL, 16));
        text += digits;
        if (*text == ' ' && text[1] != '\0')
            text++;
        else if (*text != '\0')
            return false;
    }
    return true;
}

/* Splits "n k STATUS STATE" that follows the sum; the answer's status is not looked at else. */
static bool take_head(char *head, unsigned sequence, const char *sum, struct tcl_answer *answer)
{
    char expected[TCL_SUM_TEXT + 16];

    size_t len = (size_t)snprintf(expected, sizeof(expected), "%u %s ", sequence, sum);
    if (strncmp(head, expected, len) != 0)
        return false;
    char *status = head + len;
    char *space = strchr(status, ' ');
    if (space == NULL)
        return false;
    *space = '\0';
    answer->damaged = strcmp(status, "x") == 0;
    answer->failed = strcmp(status, "0") != 0;
    answer->state = space + 1;
    return true;
}

bool tcl_proof_check(char *message, unsigned sequence, const char *sum, bool numbers, bool utf8,
                     struct tcl_answer *answer)
{
    struct sum of_answer = sum_start();
    char printed[TCL_SUM_TEXT];
    char *head = strchr(message, ' ');
    char *text = strchr(message, '\n');

    if (strncmp(message, "mp", 2) != 0 || head == NULL || text == NULL || head > text)
        return false;
    *head++ = '\0';
    *text++ = '\0';
    sum_add_text(&of_answer, head, utf8);
    if (!take_head(head, sequence, sum, answer))
        return false;
    if (!numbers || answer->failed)
        sum_add_text(&of_answer, text, utf8);
    else if (!add_numbers(&of_answer, text))
        return false;
    sum_print(&of_answer, printed);
    answer->text = text;
    return strcmp(printed, message + 2) == 0;
}
