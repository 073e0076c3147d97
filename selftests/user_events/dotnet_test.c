// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system calls for user_events of a session of .NET's event pipe, and of the
 * collector that starts it, such as dotnet-trace: formats, sizes, flags and bits are
 * those of .NET 10.0.9 and of one-collect a8e3fd0, in their order. There are fewer
 * events and shorter payloads, and perf has the attributes of the other tests.
 *
 * The collector registers an event, unregisters it, and keeps it with its open
 * file. It attaches perf on each CPU. To each runtime it passes another file,
 * opened for reading and writing, which it closes then. The runtime registers the
 * event with bit 31 of a word, and writes with writev(), whose parts can be empty.
 * At the end it unregisters the event while perf is attached.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/user_events.h"

#define FIELDS                       \
	"u8 version; u16 event_id; " \
	"__rel_loc u8[] extension; " \
	"__rel_loc u8[] payload"
/* Names have the name of a provider, and can have dots. */
#define NAME "OC_DotNet_System.Net.Http_1234_C"
#define BIT 31
#define ENABLED (1U << BIT)

/* More values than fit into the array that the runtime has for most events. */
#define VALUES 40
#define MAX_CPUS 64

/* What the extension consists of, each with a label */
#define METADATA 1
#define ACTIVITY 2
/* The metadata begin with the name of the provider, in UTF-16. */
#define PROVIDER "N\0e\0t\0\0"

struct collector {
	const char *event;
	int file;
	unsigned int id, cpus;
	struct perf perfs[MAX_CPUS];
};

/* One of the runtime's tracepoints; the kernel writes @enabled. */
struct tracepoint {
	const char *format;
	uint32_t write_index;
	volatile uint32_t enabled;
};

struct runtime {
	pid_t pid;
	int socket;
};

static void collector_start(struct collector *collector, const char *event)
{
	uint32_t word = 0;
	unsigned int cpu;

	collector->event = event;
	collector->file = tfs_open(O_WRONLY, "user_events_data");
	ASSERT_OK(collector->file);
	must_reg_word(collector->file, text("%s " FIELDS, collector->event),
		      &word, 0);
	EXPECT_OK(unreg(collector->file, &word, 0));
	collector->id = event_id(collector->event);
	collector->cpus = cpu_count();
	ASSERT_LE(collector->cpus, MAX_CPUS);
	for (cpu = 0; cpu < collector->cpus; cpu++)
		perf_map(&collector->perfs[cpu], collector->id, -1, cpu, 4);
	EXPECT_EQ(word, 0);
}

static void collector_detach(struct collector *collector)
{
	unsigned int cpu;

	for (cpu = 0; cpu < collector->cpus; cpu++)
		perf_close(&collector->perfs[cpu]);
}

/* The first record of any CPU; false if there is none. */
static bool collector_next(struct collector *collector, struct sample *sample)
{
	unsigned int cpu;

	for (cpu = 0; cpu < collector->cpus; cpu++)
		if (perf_next(&collector->perfs[cpu], sample))
			return true;

	return false;
}

/*
 * Starts a runtime, which waits for a file. Called before the collector starts, so
 * that the runtime inherits none of its files.
 */
static struct runtime runtime_start(void (*session)(int socket, int file,
						    const char *event),
				    const char *event)
{
	struct runtime runtime;
	int sockets[2];

	ASSERT_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
	runtime.pid = fork();
	ASSERT_OK(runtime.pid);
	if (!runtime.pid) {
		close(sockets[0]);
		session(sockets[1], receive_fd(sockets[1]), event);
		_exit(harness_failed());
	}
	close(sockets[1]);
	runtime.socket = sockets[0];

	return runtime;
}

/* Passes a file to the runtime, which alone keeps it open. */
static void runtime_attach(const struct runtime *runtime)
{
	int file = data_open();

	send_fd(runtime->socket, file);
	close(file);
}

/* The collector and a runtime meet at each of these. */
static void meet(int socket)
{
	char byte = 0;

	ASSERT_EQ(write(socket, &byte, 1), 1);
	ASSERT_EQ(read(socket, &byte, 1), 1);
}

static void tracepoint_register(struct tracepoint *tracepoint, int file)
{
	/* The runtime's structure is not packed. */
	struct {
		struct user_reg_enabler enabler;
		uint32_t padding;
	} request = {
		.enabler.size = sizeof(request),
		.enabler.enable_bit = BIT,
		.enabler.enable_size = sizeof(tracepoint->enabled),
		.enabler.enable_addr = (uintptr_t)&tracepoint->enabled,
		.enabler.name_args = (uintptr_t)tracepoint->format,
	};

	ASSERT_OK(ioctl(file, DIAG_IOCSREG, &request));
	tracepoint->write_index = request.enabler.write_index;
}

/* Bytes of an extension with @metadata, if any, and an activity */
static size_t extension_of(const char *metadata, size_t activity_size)
{
	size_t size = activity_size;

	if (metadata)
		size += 5 + sizeof(PROVIDER) + strlen(metadata);

	return size;
}

/*
 * Writes an event as the runtime does: without @metadata, there is no part of it.
 * An activity can be empty. The payload consists of @count values. Return: what
 * writev() returns.
 */
static ssize_t runtime_write(int file, const struct tracepoint *tracepoint,
			     uint16_t event_id, const char *metadata,
			     size_t activity_size, const uint32_t *values,
			     size_t count)
{
	static const unsigned char activity[17] = { ACTIVITY, 0xac, 0x71 };
	uint32_t index = tracepoint->write_index;
	uint32_t extension_size = extension_of(metadata, activity_size);
	uint32_t extension, payload, metadata_size;
	unsigned char label[1 + sizeof(uint32_t)] = { METADATA };
	uint8_t version = 1;
	struct iovec parts[9 + VALUES] = {
		{ &index, sizeof(index) },
		{ &version, sizeof(version) },
		{ &event_id, sizeof(event_id) },
		{ &extension, sizeof(extension) },
		{ &payload, sizeof(payload) },
	};
	size_t parts_count = 5, i;

	extension = extension_size << 16 | sizeof(payload);
	payload = (uint32_t)(count * sizeof(*values)) << 16 | extension_size;
	if (metadata) {
		metadata_size = sizeof(PROVIDER) + strlen(metadata);
		memcpy(label + 1, &metadata_size, sizeof(metadata_size));
		parts[parts_count++] = (struct iovec){ label, sizeof(label) };
		parts[parts_count++] =
			(struct iovec){ PROVIDER, sizeof(PROVIDER) };
		parts[parts_count++] =
			(struct iovec){ (void *)metadata, strlen(metadata) };
	}
	parts[parts_count++] =
		(struct iovec){ (void *)activity, activity_size };
	for (i = 0; i < count; i++)
		parts[parts_count++] =
			(struct iovec){ (void *)&values[i], sizeof(*values) };

	return writev(file, parts, parts_count);
}

/* Compares a record with what runtime_write() wrote. */
static void check_event(const struct sample *sample, uint16_t event_id,
			const char *metadata, size_t activity_size,
			const uint32_t *values, size_t count)
{
	const unsigned char *at = sample->bytes + common_fields_size();
	size_t extension_size = extension_of(metadata, activity_size);
	size_t metadata_size = extension_size - activity_size;
	const size_t fields = 1 + 2 + 4 + 4;
	uint32_t extension, payload, stored;
	uint16_t id;

	ASSERT_GE(sample->size, common_fields_size() + fields + extension_size +
					count * sizeof(*values));
	EXPECT_EQ(at[0], 1);
	memcpy(&id, at + 1, sizeof(id));
	EXPECT_EQ(id, event_id);
	memcpy(&extension, at + 3, sizeof(extension));
	memcpy(&payload, at + 7, sizeof(payload));
	/* Offsets are relative to the end of their words. */
	EXPECT_EQ(extension >> 16, extension_size);
	EXPECT_EQ(3 + 4 + (extension & 0xffff), fields);
	EXPECT_EQ(payload >> 16, count * sizeof(*values));
	EXPECT_EQ(7 + 4 + (payload & 0xffff), fields + extension_size);
	if (metadata) {
		EXPECT_EQ(at[fields], METADATA);
		memcpy(&stored, at + fields + 1, sizeof(stored));
		EXPECT_EQ(stored, metadata_size - 5);
		EXPECT_FALSE(
			memcmp(at + fields + 5, PROVIDER, sizeof(PROVIDER)));
		EXPECT_FALSE(memcmp(at + fields + 5 + sizeof(PROVIDER),
				    metadata, strlen(metadata)));
	}
	if (activity_size)
		EXPECT_EQ(at[fields + metadata_size], ACTIVITY);
	if (count)
		EXPECT_FALSE(memcmp(at + fields + extension_size, values,
				    count * sizeof(*values)));
}

/* The first event with metadata, as of managed code, and one of native code */
static void session_writes(int socket, int file, const char *event)
{
	struct tracepoint *other = calloc(1, sizeof(*other));
	struct tracepoint *tracepoint = calloc(1, sizeof(*tracepoint));
	uint32_t values[VALUES];
	size_t i;

	for (i = 0; i < VALUES; i++)
		values[i] = 0x01020304 * i;
	tracepoint->format = text("%s " FIELDS, event);
	other->format = text("%s_other " FIELDS, event);
	tracepoint_register(tracepoint, file);
	tracepoint_register(other, file);
	EXPECT_EQ(tracepoint->write_index, 0);
	EXPECT_EQ(other->write_index, 1);
	/* perf was attached before the runtime registered the event. */
	EXPECT_EQ(tracepoint->enabled, ENABLED);
	EXPECT_EQ(other->enabled, 0);
	EXPECT_EQ(runtime_write(file, tracepoint, 1, "metadata", 17, values,
				VALUES),
		  4 + 11 + 5 + sizeof(PROVIDER) + 8 + 17 + sizeof(values));
	meet(socket);
	EXPECT_EQ(runtime_write(file, tracepoint, 0xffff, NULL, 0, NULL, 0),
		  4 + 11);
	meet(socket);
	EXPECT_OK(unreg(file, &tracepoint->enabled, BIT));
	EXPECT_OK(unreg(file, &other->enabled, BIT));
	EXPECT_ERRNO(unreg(file, &other->enabled, BIT), ENOENT);
	EXPECT_EQ(tracepoint->enabled, 0);
	close(file);
	/* The collector can detach now. */
	meet(socket);
}

TEST(session_of_runtime)
{
	const char *event = uniq(NAME);
	struct collector collector;
	struct sample sample;
	struct runtime runtime;
	uint32_t values[VALUES];
	size_t i;

	for (i = 0; i < VALUES; i++)
		values[i] = 0x01020304 * i;
	runtime = runtime_start(session_writes, event);
	collector_start(&collector, event);
	runtime_attach(&runtime);
	meet(runtime.socket);
	ASSERT_TRUE(collector_next(&collector, &sample));
	check_event(&sample, 1, "metadata", 17, values, VALUES);
	meet(runtime.socket);
	ASSERT_TRUE(collector_next(&collector, &sample));
	check_event(&sample, 0xffff, NULL, 0, NULL, 0);
	EXPECT_FALSE(collector_next(&collector, &sample));
	meet(runtime.socket);
	collector_detach(&collector);
	wait_child(runtime.pid);
	wait_deleted(text("%s_other", event));
	/* The collector's file still has the event. */
	EXPECT_TRUE(status_line(event));
	close(collector.file);
	wait_deleted(event);
}

/* A runtime that is killed has neither unregistered nor closed anything. */
static void session_waits(int socket, int file, const char *event)
{
	struct tracepoint *tracepoint = calloc(1, sizeof(*tracepoint));
	uint32_t value = getpid();

	tracepoint->format = text("%s " FIELDS, event);
	tracepoint_register(tracepoint, file);
	EXPECT_EQ(tracepoint->write_index, 0);
	meet(socket);
	EXPECT_EQ(tracepoint->enabled, ENABLED);
	EXPECT_GE(runtime_write(file, tracepoint, 3, NULL, 0, &value, 1), 0);
	meet(socket);
	meet(socket);
}

TEST(killed_runtime_leaves_other_runtimes)
{
	const char *event = uniq(NAME);
	struct runtime killed, other;
	struct collector collector;
	struct sample sample;
	uint32_t value;

	killed = runtime_start(session_waits, event);
	other = runtime_start(session_waits, event);
	collector_start(&collector, event);
	runtime_attach(&killed);
	runtime_attach(&other);
	meet(killed.socket);
	meet(killed.socket);
	ASSERT_TRUE(collector_next(&collector, &sample));
	value = killed.pid;
	check_event(&sample, 3, NULL, 0, &value, 1);
	EXPECT_OK(kill(killed.pid, SIGKILL));
	EXPECT_EQ(waitpid(killed.pid, NULL, 0), killed.pid);
	meet(other.socket);
	meet(other.socket);
	ASSERT_TRUE(collector_next(&collector, &sample));
	value = other.pid;
	check_event(&sample, 3, NULL, 0, &value, 1);
	meet(other.socket);
	wait_child(other.pid);
	collector_detach(&collector);
	EXPECT_TRUE(status_line(event));
	close(collector.file);
	wait_deleted(event);
}

/* The collector exits, or is killed, while the runtime goes on. */
TEST(runtime_survives_collector)
{
	const char *event = uniq(NAME);
	struct collector collector;
	struct runtime runtime;

	runtime = runtime_start(session_waits, event);
	collector_start(&collector, event);
	runtime_attach(&runtime);
	meet(runtime.socket);
	meet(runtime.socket);
	collector_detach(&collector);
	close(collector.file);
	/* The runtime's file has the event. */
	EXPECT_TRUE(status_line(event));
	meet(runtime.socket);
	wait_child(runtime.pid);
	wait_deleted(event);
}

int main(int argc, char **argv)
{
	return user_events_main(argc, argv);
}
