/* SPDX-License-Identifier: MIT */
/* user-events export: options of the requests to a collector of OpenTelemetry. */
#ifndef USER_EVENTS_EXPORT_OTLP_OPTIONS_H
#define USER_EVENTS_EXPORT_OTLP_OPTIONS_H

#include <stdbool.h>

#include "export/http_client.h"

/*
 * otlp_header_add() - Adds a header of requests
 * @headers: of struct export_client
 * @text: NAME=VALUE
 * Return: whether it is valid
 */
bool otlp_header_add(struct uev_output *headers, const char *text);

/*
 * otlp_options_read() - Reads the variables OTEL_EXPORTER_OTLP_HEADERS,
 * OTEL_EXPORTER_OTLP_CERTIFICATE and OTEL_EXPORTER_OTLP_COMPRESSION
 * Return: an exit status; mistakes are printed
 */
int otlp_options_read(struct export_client *client);

#endif
