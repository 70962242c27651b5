/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether samples at two rates have the same shares. */
#ifndef DOCTOR_RATES_H
#define DOCTOR_RATES_H

struct doctor;

/*
 * Says whether the stub's samples can be in step with the firmware. If its timer is SysTick with a
 * fixed period, it is given another one for some seconds, by its register SYST_RVR, and the shares
 * of both times are compared. The register is put back, by the link's guardian if this process is
 * killed; without one nothing is changed. The stub must have counted before.
 */
void check_rates(struct doctor *doctor);

#endif
