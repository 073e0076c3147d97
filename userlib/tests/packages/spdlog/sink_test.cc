// SPDX-License-Identifier: MIT
/* Messages of spdlog as events, with a fake kernel. */
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

START_TEST(writes_fields)
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
END_TEST

START_TEST(maps_levels)
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
END_TEST

START_TEST(rejects_names)
{
	bool is_rejected = false;

	try {
		uev::spdlog_sink_st sink("not a name");
	} catch (const spdlog::spdlog_ex &) {
		is_rejected = true;
	}
	ck_assert(is_rejected);
}
END_TEST

/* A large message is lost, but nothing else. */
START_TEST(large)
{
	spdlog::logger logger("net",
			      std::make_shared<uev::spdlog_sink_st>("Spd"));

	fake_enable("Spd_L4K0", true);
	logger.info(std::string(70000, 'x'));
	ck_assert_uint_eq(fake_records(), 0);
	logger.info("x");
	ck_assert_uint_eq(fake_records(), 1);
}
END_TEST

int main()
{
	Suite *suite = suite_create("spdlog");
	TCase *tcase = tcase_create("spdlog");

	tcase_add_checked_fixture(tcase, set_up, nullptr);
	tcase_add_test(tcase, writes_fields);
	tcase_add_test(tcase, maps_levels);
	tcase_add_test(tcase, rejects_names);
	tcase_add_test(tcase, large);
	suite_add_tcase(suite, tcase);

	return run_suite(suite);
}
