// SPDX-License-Identifier: GPL-2.0-only
//
// OpenTelemetry's own definitions of the messages of OTLP, in a directory that
// scripts/check/tool/viewer fills.
import {createRequire} from "node:module";
import path from "node:path";
import {isDeepStrictEqual} from "node:util";

// JSON of OTLP has IDs in hexadecimal, other JSON of Protobuf in base64.
function normal(key, value)
{
	if (/^(trace|span|parentSpan)Id$/.test(key))
		return Buffer.from(value, "hex").toString("base64");
	return Array.isArray(value) && !value.length ? undefined : value;
}

export class Definitions {
	constructor(directory)
	{
		this.require = createRequire(path.resolve(directory, "index.js"));
		const protobuf = this.require("protobufjs/minimal");
		protobuf.util.Long = this.require("long");
		protobuf.configure();
		const {collector} = this.require("./root.js").opentelemetry.proto;
		this.types = {
			"/v1/logs": collector.logs.v1.ExportLogsServiceRequest,
			"/v1/traces": collector.trace.v1.ExportTraceServiceRequest,
			"/v1/metrics": collector.metrics.v1.ExportMetricsServiceRequest,
		};
	}

	// Returns problems of JSON for a path. Conversion to a message drops
	// unknown members, and converts types.
	problems(url, text)
	{
		const type = this.types[url];
		const given = JSON.parse(text, normal);
		const message = type.fromObject(given);
		const problem = type.verify(message);
		const known = type.toObject(type.decode(type.encode(message).finish()),
			{longs: String, bytes: String, enums: Number});

		return [...(problem ? [problem] : []),
			...(isDeepStrictEqual(known, given) ? [] :
				[`${url}: not as defined: ${JSON.stringify(known)} instead of ${JSON.stringify(given)}`])];
	}

	// Returns a message with all members, of JSON or of Protobuf.
	whole(url, content)
	{
		const type = this.types[url];
		const bytes = typeof content === "string" ?
			type.encode(type.fromObject(JSON.parse(content, normal))).finish() : content;

		return type.toObject(type.decode(bytes), {longs: String, bytes: String, enums: Number, defaults: true});
	}
}
