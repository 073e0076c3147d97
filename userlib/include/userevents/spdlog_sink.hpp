/* SPDX-License-Identifier: MIT */
/*
 * libuserevents: a sink of spdlog that writes each message as an EventHeader
 * event.
 *
 *	auto sink = std::make_shared<uev::spdlog_sink_mt>("MyCompany_App");
 *	spdlog::logger logger("network", sink);
 *	logger.warn("connection of {} lost", name);
 *
 * is an event of the tracepoint MyCompany_App_L3K0. While a tracepoint is
 * disabled, its messages are not written. The event has the name Log and the
 * fields
 *
 *	message		text in UTF-8, formatted by spdlog without its pattern
 *	severity	"trace", "debug"... as spdlog names it
 *	logger		name of the logger
 *	thread		ID of the thread
 *	file, line, function
 *			if the message has them
 *
 * A message that does not fit into a record is shortened and ends with
 * UEV_SHORTENED.
 *
 * Programs link with libuserevents and spdlog.
 */
#ifndef USEREVENTS_SPDLOG_SINK_HPP
#define USEREVENTS_SPDLOG_SINK_HPP

#include <cerrno>
#include <mutex>
#include <string>

#include <spdlog/details/null_mutex.h>
#include <spdlog/sinks/base_sink.h>
#include <userevents/eventheader-dynamic.h>

namespace uev
{

/*
 * class spdlog_sink - A sink
 * @Mutex: std::mutex, or spdlog::details::null_mutex for a single thread
 */
template <typename Mutex>
class spdlog_sink final : public spdlog::sinks::base_sink<Mutex>
{
      public:
	/*
	 * spdlog_sink() - Registers the tracepoints of a provider
	 * @provider: letters, digits and '_'
	 * @keyword: 64 bits, defined by the provider
	 * @group: lower-case letters and digits; empty for none
	 * @limit: maximum bytes of a record, at most UEV_PAYLOAD_MAX. With
	 *         UEV_PAYLOAD_FTRACE_MAX, no record is too large for ftrace.
	 *
	 * Throws spdlog_ex if an argument is invalid, without memory, or if the
	 * kernel rejects a tracepoint. Without user_events the tracepoints are
	 * pending.
	 */
	explicit spdlog_sink(const std::string &provider, uint64_t keyword = 0,
			     const std::string &group = std::string(),
			     size_t limit = UEV_PAYLOAD_MAX)
	    : m_limit(limit)
	{
		int err = has_nul(provider) || has_nul(group)
				  ? -EINVAL
				  : uev_dynamic_provider_new(&m_provider,
							     provider.c_str(),
							     group.c_str());

		if (!err)
			err = uev_builder_new(&m_builder);
		if (!err)
			err = begin();
		for (unsigned int level = 1; !err && level <= max_level;
		     level++)
			err = uev_dynamic_provider_event_set(
				m_provider, level, keyword, &m_sets[level]);
		if (err) {
			release();
			spdlog::throw_spdlog_ex("user_events: " + provider,
						-err);
		}
	}

	~spdlog_sink() override
	{
		release();
	}

      protected:
	void sink_it_(const spdlog::details::log_msg &message) override
	{
		uev_event_set *set = m_sets[level_of(message.level)];

		if (uev_enabled(&set->event))
			report(write(set, message));
	}

	void flush_() override
	{
	}

      private:
	static constexpr unsigned int max_level = UEV_LEVEL_VERBOSE;

	static bool has_nul(const std::string &name)
	{
		return name.find('\0') != std::string::npos;
	}

	static unsigned int level_of(spdlog::level::level_enum level)
	{
		switch (level) {
		case spdlog::level::critical:
			return UEV_LEVEL_CRITICAL;
		case spdlog::level::err:
			return UEV_LEVEL_ERROR;
		case spdlog::level::warn:
			return UEV_LEVEL_WARNING;
		case spdlog::level::info:
			return UEV_LEVEL_INFORMATION;
		default:
			return UEV_LEVEL_VERBOSE;
		}
	}

	void add_text(const char *name, spdlog::string_view_t text)
	{
		uev_add_utf8(m_builder, name, text.data(), text.size());
	}

	int begin()
	{
		(void)uev_builder_begin(m_builder, "Log", 0);
		return uev_builder_shorten(m_builder, m_limit);
	}

	int write(uev_event_set *set, const spdlog::details::log_msg &message)
	{
		const auto &source = message.source;

		(void)begin();
		add_text("message", message.payload);
		add_text("severity",
			 spdlog::level::to_string_view(message.level));
		add_text("logger", message.logger_name);
		uev_add_pid(m_builder, "thread",
			    static_cast<int32_t>(message.thread_id));
		if (!source.empty()) {
			uev_add_zutf8(m_builder, "file", source.filename);
			uev_add_i32(m_builder, "line", source.line);
			uev_add_zutf8(m_builder, "function", source.funcname);
		}
		return uev_builder_write(m_builder, set, nullptr, nullptr);
	}

	/*
	 * spdlog passes the exception to the error handler of the logger. A
	 * record that is not written is also counted, see uev_event_stats().
	 */
	void report(int err)
	{
		if (!err || err == m_reported)
			return;
		m_reported = err;
#ifndef SPDLOG_NO_EXCEPTIONS
		spdlog::throw_spdlog_ex("user_events: cannot write a message",
					-err);
#endif
	}

	void release()
	{
		uev_builder_free(m_builder);
		uev_dynamic_provider_free(m_provider);
	}

	uev_dynamic_provider *m_provider = nullptr;
	uev_builder *m_builder = nullptr;
	uev_event_set *m_sets[max_level + 1] = {};
	size_t m_limit;
	int m_reported = 0;
};

using spdlog_sink_mt = spdlog_sink<std::mutex>;
using spdlog_sink_st = spdlog_sink<spdlog::details::null_mutex>;

} /* namespace uev */

#endif
