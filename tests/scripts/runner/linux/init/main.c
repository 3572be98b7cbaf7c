#include "kernel.h"

const char version[] = "Linux " BUILT_BY;

void start(void)
{
	struct packet packet = { .ttl = 64, .length = FRAME };

	for (;;) {
		heap(forward(&packet));
#ifdef CONFIG_NET_EXTRA
		extra();
#endif
	}
}
