/* SPDX-License-Identifier: MIT */
/*
 * user-events export: logs and spans of the exporters of OpenTelemetry as JSON of
 * OTLP. What a program sends with its own exporter of OTLP is the model.
 */
#ifndef USER_EVENTS_EXPORT_SCHEMA_JSON_H
#define USER_EVENTS_EXPORT_SCHEMA_JSON_H

#include <stdint.h>

#include "export/common_schema.h"

/*
 * schema_json_put_tail() - Appends the scope and the resource of a record, as
 * @tail of struct export_group
 * @info: of the decoder of the record
 */
void schema_json_put_tail(struct uev_output *to,
			  const struct common_schema *schema,
			  const struct format_record *record,
			  const struct uev_record_info *info);

/*
 * schema_json_put_log() - Appends the members of a log
 * schema_json_put_span() - Appends the members of a span
 * @time: when the record was written, in nanoseconds since 1970
 */
void schema_json_put_log(struct uev_output *to,
			 const struct common_schema *schema,
			 const struct uev_record_info *info, uint64_t time);
void schema_json_put_span(struct uev_output *to,
			  const struct common_schema *schema);

#endif
