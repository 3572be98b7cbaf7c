/*
 * Drop every frame that an interface receives, as early as the kernel lets one, for as long as this program runs.
 *
 *   xdp-drop INTERFACE        says "ready" once it does; the driver counts what is dropped (ethtool -S)
 */
#include <errno.h>
#include <linux/if_link.h>
#include <net/if.h>
#include <stdio.h>

#include "bpf.h"

int main(int argc, char **argv)
{
	struct program program = {.length = 0};
	union bpf_attr link = {.link_create.attach_type = BPF_XDP, .link_create.flags = XDP_FLAGS_DRV_MODE};

	if (argc != 2)
		errx(2, "expected INTERFACE, got %d words", argc - 1);
	put_return(&program, XDP_DROP);
	link.link_create.prog_fd = load_xdp(&program);
	link.link_create.target_ifindex = if_nametoindex(argv[1]);
	if (bpf(BPF_LINK_CREATE, &link) < 0)
		err(3, "%s takes no XDP program", argv[1]);
	puts("ready");
	fflush(stdout);
	pause(); /* the link ends with the process */
	return 0;
}
