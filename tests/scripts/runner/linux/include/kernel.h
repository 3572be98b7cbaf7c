/* What the parts know of each other. */
#define FRAME 64

struct packet {
	unsigned int ttl;
	unsigned int length;
};

extern int forwarded;
int forward(struct packet *packet);
int heap(int size);
int extra(void);
