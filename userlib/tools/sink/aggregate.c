// SPDX-License-Identifier: MIT
#include "sink/aggregate.h"

#include <inttypes.h>
#include <math.h>

#include "query/value.h"
#include "tool.h"
#include "ui/out.h"

/* All integers below it are doubles. */
#define INTEGER_MAX 9007199254740992.0

static void add_value(struct sink_aggregate *aggregate,
		      struct query_group *group, struct uev_decoder *decoder,
		      const struct format_record *record)
{
	const struct query_field *field;
	double number;

	query_fields_read(&aggregate->value, decoder, record);
	field = &aggregate->value.fields[0];
	if (field->kind == QUERY_VALUE &&
	    query_number(&field->value, &number) && !isnan(number))
		query_histogram_add(&group->values, number);
	else
		aggregate->not_numbers++;
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct sink_aggregate *aggregate = data;
	struct query_group *group;
	bool has_all;
	int ret;

	aggregate->text.size = 0;
	ret = query_fields_join(&aggregate->by, decoder, record,
				&aggregate->text, &has_all);
	if (!has_all) {
		aggregate->missing++;
		return ret;
	}
	group = query_groups_get(&aggregate->groups, aggregate->text.text,
				 aggregate->text.size);
	group->count++;
	if (aggregate->value.count)
		add_value(aggregate, group, decoder, record);

	return ret;
}

/* ---- Output ---- */

static double average(const struct query_histogram *values)
{
	return values->count ? values->sum / (double)values->count : 0;
}

static void print_number(double number)
{
	/* Exact for integers. */
	if (number == trunc(number) && fabs(number) < INTEGER_MAX)
		out_print("  %12.0f", number);
	else
		out_print("  %12.10g", number);
}

static void print_values(const struct query_histogram *values)
{
	const double numbers[] = {
		values->sum,
		average(values),
		values->min,
		query_histogram_percentile(values, 50),
		query_histogram_percentile(values, 99),
		values->max,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (values->count)
			print_number(numbers[i]);
		else
			out_print("  %12s", "-");
}

static void print_row(const struct sink_aggregate *aggregate,
		      const struct query_group *group)
{
	out_print("%12" PRIu64, group->count);
	if (aggregate->value.count)
		print_values(&group->values);
	out_print("  ");
	if (group->name)
		out_text(group->name, group->name_size);
	else
		out_print("(other)");
	out_print("\n");
}

static void print_text(const struct sink_aggregate *aggregate)
{
	const struct query_group *group;
	size_t i;

	out_print("%12s", "COUNT");
	if (aggregate->value.count)
		out_print("  %12s  %12s  %12s  %12s  %12s  %12s", "SUM", "AVG",
			  "MIN", "P50", "P99", "MAX");
	for (i = 0; i < aggregate->by.count; i++)
		out_print("%s%s", i ? "," : "  ", aggregate->by.fields[i].name);
	out_print("\n");
	for (i = 0; (group = query_groups_at(&aggregate->groups, i)); i++)
		print_row(aggregate, group);
}

static void put_group(const struct sink_aggregate *aggregate,
		      struct uev_output *json, const struct query_group *group)
{
	const struct query_histogram *values = &group->values;
	const struct {
		const char *key;
		double number;
	} numbers[] = {
		{ "avg", average(values) },
		{ "min", values->min },
		{ "p50", query_histogram_percentile(values, 50) },
		{ "p99", query_histogram_percentile(values, 99) },
		{ "max", values->max },
	};
	size_t i;

	out_json_object(json, NULL);
	out_json_string_n(json, "by", group->name, group->name_size);
	out_json_unsigned(json, "count", group->count);
	if (aggregate->value.count) {
		out_json_unsigned(json, "values", values->count);
		out_json_real(json, "sum", values->sum);
		for (i = 0; i < ARRAY_SIZE(numbers); i++)
			if (values->count)
				out_json_real(json, numbers[i].key,
					      numbers[i].number);
			else
				out_json_null(json, numbers[i].key);
	}
	out_json_object_end(json);
}

static void print_json(const struct sink_aggregate *aggregate)
{
	const struct query_group *group;
	struct uev_output json = UEV_OUTPUT_INIT;
	size_t i;

	out_json_object(&json, NULL);
	out_json_real(&json, "time", aggregate->pipe->seconds);
	out_json_array(&json, "groups");
	for (i = 0; (group = query_groups_at(&aggregate->groups, i)); i++)
		put_group(aggregate, &json, group);
	out_json_array_end(&json);
	out_json_unsigned(&json, "missing", aggregate->missing);
	out_json_unsigned(&json, "lost", aggregate->pipe->lost);
	out_json_object_end(&json);
	out_json_end(&json);
}

static void print_groups(void *data)
{
	struct sink_aggregate *aggregate = data;

	query_groups_sort(&aggregate->groups);
	if (aggregate->is_json)
		print_json(aggregate);
	else
		print_text(aggregate);
	out_flush();
}

/* Return: TOOL_NOT_FOUND if no record had the fields */
static int report_options(const struct sink_aggregate *aggregate)
{
	const struct query_select *select = aggregate->pipe->select;
	uint64_t missing = aggregate->missing, without = aggregate->not_numbers;
	int status = query_fields_report(&aggregate->by, "--by", select);
	bool has_groups = query_groups_at(&aggregate->groups, 0);

	if (!status && has_groups)
		status = query_fields_report(&aggregate->value, "--value",
					     select);
	if (status)
		return status;
	if (missing)
		tool_error("--by: %" PRIu64 " records do not have the field",
			   missing);
	if (without)
		tool_error("--value: %" PRIu64 " records do not have a number",
			   without);
	if (missing && !has_groups)
		return TOOL_NOT_FOUND;

	return missing || without ? TOOL_INCOMPLETE : TOOL_OK;
}

static int finish(void *data)
{
	print_groups(data);

	return report_options(data);
}

const struct sink_ops sink_aggregate = {
	.record = take_record,
	.tick = print_groups,
	.finish = finish,
};

void sink_aggregate_release(struct sink_aggregate *aggregate)
{
	query_fields_release(&aggregate->by);
	query_fields_release(&aggregate->value);
	query_groups_release(&aggregate->groups);
	uev_output_release(&aggregate->text);
}
