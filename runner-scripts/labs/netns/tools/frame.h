/*
 * The frame that every sender of this lab offers: UDP over IPv4 or IPv6, its flow told by the source port. The UDP
 * checksum is left out, so that frames of all flows are the same but for the port.
 */
#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_PORT 10000 /* of the flows; as kernel pktgen has it in the virtual lab */
#define DISCARD_PORT 9

struct frame {
	uint8_t octets[ETH_FRAME_LEN];
	unsigned int size;   /* without FCS */
	unsigned int header; /* Ethernet, IP and UDP: what comes before the payload */
	unsigned int port;   /* where the source port stands */
	unsigned int flows;
};

static uint16_t ip_checksum(const struct iphdr *ip)
{
	const uint16_t *word = (const uint16_t *)ip;
	uint32_t sum = 0;

	for (unsigned int i = 0; i < sizeof(*ip) / 2; i++)
		sum += word[i];
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

static void put_ipv4(uint8_t *at, uint16_t octets, const struct in_addr *from, const struct in_addr *to)
{
	struct iphdr ip = {.version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_UDP};

	ip.tot_len = htons(octets);
	ip.saddr = from->s_addr;
	ip.daddr = to->s_addr;
	ip.check = ip_checksum(&ip);
	memcpy(at, &ip, sizeof(ip));
}

static void put_ipv6(uint8_t *at, uint16_t octets, const struct in6_addr *from, const struct in6_addr *to)
{
	struct ipv6hdr ip = {.version = 6, .hop_limit = 64, .nexthdr = IPPROTO_UDP};

	ip.payload_len = htons(octets - sizeof(ip));
	ip.saddr = *from;
	ip.daddr = *to;
	memcpy(at, &ip, sizeof(ip));
}

/* A frame of that many octets with FCS, or of the fewest its headers need; its size is 0 where an address is none. */
static struct frame make_frame(const char *from, const char *to, unsigned int octets, unsigned int flows)
{
	/* to the DUT, from the sender: see the path's own addresses in lib/path/path.sh */
	const uint8_t ethernet[2 * ETH_ALEN] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
	struct udphdr udp = {.source = htons(FIRST_PORT), .dest = htons(DISCARD_PORT)};
	struct in6_addr from6, to6;
	struct in_addr from4, to4;
	int six = inet_pton(AF_INET6, from, &from6) == 1 && inet_pton(AF_INET6, to, &to6) == 1;
	struct frame frame = {.flows = flows};
	uint16_t type = htons(six ? ETH_P_IPV6 : ETH_P_IP);

	if (!six && (inet_pton(AF_INET, from, &from4) != 1 || inet_pton(AF_INET, to, &to4) != 1))
		return frame;
	frame.port = ETH_HLEN + (six ? sizeof(struct ipv6hdr) : sizeof(struct iphdr));
	frame.header = frame.port + sizeof(udp);
	frame.size = octets > frame.header + ETH_FCS_LEN ? octets - ETH_FCS_LEN : frame.header;
	udp.len = htons(frame.size - frame.port);
	memcpy(frame.octets, ethernet, sizeof(ethernet));
	memcpy(frame.octets + sizeof(ethernet), &type, sizeof(type));
	if (six)
		put_ipv6(frame.octets + ETH_HLEN, frame.size - ETH_HLEN, &from6, &to6);
	else
		put_ipv4(frame.octets + ETH_HLEN, frame.size - ETH_HLEN, &from4, &to4);
	memcpy(frame.octets + frame.port, &udp, sizeof(udp));
	return frame;
}
