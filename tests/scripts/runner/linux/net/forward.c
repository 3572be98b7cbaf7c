#include "kernel.h"

int forwarded;

static int is_alive(const struct packet *packet)
{
	return packet->ttl > 1;
}

static int fits(const struct packet *packet)
{
	return packet->length <= FRAME;
}

static void decrease(struct packet *packet)
{
	packet->ttl--;
}

/* What becomes of a packet: 1 where it goes on. */
int forward(struct packet *packet)
{
	if (!is_alive(packet))
		return 0;
	if (!fits(packet))
		return 0;
	decrease(packet);
	forwarded++;
	return 1;
}
