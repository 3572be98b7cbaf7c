/*
 * Measure a load that is under way in slices of equal length, each one `sample` line of the result.
 *
 *   slices PHASE SLICES MILLISECONDS SENDER_PID NODE INTERFACE
 *
 *   sample  PHASE FRAMES ERRORS MICROSECONDS      offered: what the interface sent, or lost to the other end's full queue
 *   fact    PHASE_processor_share SHARE           of the time in which the sender could have run
 *
 * The node is a network namespace by its name, or '-' for the one this runs in. Waits until the sender sends.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 5000

struct interface {
	int counters;  /* /proc/net/dev of its node */
	char line[32]; /* what begins its line there */
};

struct moment {
	int64_t ns;
	uint64_t offered, errors;
};

static struct interface open_interface(const char *node, const char *name)
{
	struct interface interface;
	char path[64];
	int namespace = -1;

	snprintf(path, sizeof(path), "/run/netns/%s", node);
	snprintf(interface.line, sizeof(interface.line), " %s:", name);
	if (strcmp(node, "-") != 0) {
		namespace = open(path, O_RDONLY | O_CLOEXEC);
		if (namespace < 0 || setns(namespace, CLONE_NEWNET) < 0)
			err(3, "%s", path);
	}
	interface.counters = open("/proc/thread-self/net/dev", O_RDONLY | O_CLOEXEC);
	if (interface.counters < 0)
		err(3, "/proc/thread-self/net/dev");
	return interface;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void sleep_until(int64_t ns)
{
	const struct timespec then = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, NULL);
}

/* Columns of /proc/net/dev: octets, packets, errors, dropped and four more received, then the same sent. */
static struct moment look(const struct interface *interface)
{
	struct moment moment = {.ns = now_ns()};
	char text[4096];
	ssize_t length = pread(interface->counters, text, sizeof(text) - 1, 0);
	const char *line;
	uint64_t sent, lost;

	text[length > 0 ? length : 0] = '\0';
	line = strstr(text, interface->line);
	if (!line || sscanf(line + strlen(interface->line),
			    "%*u %*u %*u %*u %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64 " %" SCNu64, &sent,
			    &moment.errors, &lost) != 3)
		errx(3, "/proc/net/dev has no%s", interface->line);
	moment.offered = sent + lost;
	return moment;
}

static struct moment wait_for_load(const struct interface *interface)
{
	const struct moment begin = look(interface);
	struct moment now = begin;

	while (now.offered == begin.offered) {
		if (now.ns - begin.ns > PATIENCE_MS * INT64_C(1000000))
			errx(3, "no frame was sent for %d ms", PATIENCE_MS);
		sleep_until(now.ns + 1000000);
		now = look(interface);
	}
	return now;
}

/* Nanoseconds the sender waited for its processor while others had it; -1 where the kernel does not say. */
static int64_t read_waited(const char *process)
{
	char path[64];
	int64_t waited = -1;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/schedstat", process);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%*d %" SCNd64, &waited) != 1)
		waited = -1;
	fclose(file);
	return waited;
}

static void say_slice(const char *phase, const struct moment *from, const struct moment *to)
{
	printf("sample\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRId64 "\n", phase, to->offered - from->offered,
	       to->errors - from->errors, (to->ns - from->ns) / 1000);
}

int main(int argc, char **argv)
{
	struct interface interface;
	struct moment from, to;
	int64_t began, waited, slice_ns;
	long slices;

	if (argc != 7)
		errx(2, "expected PHASE SLICES MILLISECONDS SENDER_PID NODE INTERFACE, got %d words", argc - 1);
	slices = strtol(argv[2], NULL, 10);
	slice_ns = strtol(argv[3], NULL, 10) * INT64_C(1000000);
	interface = open_interface(argv[5], argv[6]);
	from = wait_for_load(&interface);
	began = from.ns;
	waited = read_waited(argv[4]);
	for (long i = 1; i <= slices; i++, from = to) {
		sleep_until(began + i * slice_ns);
		to = look(&interface);
		say_slice(argv[1], &from, &to);
	}
	if (waited >= 0)
		printf("fact\t%s_processor_share\t%.4f\n", argv[1],
		       1 - (double)(read_waited(argv[4]) - waited) / (from.ns - began));
	return 0;
}
