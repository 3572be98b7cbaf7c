// How a differential flame graph is painted: colours by change, widths by what a box costs on the side that is chosen.
// A box weighs `b` in base and `v` in new; `k` is the shade of its change, from -3 to 3, and 0 is within sampling noise.
"use strict";

window.fwdlabPaint = (function () {
  const { base, new: fresh, unit, decimals, colours, legend, noise } = window.fwdlabDifference;
  const tree = window.fwdlabFlame;
  const sign = new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals, signDisplay: "exceptZero", useGrouping: false });
  let side = "new";

  const before = (box) => (base.cost * box.b) / base.weight;
  const after = (box) => (fresh.cost * box.v) / fresh.weight;

  // What a side lacks keeps the other side's width and is hatched, so that nothing vanishes from the graph.
  d3.hierarchy(tree, (box) => box.c).eachAfter(({ data: box }) => {
    const on = (key) => d3.sum(box.c, (one) => one.widths[key]);
    const own = (cost) => cost(box) - d3.sum(box.c, cost);
    box.widths = {
      base: box.b ? Math.max(0, own(before)) + on("base") : after(box),
      new: box.v ? Math.max(0, own(after)) + on("new") : before(box),
    };
  });

  const hatched = (box) => !(side === "new" ? box.v : box.b);
  const cost = (value) => value.toFixed(decimals);
  const signed = (value) => sign.format(value).replace("-", "−");

  function change(from, to) {
    const whole = `${cost(from)} → ${cost(to)}`;
    return from && to ? `${whole} (${signed(to - from)}, ${percent(to / from - 1)})` : `${whole} (${signed(to - from)})`;
  }

  function percent(share) {
    return `${share < 0 ? "−" : "+"}${Math.abs(100 * share).toFixed(1)} %`;
  }

  function samples(box) {
    const of = (one, weight) => Math.round((one.samples * weight) / one.weight);
    return `${of(base, box.b)} → ${of(fresh, box.v)} samples`;
  }

  function told(box) {
    const own = [before, after].map((value) => Math.max(0, value(box) - d3.sum(box.c, value)));
    const parts = [`${box.n}: ${change(before(box), after(box))} ${unit}`, `itself ${own.map(cost).join(" → ")}`, samples(box)];
    return [...parts, ...(box.k ? [] : [noise])].join("; ");
  }

  function hatches() {
    const shapes = Object.entries(colours).map(
      ([shade, colour]) =>
        `<pattern id="hatch${shade}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
        `<rect width="6" height="6" style="fill:${colour};stroke:none"/><rect width="2" height="6" style="fill:#fff;stroke:none"/></pattern>`,
    );
    document.body.insertAdjacentHTML("beforeend", `<svg width="0" height="0" class="hatches" aria-hidden="true">${shapes.join("")}</svg>`);
  }

  hatches();
  return {
    highlight: "#ffe14d",
    width: (box) => box.widths[side],
    colour: (box) => (hatched(box) ? `url(#hatch${box.k})` : colours[box.k]),
    told,
    found: (boxes, term) => `${change(d3.sum(boxes, before), d3.sum(boxes, after))} ${unit} in ${term}`,
    legend: () => legend,
    take(chosen) {
      side = chosen;
    },
  };
})();
