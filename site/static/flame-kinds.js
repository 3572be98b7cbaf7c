// How a flame graph is painted: one colour a kind of work, widths by samples.
"use strict";

window.fwdlabPaint = (function () {
  // For ever; a function belongs to the first kind whose pattern its name fits.
  const kinds = [
    { label: "idle", colour: "#c9ced4", pattern: /(^|_)idle|safe_halt|^mwait/ },
    { label: "firewall", colour: "#e2a9cb", pattern: /^_*(nft|nf|ipt|ip6t|xt|pf|ipfw|ipf)_/ },
    { label: "IP and routing", colour: "#8fc1e3", pattern: /^_*(ip|ipv6|ip6|fib|fib6|inet|rt|udp|arp|neigh)_/ },
    { label: "device and queue", colour: "#f2b183", pattern: /^_*(netif|dev|veth|napi|net_rx|net_tx|process_backlog|eth|qdisc|sch)/ },
    { label: "traffic generator", colour: "#a8d5a2", pattern: /pktgen|^fill_packet|^mod_cur_headers/ },
    { label: "memory and buffers", colour: "#efd88f", pattern: /alloc_skb|^_*(skb|kmem|kmalloc|kfree|alloc|slab|page|mem|build_skb|consume_skb|sk_skb)/ },
  ];
  const other = { label: "other", colour: "#e6ddd0" };
  const tree = window.fwdlabFlame;

  function kindOf(box) {
    return kinds.find((kind) => kind.pattern.test(box.n)) || other;
  }

  function share(value) {
    return ((100 * value) / tree.v).toFixed(2) + " % of all samples";
  }

  return {
    highlight: "#d6249f",
    width: (box) => box.v,
    colour: (box) => kindOf(box).colour,
    told: (box) => `${box.n}: ${share(box.v)}`,
    found: (boxes, term) => `${share(d3.sum(boxes, (box) => box.v))} in ${term}`,
    legend() {
      const used = new Set();
      d3.hierarchy(tree, (box) => box.c).each((node) => node.depth && used.add(kindOf(node.data)));
      return [...kinds, other].filter((kind) => used.has(kind));
    },
  };
})();
