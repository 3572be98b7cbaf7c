/*
 * Make connections, or answer them: one frame each, in a scattered order in which none comes twice (RFC 9693, sections
 * 4.2 and 4.6). It ends when all are sent, and says how many and in how many microseconds.
 *
 *   connections INTERFACE FROM TO FRAME_SIZE COUNT MILLISECONDS RATE TO_MAC FROM_MAC make|answer FIRST
 *
 * RATE is frames a second, 0 for the most there is. A connection is told by its client, an address and a port: the
 * addresses begin with FROM, or where answers go with TO. Connections FIRST, FIRST + 1, ... are taken.
 */
#include "paced.h"

#define ADDRESSES 251
#define PORTS 40000
#define SPACE (ADDRESSES * PORTS)
#define HALF_BITS 12 /* two halves number no fewer than SPACE */
#define HALF ((1u << HALF_BITS) - 1)

struct clients {
	unsigned int port;    /* where the client's port stands in a frame */
	unsigned int address; /* and the last octets of its address */
	unsigned int first;   /* the last octets of the first address */
	int six;
};

/* A place of its own for each number below SPACE: four rounds of Feistel, again where they lead out of it. */
static uint32_t scattered(uint32_t number)
{
	do {
		uint32_t left = number >> HALF_BITS, right = number & HALF;

		for (uint32_t round = 1; round <= 4; round++) {
			uint32_t mixed = left ^ (((right + round) * 0x9e3779b1u >> 15) & HALF);

			left = right;
			right = mixed;
		}
		number = left << HALF_BITS | right;
	} while (number >= SPACE);
	return number;
}

static struct clients find_clients(const struct frame *frame, int answer)
{
	struct clients clients = {.six = frame->port > ETH_HLEN + sizeof(struct iphdr)};
	uint16_t last;

	clients.port = frame->port + (answer ? offsetof(struct udphdr, dest) : offsetof(struct udphdr, source));
	if (clients.six)
		clients.address = ETH_HLEN + (answer ? offsetof(struct ipv6hdr, daddr) : offsetof(struct ipv6hdr, saddr)) + 14;
	else
		clients.address = ETH_HLEN + (answer ? offsetof(struct iphdr, daddr) : offsetof(struct iphdr, saddr)) + 2;
	memcpy(&last, frame->octets + clients.address, sizeof(last));
	clients.first = ntohs(last);
	return clients;
}

static void put_word(uint8_t *at, unsigned int value)
{
	uint16_t word = htons(value);

	memcpy(at, &word, sizeof(word));
}

static void set_client(struct frame *frame, const struct clients *clients, uint32_t number)
{
	uint32_t place = scattered(number);
	struct iphdr ip;

	put_word(frame->octets + clients->port, FIRST_PORT + place % PORTS);
	put_word(frame->octets + clients->address, clients->first + place / PORTS);
	if (clients->six)
		return;
	memcpy(&ip, frame->octets + ETH_HLEN, sizeof(ip));
	ip.check = 0;
	ip.check = ip_checksum(&ip);
	memcpy(frame->octets + ETH_HLEN, &ip, sizeof(ip));
}

/* An answer comes from the port that connections go to. */
static void turn_ports(struct frame *frame)
{
	put_word(frame->octets + frame->port + offsetof(struct udphdr, source), DISCARD_PORT);
}

int main(int argc, char **argv)
{
	const struct task task = read_task(argc - 2, argv);
	const int answer = argc > 10 && !strcmp(argv[10], "answer");
	const uint32_t first = argc > 11 ? strtoul(argv[11], NULL, 10) : 0, count = task.frame.flows;
	const struct clients clients = find_clients(&task.frame, answer);
	static struct frame frames[BATCH];
	static struct batch batch;
	struct timespec begin, end;
	uint32_t sent = 0;

	if ((uint64_t)first + count > SPACE)
		errx(2, "%u connections from number %u on are more than the %u there are", count, first, SPACE);
	make_batch(&batch, &task, frames);
	for (unsigned int i = 0; answer && i < BATCH; i++)
		turn_ports(&frames[i]);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	while (!over && sent < count) {
		unsigned int frames_now = count - sent < batch.size ? count - sent : batch.size;

		for (unsigned int i = 0; i < frames_now; i++)
			set_client(&frames[i], &clients, first + sent + i);
		if (task.rate)
			wait_until_due(&begin, sent, task.rate);
		sent += send_batch(&batch, frames_now);
	}
	if (task.rate)
		wait_until_due(&begin, sent, task.rate);
	clock_gettime(CLOCK_MONOTONIC, &end);
	printf("%u %" PRIu64 "\n", sent,
	       (uint64_t)((end.tv_sec - begin.tv_sec) * 1000000 + (end.tv_nsec - begin.tv_nsec) / 1000));
	return sent < count;
}
