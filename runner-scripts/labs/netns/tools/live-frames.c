/*
 * Offer frames without a socket: the kernel runs an XDP program over pages of its own and sends what it makes of them.
 *
 *   live-frames INTERFACE FROM TO FRAME_SIZE FLOWS MILLISECONDS [0 TO_MAC FROM_MAC]
 *
 * BPF_PROG_TEST_RUN with BPF_F_TEST_XDP_LIVE_FRAMES (Linux 5.18): "received" on the interface, answered with XDP_TX, a
 * frame leaves by it and reaches the peer of a veth pair in batches, as from a network card's ring. What the peer does
 * with a batch is done, on this processor, before the next one is made: nothing is lost between the two.
 *
 * Pages come back with what the DUT made of them, so the program writes the whole header every time.
 */
#include <errno.h>
#include <stddef.h>

#include "bpf.h"
#include "sender.h"

#define BATCH 64 /* frames; as many as one NAPI poll takes */

/* One counter, for frames that were made. */
static int make_counter(void)
{
	union bpf_attr attributes = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(uint64_t),
		.max_entries = 1,
	};
	int counter = bpf(BPF_MAP_CREATE, &attributes);

	if (counter < 0)
		err(3, "the kernel makes no BPF map");
	return counter;
}

static uint64_t read_counter(int counter)
{
	uint32_t key = 0;
	uint64_t value = 0;
	union bpf_attr attributes = {.map_fd = counter, .key = (uintptr_t)&key, .value = (uintptr_t)&value};

	if (bpf(BPF_MAP_LOOKUP_ELEM, &attributes) < 0)
		err(3, "the BPF map cannot be read");
	return value;
}

/* Registers: 6 the frame, 1 the counter, 2 its value and then the port. */
static void put_header(struct program *program, const struct frame *frame)
{
	unsigned int at;
	int32_t word = 0;

	for (at = 0; at + 4 <= frame->header; at += 4) {
		memcpy(&word, frame->octets + at, 4);
		put(program, BPF_ST | BPF_MEM | BPF_W, BPF_REG_6, 0, at, word);
	}
	word = 0; /* headers leave two octets: 14 + 20 + 8, 14 + 40 + 8 */
	memcpy(&word, frame->octets + at, 2);
	put(program, BPF_ST | BPF_MEM | BPF_H, BPF_REG_6, 0, at, word);
}

static void put_count(struct program *program, int counter)
{
	put(program, BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_VALUE, 0, counter);
	put(program, 0, 0, 0, 0, 0);
	put(program, BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_2, BPF_REG_1, 0, 0);
	put(program, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_3, BPF_REG_2, 0, 0);
	put(program, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_3, 0, 0, 1);
	put(program, BPF_STX | BPF_MEM | BPF_DW, BPF_REG_1, BPF_REG_3, 0, 0);
}

static void put_port(struct program *program, const struct frame *frame)
{
	put(program, BPF_ALU64 | BPF_MOD | BPF_K, BPF_REG_2, 0, 0, frame->flows);
	put(program, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, FIRST_PORT);
	put(program, BPF_ALU | BPF_END | BPF_TO_BE, BPF_REG_2, 0, 0, 16);
	put(program, BPF_STX | BPF_MEM | BPF_H, BPF_REG_6, BPF_REG_2, frame->port, 0);
}

static struct program frame_program(const struct frame *frame, int counter)
{
	struct program program = {.length = 0};
	unsigned int jump;

	put(&program, BPF_LDX | BPF_MEM | BPF_W, BPF_REG_6, BPF_REG_1, offsetof(struct xdp_md, data), 0);
	put(&program, BPF_LDX | BPF_MEM | BPF_W, BPF_REG_7, BPF_REG_1, offsetof(struct xdp_md, data_end), 0);
	put(&program, BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_8, BPF_REG_6, 0, 0);
	put(&program, BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_8, 0, 0, frame->header);
	jump = put(&program, BPF_JMP | BPF_JGT | BPF_X, BPF_REG_8, BPF_REG_7, 0, 0);
	put_header(&program, frame);
	put_count(&program, counter);
	put_port(&program, frame);
	put_return(&program, XDP_TX);
	program.at[jump].off = program.length - jump - 1; /* the kernel asks for this way out; no frame takes it */
	put_return(&program, XDP_ABORTED);
	return program;
}

int main(int argc, char **argv)
{
	const struct task task = read_task(argc, argv);
	int counter = make_counter();
	const struct program program = frame_program(&task.frame, counter);
	struct xdp_md context = {.data_end = task.frame.size, .ingress_ifindex = task.interface};
	union bpf_attr run = {
		.test.prog_fd = load_xdp(&program),
		.test.data_in = (uintptr_t)task.frame.octets,
		.test.data_size_in = task.frame.size,
		.test.ctx_in = (uintptr_t)&context,
		.test.ctx_size_in = sizeof(context),
		.test.flags = BPF_F_TEST_XDP_LIVE_FRAMES,
		.test.batch_size = BATCH,
		.test.repeat = INT32_MAX, /* one call for all: to begin and end one takes 10 ms */
	};

	while (!over)
		if (bpf(BPF_PROG_TEST_RUN, &run) < 0 && errno != EINTR)
			err(3, "the kernel sends no live frames, as Linux 5.18 and later do");
	say_sent(read_counter(counter));
	return 0;
}
