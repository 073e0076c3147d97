// SPDX-License-Identifier: MIT
/* Messages of spdlog as events, with a fake kernel. */
#include <cerrno>
#include <cstring>
#include <string>
#include <unistd.h>

#include <spdlog/spdlog.h>
#include <userevents/decode.h>
#include <userevents/spdlog_sink.hpp>

extern "C" {
#include "lib/decode_help.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"
}

static void set_up()
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(nullptr), 0);
}

static std::string last_record()
{
	const struct fake_record *record = fake_record();
	uev_decoder *decoder = new_decoder();
	uev_output json;

	memset(&json, 0, sizeof(json));
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, record->name,
						       record->payload,
						       record->size),
			 0);
	ck_assert_int_eq(
		uev_decoder_append_json(decoder, nullptr, nullptr, &json), 0);
	std::string text(json.text, json.size);

	uev_output_release(&json);
	uev_decoder_free(decoder);
	return text;
}

TEST_FIXTURE(set_up, nullptr);

TEST(writes_fields)
{
	spdlog::logger logger("net", std::make_shared<uev::spdlog_sink_mt>(
					     "Spd", 0x2aU, "g"));

	fake_enable("Spd_L3K2aGg", true);
	logger.warn("{} of \xc3\xa4", 5);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert(
		last_record() ==
		"{ \"n\": \"Spd:Log\", \"message\": \"5 of \xc3\xa4\", "
		"\"severity\": \"warning\", \"logger\": \"net\", \"thread\": " +
			std::to_string(gettid()) +
			", \"meta\": { \"level\": 3, \"keyword\": \"0x2A\" } }");
	logger.log(spdlog::source_loc{ "a.cc", 7, "f" }, spdlog::level::warn,
		   "x");
	ck_assert(last_record().find("\"file\": \"a.cc\", \"line\": 7, "
				     "\"function\": \"f\"") !=
		  std::string::npos);
}

TEST(maps_levels)
{
	static const struct {
		spdlog::level::level_enum level;
		const char *name;
	} rows[] = {
		{ spdlog::level::trace, "Spd_L5K0" },
		{ spdlog::level::debug, "Spd_L5K0" },
		{ spdlog::level::info, "Spd_L4K0" },
		{ spdlog::level::warn, "Spd_L3K0" },
		{ spdlog::level::err, "Spd_L2K0" },
		{ spdlog::level::critical, "Spd_L1K0" },
	};
	spdlog::logger logger("net",
			      std::make_shared<uev::spdlog_sink_st>("Spd"));
	unsigned int count = 0;

	logger.set_level(spdlog::level::trace);
	for (const auto &row : rows) {
		logger.log(row.level, "x");
		ck_assert_uint_eq(fake_records(), count);
		fake_enable(row.name, true);
		logger.log(row.level, "x");
		ck_assert_uint_eq(fake_records(), ++count);
		ck_assert_str_eq(fake_record()->name, row.name);
		fake_enable(row.name, false);
	}
}

static bool is_rejected(const std::string &name, size_t limit)
{
	try {
		uev::spdlog_sink_st sink(name, 0, "", limit);
	} catch (const spdlog::spdlog_ex &) {
		return true;
	}
	return false;
}

TEST(rejects_arguments)
{
	ck_assert(!is_rejected("Spd", UEV_PAYLOAD_MAX));
	ck_assert(is_rejected("not a name", UEV_PAYLOAD_MAX));
	ck_assert(is_rejected(std::string("Spd\0x", 5), UEV_PAYLOAD_MAX));
	ck_assert(is_rejected("Spd", UEV_PAYLOAD_MAX + 1));
	ck_assert(is_rejected("Spd", 0));
}

static unsigned long shortened_records()
{
	struct uev_stats stats;

	uev_process_stats(&stats, sizeof(stats));
	return stats.shortened;
}

/* A message that does not fit ends with the mark, and the other fields stay. */
TEST(shortens_messages)
{
	static const struct {
		size_t limit;
		size_t length;
		bool is_shortened;
	} rows[] = {
		{ UEV_PAYLOAD_MAX, 8000, false },
		{ UEV_PAYLOAD_MAX, 8200, true },
		{ UEV_PAYLOAD_MAX, 70000, true },
		{ UEV_PAYLOAD_FTRACE_MAX, 3900, false },
		{ UEV_PAYLOAD_FTRACE_MAX, 4100, true },
	};

	for (const auto &row : rows) {
		unsigned long before = shortened_records();
		spdlog::logger logger("net",
				      std::make_shared<uev::spdlog_sink_st>(
					      "Spd", 0, "", row.limit));

		fake_enable("Spd_L4K0", true);
		logger.info(std::string(row.length, 'x'));
		ck_assert_uint_le(fake_record()->size, row.limit);
		ck_assert_uint_eq(shortened_records() - before,
				  row.is_shortened);
		ck_assert_uint_eq(last_record().find("xxx\xe2\x80\xa6\"") !=
					  std::string::npos,
				  row.is_shortened);
		ck_assert(last_record().find("\"logger\": \"net\"") !=
			  std::string::npos);
		if (row.is_shortened)
			ck_assert_uint_eq(fake_record()->size, row.limit);
	}
	ck_assert_uint_eq(fake_records(), 5);
}

/* A record that is not written is reported once for each reason. */
TEST(reports_errors)
{
	spdlog::logger logger("net",
			      std::make_shared<uev::spdlog_sink_st>("Spd"));
	unsigned int reports = 0;
	struct uev_stats stats;

	logger.set_error_handler([&](const std::string &) { reports++; });
	fake_enable("Spd_L4K0", true);
	fake_fail(FAKE_WRITE, 0, 3, -ENOMEM);
	for (int i = 0; i < 3; i++)
		logger.info("x");
	ck_assert_uint_eq(fake_records(), 0);
	ck_assert_uint_eq(reports, 1);
	logger.info("x");
	ck_assert_uint_eq(fake_records(), 1);
	fake_fail(FAKE_WRITE, 0, 2, -EIO);
	logger.info("x");
	logger.info("x");
	ck_assert_uint_eq(reports, 2);
	uev_process_stats(&stats, sizeof(stats));
	ck_assert_uint_eq(stats.failed, 5);
}
