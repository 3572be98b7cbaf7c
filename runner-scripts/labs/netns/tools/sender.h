/*
 * What the senders share: their words, and an end that comes by itself, so that none outlives a lab that was killed.
 */
#include <err.h>
#include <inttypes.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

#include "frame.h"

static volatile sig_atomic_t over;

static void end(int signal)
{
	(void)signal;
	over = 1;
}

/* A system call that is under way ends with EINTR: no SA_RESTART. */
static void end_after(const char *milliseconds)
{
	const struct sigaction action = {.sa_handler = end};
	unsigned long ms = strtoul(milliseconds, NULL, 10);
	const struct itimerval timer = {.it_value = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000}};

	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

struct task {
	unsigned int interface; /* its index */
	unsigned long rate;	/* frames a second; 0 for the most there is */
	struct frame frame;
};

static int read_mac(const char *text, uint8_t *octets)
{
	return sscanf(text, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx", octets, octets + 1, octets + 2, octets + 3, octets + 4,
		      octets + 5) == ETH_ALEN;
}

/*
 * The words of a sender: INTERFACE FROM TO FRAME_SIZE FLOWS MILLISECONDS [RATE TO_MAC FROM_MAC]; FROM and TO are
 * addresses of one family.
 */
static struct task read_task(int argc, char **argv)
{
	struct task task;

	if (argc != 7 && argc != 10)
		errx(2, "expected INTERFACE FROM TO FRAME_SIZE FLOWS MILLISECONDS [RATE TO_MAC FROM_MAC], got %d words",
		     argc - 1);
	task.interface = if_nametoindex(argv[1]);
	if (!task.interface)
		err(3, "%s", argv[1]);
	task.frame = make_frame(argv[2], argv[3], strtoul(argv[4], NULL, 10), strtoul(argv[5], NULL, 10));
	if (!task.frame.size)
		errx(2, "'%s' and '%s' are no addresses of one family", argv[2], argv[3]);
	task.rate = argc == 10 ? strtoul(argv[7], NULL, 10) : 0;
	if (argc == 10 &&
	    (!read_mac(argv[8], task.frame.octets) || !read_mac(argv[9], task.frame.octets + ETH_ALEN)))
		errx(2, "'%s' and '%s' are no Ethernet addresses", argv[8], argv[9]);
	end_after(argv[6]);
	return task;
}

/* The last line of a sender: how many frames it offered. */
static inline void say_sent(uint64_t frames)
{
	printf("%" PRIu64 "\n", frames);
}
