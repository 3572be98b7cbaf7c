/*
 * Take every connection out of this namespace's state table, as `conntrack -F` does (RFC 9693, section 4.4).
 *
 *   forget
 */
#include <err.h>
#include <errno.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_conntrack.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

struct request {
	struct nlmsghdr header;
	struct nfgenmsg family; /* AF_UNSPEC: connections of every one */
};

struct reply {
	struct nlmsghdr header;
	struct nlmsgerr error;
};

int main(void)
{
	struct request request = {
	    .header = {.nlmsg_len = sizeof(request),
		       .nlmsg_type = NFNL_SUBSYS_CTNETLINK << 8 | IPCTNL_MSG_CT_DELETE,
		       .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
	    .family = {.version = NFNETLINK_V0},
	};
	struct {
		struct reply reply;
		char rest[512];
	} got;
	int kernel = socket(AF_NETLINK, SOCK_RAW, NETLINK_NETFILTER);

	if (kernel < 0 || send(kernel, &request, sizeof(request), 0) < 0)
		err(3, "the state table cannot be asked");
	if (recv(kernel, &got, sizeof(got), 0) < (ssize_t)sizeof(got.reply))
		err(3, "the state table does not answer");
	errno = -got.reply.error.error;
	if (errno)
		err(3, "the state table was not emptied");
	return 0;
}
