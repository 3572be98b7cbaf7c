/*
 * Offer frames through a packet socket, past the queueing layer: what a user without BPF may do in a namespace of theirs.
 *
 *   packets INTERFACE FROM TO FRAME_SIZE FLOWS MILLISECONDS [RATE TO_MAC FROM_MAC]
 */
#include "paced.h"

static void set_ports(struct frame *frames, uint64_t first)
{
	for (unsigned int i = 0; i < BATCH; i++) {
		uint16_t port = htons(FIRST_PORT + (first + i) % frames[i].flows);

		memcpy(frames[i].octets + frames[i].port, &port, sizeof(port));
	}
}

int main(int argc, char **argv)
{
	const struct task task = read_task(argc, argv);
	struct timespec begin;
	static struct frame frames[BATCH];
	static struct batch batch;
	uint64_t sent = 0;

	make_batch(&batch, &task, frames);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (!over) {
		if (task.rate)
			wait_until_due(&begin, sent, task.rate);
		set_ports(frames, sent);
		sent += send_batch(&batch, batch.size);
	}
	say_sent(sent);
	return 0;
}
