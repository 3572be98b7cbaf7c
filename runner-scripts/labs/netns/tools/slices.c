/*
 * Measure a load that is under way in slices of equal length, each one `sample` line of the result.
 *
 *   slices PHASE SLICES MILLISECONDS SENDER_PID SENDER:INTERFACE RECEIVER:INTERFACE
 *
 *   sample  PHASE OFFERED ERRORS MICROSECONDS RECEIVED        what the sender's interface sent or lost to a full ring,
 *                                                             and what the receiver's got
 *   fact    PHASE_processor_share SHARE                       of the time in which the sender could have run
 *
 * Nodes are network namespaces by their name. Waits until the sender sends.
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

struct node {
	int counters; /* its /proc/net/dev */
	char line[32]; /* what begins the interface's line there */
};

struct counts {
	uint64_t received, sent, errors, lost;
};

struct moment {
	int64_t ns;
	struct counts sender, receiver;
};

struct path {
	struct node sender, receiver;
};

static struct node open_node(const char *word)
{
	char path[64], name[16], interface[16];
	struct node node;
	int namespace;

	if (sscanf(word, "%15[^:]:%15s", name, interface) != 2)
		errx(2, "'%s' is no NODE:INTERFACE", word);
	snprintf(path, sizeof(path), "/run/netns/%s", name);
	snprintf(node.line, sizeof(node.line), " %s:", interface);
	namespace = open(path, O_RDONLY | O_CLOEXEC);
	if (namespace < 0 || setns(namespace, CLONE_NEWNET) < 0)
		err(3, "%s", path);
	node.counters = open("/proc/thread-self/net/dev", O_RDONLY | O_CLOEXEC); /* stays with that namespace */
	if (node.counters < 0)
		err(3, "/proc/thread-self/net/dev");
	close(namespace);
	return node;
}

/* Columns of /proc/net/dev: octets, packets, errors, dropped and four more received, then the same sent. */
static struct counts read_counts(const struct node *node)
{
	char text[4096];
	struct counts counts;
	ssize_t length = pread(node->counters, text, sizeof(text) - 1, 0);
	const char *line;

	text[length > 0 ? length : 0] = '\0';
	line = strstr(text, node->line);
	if (!line || sscanf(line + strlen(node->line),
			    "%*u %" SCNu64 " %*u %*u %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64 " %" SCNu64,
			    &counts.received, &counts.sent, &counts.errors, &counts.lost) != 4)
		errx(3, "/proc/net/dev has no%s", node->line);
	return counts;
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

static struct moment look(const struct path *path)
{
	struct moment moment = {.ns = now_ns()};

	moment.sender = read_counts(&path->sender);
	moment.receiver = read_counts(&path->receiver);
	return moment;
}

/* Frames that were sent, and those that were not because the other end's queue was full. */
static uint64_t offered(const struct moment *moment)
{
	return moment->sender.sent + moment->sender.lost;
}

static struct moment wait_for_traffic(const struct path *path)
{
	const struct moment begin = look(path);
	struct moment now = begin;

	while (offered(&now) == offered(&begin)) {
		if (now.ns - begin.ns > PATIENCE_MS * INT64_C(1000000))
			errx(3, "no frame was sent for %d ms", PATIENCE_MS);
		sleep_until(now.ns + 1000000);
		now = look(path);
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
	printf("sample\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRId64 "\t%" PRIu64 "\n", phase, offered(to) - offered(from),
	       to->sender.errors - from->sender.errors, (to->ns - from->ns) / 1000,
	       to->receiver.received - from->receiver.received);
}

int main(int argc, char **argv)
{
	struct moment from, to;
	struct path path;
	int64_t began, waited, slice_ns;
	long slices;

	if (argc != 7)
		errx(2, "expected PHASE SLICES MILLISECONDS SENDER_PID SENDER:INTERFACE RECEIVER:INTERFACE");
	slices = strtol(argv[2], NULL, 10);
	slice_ns = strtol(argv[3], NULL, 10) * INT64_C(1000000);
	path = (struct path){.sender = open_node(argv[5]), .receiver = open_node(argv[6])};
	from = wait_for_traffic(&path);
	began = from.ns;
	waited = read_waited(argv[4]);
	for (long i = 1; i <= slices; i++, from = to) {
		sleep_until(began + i * slice_ns);
		to = look(&path);
		say_slice(argv[1], &from, &to);
	}
	if (waited >= 0)
		printf("fact\t%s_processor_share\t%.4f\n", argv[1],
		       1 - (double)(read_waited(argv[4]) - waited) / (from.ns - began));
	return 0;
}
