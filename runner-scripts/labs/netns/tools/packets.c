/*
 * Offer frames through a packet socket, past the queueing layer: what a user without BPF may do in a namespace of theirs.
 *
 *   packets INTERFACE FROM TO FRAME_SIZE FLOWS MILLISECONDS [RATE TO_MAC FROM_MAC]
 *
 * FRAME_SIZE may be a mix: `7x64,4x594,1x1518` are seven frames of 64 octets, four of 594, one of 1518, and so again (a
 * genome of RFC 6985).
 */
#include "paced.h"

#define MOST_SIZES 16
#define MOST_FRAMES 1024 /* of a mix, before it begins again */

struct mix {
	struct frame made[MOST_SIZES]; /* a frame of each size */
	unsigned int length;
	uint8_t order[MOST_FRAMES]; /* which of them comes next */
};

/* A frame size alone is a mix of one frame. */
static void read_mix(struct mix *mix, char **argv)
{
	unsigned int sizes = 0, weight, octets;
	char *written = strdup(argv[4]), *rest = NULL;

	for (char *part = strtok_r(written, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
		if (sscanf(part, "%ux%u", &weight, &octets) != 2) {
			weight = 1;
			octets = strtoul(part, NULL, 10);
		}
		if (sizes == MOST_SIZES || weight > MOST_FRAMES - mix->length)
			errx(2, "'%s' is a mix of more than %d sizes or %d frames", argv[4], MOST_SIZES, MOST_FRAMES);
		mix->made[sizes] = make_frame(argv[2], argv[3], octets, strtoul(argv[5], NULL, 10));
		memset(mix->order + mix->length, sizes++, weight);
		mix->length += weight;
	}
	free(written);
}

/* What of a frame its size decides; where it goes to is the task's, and stays. */
static void set_sizes(struct batch *batch, struct frame *frames, const struct mix *mix, uint64_t first)
{
	for (unsigned int i = 0; i < BATCH; i++) {
		const struct frame *made = &mix->made[mix->order[(first + i) % mix->length]];

		memcpy(frames[i].octets + ETH_HLEN, made->octets + ETH_HLEN, made->header - ETH_HLEN);
		batch->parts[i].iov_len = made->size;
	}
}

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
	static struct mix mix;
	uint64_t sent = 0;

	read_mix(&mix, argv);
	make_batch(&batch, &task, frames);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (!over) {
		if (task.rate)
			wait_until_due(&begin, sent, task.rate);
		if (mix.length > 1)
			set_sizes(&batch, frames, &mix, sent);
		set_ports(frames, sent);
		sent += send_batch(&batch, batch.size);
	}
	say_sent(sent);
	return 0;
}
