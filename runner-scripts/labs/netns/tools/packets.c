/*
 * Offer frames through a packet socket, past the queueing layer: what a user without BPF may do in a namespace of theirs.
 *
 *   packets INTERFACE FROM TO FRAME_SIZE FLOWS MILLISECONDS [RATE TO_MAC FROM_MAC]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/if_packet.h>
#include <sys/socket.h>
#include <time.h>

#include "sender.h"

#define BATCH 64 /* frames a system call, or fewer where a low rate would come in bursts */
#define BATCHES_A_SECOND 1000

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

static void set_ports(struct frame *frames, uint64_t first)
{
	for (unsigned int i = 0; i < BATCH; i++) {
		uint16_t port = htons(FIRST_PORT + (first + i) % frames[i].flows);

		memcpy(frames[i].octets + frames[i].port, &port, sizeof(port));
	}
}

/* Batches leave when they are due since the begin: one that was late is made up for. */
static void wait_until_due(const struct timespec *begin, uint64_t sent, unsigned long rate)
{
	uint64_t ns = begin->tv_nsec + (uint64_t)(sent * 1e9 / rate);
	const struct timespec due = {.tv_sec = begin->tv_sec + ns / 1000000000, .tv_nsec = ns % 1000000000};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
}

int main(int argc, char **argv)
{
	const struct task task = read_task(argc, argv);
	struct timespec begin;
	static struct frame frames[BATCH];
	static struct iovec parts[BATCH];
	static struct mmsghdr messages[BATCH];
	int to = open_socket(task.interface);
	unsigned int batch = task.rate && task.rate / BATCHES_A_SECOND < BATCH ? task.rate / BATCHES_A_SECOND + 1 : BATCH;
	uint64_t sent = 0;

	for (unsigned int i = 0; i < BATCH; i++) {
		frames[i] = task.frame;
		parts[i] = (struct iovec){.iov_base = frames[i].octets, .iov_len = task.frame.size};
		messages[i].msg_hdr = (struct msghdr){.msg_iov = &parts[i], .msg_iovlen = 1};
	}
	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (!over) {
		int taken;

		if (task.rate)
			wait_until_due(&begin, sent, task.rate);
		set_ports(frames, sent);
		taken = sendmmsg(to, messages, batch, 0);
		if (taken > 0)
			sent += taken;
		else if (errno == ENOBUFS)
			sent++; /* lost to the other end's full queue */
	}
	say_sent(sent);
	return 0;
}
