/*
 * Frames through a packet socket, past the queueing layer, in batches that leave when they are due.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/if_packet.h>
#include <stddef.h>
#include <sys/socket.h>
#include <time.h>

#include "sender.h"

#define BATCH 64 /* frames a system call, or fewer where a low rate would come in bursts */
#define BATCHES_A_SECOND 1000

struct batch {
	int to; /* the packet socket */
	unsigned int size;
	struct iovec parts[BATCH];
	struct mmsghdr messages[BATCH];
};

static int open_socket(unsigned int interface)
{
	const struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = interface};
	const int yes = 1;
	int opened = socket(AF_PACKET, SOCK_RAW, 0);

	if (opened < 0)
		err(3, "no packet socket can be opened");
	if (setsockopt(opened, SOL_PACKET, PACKET_QDISC_BYPASS, &yes, sizeof(yes)) < 0)
		err(3, "the packet socket does not pass the queueing layer");
	if (bind(opened, (const struct sockaddr *)&address, sizeof(address)) < 0)
		err(3, "the packet socket cannot be bound");
	return opened;
}

/* The task's frame BATCH times in `frames`, to be sent together. */
static void make_batch(struct batch *batch, const struct task *task, struct frame *frames)
{
	batch->to = open_socket(task->interface);
	batch->size = task->rate && task->rate / BATCHES_A_SECOND < BATCH ? task->rate / BATCHES_A_SECOND + 1 : BATCH;
	for (unsigned int i = 0; i < BATCH; i++) {
		frames[i] = task->frame;
		batch->parts[i] = (struct iovec){.iov_base = frames[i].octets, .iov_len = task->frame.size};
		batch->messages[i].msg_hdr = (struct msghdr){.msg_iov = &batch->parts[i], .msg_iovlen = 1};
	}
}

/* Batches leave when they are due since the begin: one that was late is made up for. */
static void wait_until_due(const struct timespec *begin, uint64_t sent, unsigned long rate)
{
	uint64_t ns = begin->tv_nsec + (uint64_t)(sent * 1e9 / rate);
	const struct timespec due = {.tv_sec = begin->tv_sec + ns / 1000000000, .tv_nsec = ns % 1000000000};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
}

/* How many of the first frames of the batch left; one that the other end's full queue lost is among them. */
static unsigned int send_batch(struct batch *batch, unsigned int frames)
{
	int taken = sendmmsg(batch->to, batch->messages, frames, 0);

	if (taken > 0)
		return taken;
	return errno == ENOBUFS ? 1 : 0;
}
