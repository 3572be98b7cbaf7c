// Draws the tree that the page's data file left in `fwdlabFlame`, and ties it to the page's search box and buttons.
"use strict";

(function () {
  // One colour a kind of work, for ever; a function belongs to the first kind whose pattern its name fits.
  const kinds = [
    { label: "idle", colour: "#c9ced4", pattern: /(^|_)idle|safe_halt|^mwait/ },
    { label: "firewall", colour: "#e2a9cb", pattern: /^_*(nft|nf|ipt|ip6t|xt|pf|ipfw|ipf)_/ },
    { label: "IP and routing", colour: "#8fc1e3", pattern: /^_*(ip|ipv6|ip6|fib|fib6|inet|rt|udp|arp|neigh)_/ },
    { label: "device and queue", colour: "#f2b183", pattern: /^_*(netif|dev|veth|napi|net_rx|net_tx|process_backlog|eth|qdisc|sch)/ },
    { label: "traffic generator", colour: "#a8d5a2", pattern: /pktgen|^fill_packet|^mod_cur_headers/ },
    { label: "memory and buffers", colour: "#efd88f", pattern: /alloc_skb|^_*(skb|kmem|kmalloc|kfree|alloc|slab|page|mem|build_skb|consume_skb|sk_skb)/ },
  ];
  const other = { label: "other", colour: "#e6ddd0" };
  const found = "#d6249f";

  const place = document.getElementById("flame");
  const form = document.getElementById("flame-form");
  const search = document.getElementById("flame-search");
  const details = document.getElementById("flame-details");
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const tree = window.fwdlabFlame;

  function kindOf(name) {
    return kinds.find((kind) => kind.pattern.test(name)) || other;
  }

  function share(value) {
    return ((100 * value) / tree.v).toFixed(2) + " %";
  }

  function matches(node, term) {
    return term !== "" && node.data.n.toLowerCase().includes(term.toLowerCase());
  }

  const chart = flamegraph
    .default()
    .width(place.clientWidth)
    .cellHeight(19)
    .minFrameSize(1)
    .sort(true)
    .transitionDuration(still ? 0 : 250)
    .setDetailsElement(details)
    .setSearchMatch(matches)
    .setSearchHandler((nodes, sum) => {
      details.textContent = nodes.length ? share(sum) + " of all samples in " + search.value : "no function fits";
    })
    .setDetailsHandler((text) => {
      if (text) details.textContent = text;
    })
    .setLabelHandler((node) => node.data.n + ": " + share(node.data.v) + " of all samples")
    .setColorMapper((node) => (node.highlight ? found : kindOf(node.data.n).colour));

  function legend() {
    const used = new Set();
    d3.hierarchy(tree, (node) => node.c).each((node) => node.depth && used.add(kindOf(node.data.n)));
    for (const kind of [...kinds, other].filter((one) => used.has(one))) {
      const item = document.createElement("li");
      const box = document.createElement("span");
      box.style.background = kind.colour;
      item.append(box, kind.label);
      document.getElementById("flame-legend").append(item);
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    chart.search(search.value.trim());
  });
  document.getElementById("flame-clear").addEventListener("click", () => {
    search.value = "";
    chart.clear();
    details.textContent = "";
  });
  document.getElementById("flame-reset").addEventListener("click", () => chart.resetZoom());
  window.addEventListener("resize", () => {
    chart.width(place.clientWidth);
    chart.update();
  });

  legend();
  form.hidden = false;
  d3.select(place).datum(tree).call(chart);
  document.getElementById("flame-without").remove();
})();
