/* SPDX-License-Identifier: MIT */
/* user-events export: the answer of a collector to a message. */
#ifndef USER_EVENTS_EXPORT_OTLP_ANSWER_H
#define USER_EVENTS_EXPORT_OTLP_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OTLP_ANSWER_MESSAGE_SIZE 256

/*
 * struct otlp_answer - ExportLogsServiceResponse, ExportTraceServiceResponse or
 * ExportMetricsServiceResponse
 * @rejected: number of records, spans or data points that the collector did not
 *        accept
 * @message: why, or a warning; shortened, "" without one
 */
struct otlp_answer {
	uint64_t rejected;
	char message[OTLP_ANSWER_MESSAGE_SIZE];
};

/*
 * otlp_answer_parse() - Parses the body of an answer with a status of success
 *
 * Collectors answer in JSON, in Protobuf, or with an empty body. Other servers,
 * such as one that wants a user to log in, answer with a page.
 *
 * @type: the header Content-Type; "" without one
 * @body: @size bytes
 * Return: whether the answer is that of a collector
 */
bool otlp_answer_parse(struct otlp_answer *answer, const char *type,
		       const char *body, size_t size);

#endif
