// SPDX-License-Identifier: MIT
#include "perf/features.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/common.h"
#include "perf/tracing.h"

/* Limit of texts, which are padded. */
#define TEXT_MAX 4096

#define CLOCK_DATA_VERSION 1

static const char too_short[] = "truncated machine description";
static const char bad_text[] = "machine description too long";
static const char bad_clock[] = "unknown version of the clock data";
static const char bad_attr[] = "invalid attribute size";
static const char too_many[] = "too many events or event IDs";

void uev_features_free(struct uev_perf_info *info)
{
	free((char *)info->hostname);
	free((char *)info->osrelease);
	free((char *)info->arch);
	*info = (struct uev_perf_info){ 0 };
}

/* @text: TEXT_MAX + 1 bytes, NUL-terminated */
static const char *read_text(struct uev_input *input, char *text)
{
	uint32_t size;

	if (!uev_input_u32(input, &size))
		return too_short;
	if (size > TEXT_MAX)
		return bad_text;
	if (!uev_input_copy(input, text, size))
		return too_short;
	text[size] = '\0';

	return NULL;
}

/* The first value is kept. */
static const char *read_first_text(struct uev_input *input, const char **first)
{
	char text[TEXT_MAX + 1];
	const char *reason = read_text(input, text);

	if (reason || *first)
		return reason;
	*first = strdup(text);
	if (!*first)
		input->error = -ENOMEM;

	return NULL;
}

static const char *read_hostname(struct uev_input *input,
				 struct uev_perf_info *info,
				 struct uev_perf_events *events)
{
	(void)events;

	return read_first_text(input, &info->hostname);
}

static const char *read_osrelease(struct uev_input *input,
				  struct uev_perf_info *info,
				  struct uev_perf_events *events)
{
	(void)events;

	return read_first_text(input, &info->osrelease);
}

static const char *read_arch(struct uev_input *input,
			     struct uev_perf_info *info,
			     struct uev_perf_events *events)
{
	(void)events;

	return read_first_text(input, &info->arch);
}

static const char *read_nrcpus(struct uev_input *input,
			       struct uev_perf_info *info,
			       struct uev_perf_events *events)
{
	(void)events;

	if (!uev_input_u32(input, &info->cpus_present) ||
	    !uev_input_u32(input, &info->cpus_online))
		return too_short;

	return NULL;
}

static const char *read_sample_time(struct uev_input *input,
				    struct uev_perf_info *info,
				    struct uev_perf_events *events)
{
	(void)events;

	if (!uev_input_u64(input, &info->first_time) ||
	    !uev_input_u64(input, &info->last_time))
		return too_short;

	return NULL;
}

static const char *read_clock_data(struct uev_input *input,
				   struct uev_perf_info *info,
				   struct uev_perf_events *events)
{
	struct uev_clock clock = { 0 };
	uint32_t version;
	uint32_t clockid;

	(void)events;

	if (!uev_input_u32(input, &version) ||
	    !uev_input_u32(input, &clockid) ||
	    !uev_input_u64(input, &clock.wall) ||
	    !uev_input_u64(input, &clock.clock))
		return too_short;
	if (version != CLOCK_DATA_VERSION)
		return bad_clock;

	clock.clockid = (int32_t)clockid;
	info->clock = clock;
	info->has_clock = 1;

	return NULL;
}

/*
 * Descriptions are in the order of the attributes, and replace missing
 * attributes.
 */
static int described_event(struct uev_perf_events *events, size_t number,
			   const struct uev_attr *attr,
			   struct uev_perf_event **event)
{
	if (number < events->count &&
	    events->events[number]->attr.type == attr->type &&
	    events->events[number]->attr.config == attr->config) {
		*event = events->events[number];
		return 0;
	}

	return uev_perf_events_add(events, attr, event);
}

static const char *read_description(struct uev_input *input, size_t number,
				    uint32_t attr_size,
				    struct uev_perf_events *events)
{
	struct uev_perf_event *event;
	struct uev_attr attr;
	char name[TEXT_MAX + 1];
	const uint8_t *bytes;
	const char *reason;
	uint32_t count;
	uint64_t id;
	int ret;

	bytes = uev_input_take(input, attr_size);
	if (!bytes)
		return too_short;
	uev_attr_read(&attr, bytes, attr_size, input->big);
	if (!uev_input_u32(input, &count))
		return too_short;
	reason = read_text(input, name);
	if (reason)
		return reason;

	ret = described_event(events, number, &attr, &event);
	if (!ret)
		ret = uev_perf_events_name(event, name, strlen(name));
	while (!ret && count--) {
		if (!uev_input_u64(input, &id))
			return too_short;
		if (!uev_id_table_get(&events->by_id, id))
			ret = uev_perf_events_add_id(events, event, id);
	}
	if (ret == -ENOMEM)
		input->error = ret;

	return ret ? too_many : NULL;
}

static const char *read_event_desc(struct uev_input *input,
				   struct uev_perf_info *info,
				   struct uev_perf_events *events)
{
	const char *reason = NULL;
	uint32_t attr_size;
	uint32_t count;
	uint32_t i;

	(void)info;

	if (!uev_input_u32(input, &count) || !uev_input_u32(input, &attr_size))
		return too_short;
	if (attr_size < UEV_ATTR_SIZE_MIN || attr_size > UEV_ATTR_SIZE_MAX)
		return bad_attr;
	for (i = 0; i < count && !reason; i++)
		reason = read_description(input, i, attr_size, events);

	return reason;
}

static const char *read_tracing_data(struct uev_input *input,
				     struct uev_perf_info *info,
				     struct uev_perf_events *events)
{
	return uev_tracing_read(input, events, &info->long_size);
}

static const struct {
	unsigned int feature;
	const char *(*read)(struct uev_input *input, struct uev_perf_info *info,
			    struct uev_perf_events *events);
} features[] = {
	{ UEV_FEATURE_TRACING_DATA, read_tracing_data },
	{ UEV_FEATURE_HOSTNAME, read_hostname },
	{ UEV_FEATURE_OSRELEASE, read_osrelease },
	{ UEV_FEATURE_ARCH, read_arch },
	{ UEV_FEATURE_NRCPUS, read_nrcpus },
	{ UEV_FEATURE_EVENT_DESC, read_event_desc },
	{ UEV_FEATURE_SAMPLE_TIME, read_sample_time },
	{ UEV_FEATURE_CLOCK_DATA, read_clock_data },
};

const char *uev_feature_read(struct uev_input *input, unsigned int feature,
			     struct uev_perf_info *info,
			     struct uev_perf_events *events)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(features); i++)
		if (features[i].feature == feature)
			return features[i].read(input, info, events);

	return NULL;
}
