/* SPDX-License-Identifier: MIT */
/*
 * Feature sections of perf.data: description of the machine, the clock and the
 * events.
 */
#ifndef USEREVENTS_PERF_FEATURES_H
#define USEREVENTS_PERF_FEATURES_H

#include <stdint.h>

#include <userevents/session.h>

#include "perf/events.h"
#include "perf/input.h"

/* Feature numbers. */
#define UEV_FEATURE_TRACING_DATA 1
#define UEV_FEATURE_HOSTNAME 3
#define UEV_FEATURE_OSRELEASE 4
#define UEV_FEATURE_VERSION 5
#define UEV_FEATURE_ARCH 6
#define UEV_FEATURE_NRCPUS 7
#define UEV_FEATURE_CPUDESC 8
#define UEV_FEATURE_CPUID 9
#define UEV_FEATURE_EVENT_DESC 12
#define UEV_FEATURE_SAMPLE_TIME 21
#define UEV_FEATURE_CLOCKID 23
#define UEV_FEATURE_CLOCK_DATA 29
#define UEV_FEATURES 256

/* Frees the texts in @info. */
void uev_features_free(struct uev_perf_info *info);

/*
 * Reads one section up to the limit of @input. Unknown sections are skipped.
 *
 * Return: NULL, or the error. Check @input->error, too.
 */
const char *uev_feature_read(struct uev_input *input, unsigned int feature,
			     struct uev_perf_info *info,
			     struct uev_perf_events *events);

#endif
