// Draws the tree that the page's data file left in `fwdlabFlame`, coloured and told as `fwdlabPaint` says, and ties it
// to the page's search box, buttons and keys.
"use strict";

(function () {
  const place = document.getElementById("flame");
  const form = document.getElementById("flame-form");
  const search = document.getElementById("flame-search");
  const widths = document.getElementById("flame-widths");
  const details = document.getElementById("flame-details");
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const paint = window.fwdlabPaint;
  let cursor = null; // the box the keys have reached
  let everything = null; // the box that all stand on

  const chart = flamegraph
    .default()
    .width(place.clientWidth)
    .cellHeight(19)
    .minFrameSize(1)
    .sort(true)
    .resetHeightOnZoom(true)
    .transitionDuration(still ? 0 : 250)
    .getValue((box) => (box.data ? box.value : paint.width(box)))
    .setDetailsElement(details)
    .setDetailsHandler((text) => {
      if (text) details.textContent = text;
    })
    .setLabelHandler((box) => paint.told(box.data))
    .setColorMapper((box) => (box.highlight ? paint.highlight : paint.colour(box.data)));

  // What follows is done here and not by the library, which walks by recursion: stacks may be deeper than a browser's.
  function zoomTo(box) {
    box.each(({ data }) => {
      data.hide = data.fade = false;
    });
    for (let one = box; one.parent; one = one.parent) {
      one.parent.data.fade = true;
      for (const beside of one.parent.children) beside.data.hide = beside !== one;
    }
    chart.update();
  }

  // Boxes that stand on another one found are none of the outermost, so that nothing is counted twice.
  function find(term) {
    const outermost = [];
    const within = new Set();
    everything.each((box) => {
      box.highlight = term !== "" && box.data.n.toLowerCase().includes(term.toLowerCase());
      if (box.highlight && !within.has(box.parent)) outermost.push(box.data);
      if (box.highlight || within.has(box.parent)) within.add(box);
    });
    details.textContent = outermost.length ? paint.found(outermost, term) : "no function fits";
    chart.update();
  }

  function clear() {
    everything.each((box) => {
      box.highlight = false;
    });
    details.textContent = search.value = "";
    chart.update();
  }

  function legend() {
    for (const { label, colour, hatched } of paint.legend()) {
      const item = document.createElement("li");
      const box = document.createElement("span");
      box.style.background = hatched ? `repeating-linear-gradient(135deg, ${colour} 0 3px, #fff 3px 5px)` : colour;
      item.append(box, label);
      document.getElementById("flame-legend").append(item);
    }
  }

  function frames() {
    return d3.select(place).selectAll("g.frame");
  }

  // The box that the key leads to among those drawn, or none.
  function neighbour(key) {
    const drawn = new Set(frames().data());
    if (!drawn.has(cursor)) return [...drawn].find((box) => !box.parent);
    const above = (cursor.children || []).filter((box) => drawn.has(box));
    const beside = cursor.parent ? cursor.parent.children.filter((box) => drawn.has(box)) : [cursor];
    beside.sort((one, other) => one.x0 - other.x0);
    return {
      ArrowUp: above.sort((one, other) => other.value - one.value)[0],
      ArrowDown: cursor.parent,
      ArrowLeft: beside[beside.indexOf(cursor) - 1],
      ArrowRight: beside[beside.indexOf(cursor) + 1],
    }[key];
  }

  function moveTo(box) {
    cursor = box;
    frames().attr("data-cursor", (one) => (one === box ? "" : null));
    details.textContent = paint.told(box.data);
  }

  place.addEventListener("keydown", (event) => {
    if (event.key.startsWith("Arrow")) {
      const next = neighbour(event.key);
      if (next) moveTo(next);
    } else if (event.key === "Enter" && cursor) zoomTo(cursor);
    else if (event.key === "Escape") zoomTo(everything);
    else return;
    event.preventDefault();
  });
  place.addEventListener(
    "click",
    (event) => {
      const frame = event.target.closest("g.frame");
      if (!frame) return;
      event.stopPropagation(); // before the library hears of it
      zoomTo(d3.select(frame).datum());
    },
    { capture: true },
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find(search.value.trim());
  });
  document.getElementById("flame-clear").addEventListener("click", clear);
  document.getElementById("flame-reset").addEventListener("click", () => zoomTo(everything));
  if (widths) {
    widths.addEventListener("change", (event) => {
      paint.take(event.target.value);
      chart.update();
    });
    widths.hidden = false;
  }
  window.addEventListener("resize", () => {
    chart.width(place.clientWidth);
    chart.update();
  });

  legend();
  form.hidden = false;
  place.tabIndex = 0;
  place.setAttribute("role", "application");
  d3.select(place).datum(window.fwdlabFlame).call(chart);
  everything = d3.select(place).datum();
  document.getElementById("flame-without").remove();
})();
