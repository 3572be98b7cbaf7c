/*
 * The little of bpf(2) that this lab needs, by raw system calls: a host needs neither clang nor libbpf for it.
 */
#include <err.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A program that is being written, instruction by instruction. */
struct program {
	struct bpf_insn at[64];
	unsigned int length;
};

static int bpf(enum bpf_cmd command, union bpf_attr *attributes)
{
	return syscall(__NR_bpf, command, attributes, sizeof(*attributes));
}

/* Returns where the instruction stands. */
static unsigned int put(struct program *program, uint8_t code, uint8_t to, uint8_t from, int16_t offset, int32_t value)
{
	struct bpf_insn instruction = {.code = code, .dst_reg = to, .src_reg = from, .off = offset, .imm = value};

	program->at[program->length] = instruction;
	return program->length++;
}

static void put_return(struct program *program, enum xdp_action action)
{
	put(program, BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, action);
	put(program, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static int load_xdp(const struct program *program)
{
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_XDP,
		.insns = (uintptr_t)program->at,
		.insn_cnt = program->length,
		.license = (uintptr_t) "BSD",
	};
	int loaded = bpf(BPF_PROG_LOAD, &attributes);

	if (loaded < 0)
		err(3, "the kernel does not load a BPF program");
	return loaded;
}
