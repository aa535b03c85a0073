// A note and its neighbours as a small graph: who links here before it, where it leads after it.

import { h, many, nameOf, noteAddress, svg } from "./dom.js";

const ROW = 40;
const BOX = 30;
const SHOWN = 8;
const LETTER = 7.4;
const narrowScreen = matchMedia("(max-width: 40rem)");

export function graph(told) {
  const sides = { incoming: told.incoming.slice(0, SHOWN), outgoing: told.outgoing.slice(0, SHOWN) };
  if (!sides.incoming.length && !sides.outgoing.length) return h("p", { class: "hint" }, "No links lead here or away from here.");
  const left = told.incoming.length + told.outgoing.length - sides.incoming.length - sides.outgoing.length;
  const drawn = narrowScreen.matches ? standing(told.note, sides) : lying(told.note, sides);
  return h("figure", { class: "graph" }, drawn,
    h("figcaption", {}, `${many(told.incoming.length, "note links", "notes link")} here, it links to ${told.outgoing.length}${left ? `; ${left} are not drawn` : ""}.`));
}

/** Left to right, where there is room for it. */
function lying(own, { incoming, outgoing }) {
  const height = Math.max(incoming.length, outgoing.length, 1) * ROW + 8;
  const middle = height / 2;
  const at = (side, place) => middle + (place - (side.length - 1) / 2) * ROW;
  return canvas(720, height,
    incoming.flatMap((one, place) => [
      arrow(`M220 ${at(incoming, place)} C240 ${at(incoming, place)} 240 ${middle} 258 ${middle}`),
      node(one, 0, at(incoming, place), 220)]),
    outgoing.flatMap((one, place) => [
      arrow(`M460 ${middle} C480 ${middle} 480 ${at(outgoing, place)} 498 ${at(outgoing, place)}`),
      node(one, 500, at(outgoing, place), 220)]),
    node(own, 260, middle, 200, true));
}

/** Top to bottom, on a phone. */
function standing(own, { incoming, outgoing }) {
  const middle = incoming.length * ROW + BOX / 2 + 12;
  const height = middle + outgoing.length * ROW + BOX / 2 + 20;
  const into = (place) => place * ROW + BOX / 2 + 2;
  const from = (place) => middle + (place + 1) * ROW + 8;
  return canvas(350, height,
    incoming.flatMap((one, place) => [
      arrow(`M30 ${into(place)} H12 V${middle} H28`), node(one, 30, into(place), 290)]),
    outgoing.flatMap((one, place) => [
      arrow(`M320 ${middle} H338 V${from(place)} H322`), node(one, 30, from(place), 290)]),
    node(own, 30, middle, 290, true));
}

function canvas(width, height, ...parts) {
  const head = svg("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" },
    svg("path", { class: "head", d: "M0 0 L8 4 L0 8 z" }));
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Links to and from this note" },
    svg("defs", {}, head), ...parts);
}

const arrow = (path) => svg("path", { class: "arrow", d: path, "marker-end": "url(#head)" });

function node(note, x, y, width, own = false) {
  const name = nameOf(note);
  const most = Math.floor((width - 16) / LETTER);
  const shown = name.length > most ? `${name.slice(0, most - 1)}…` : name;
  const kind = note.kind && note.kind !== "link" ? ` (${note.kind})` : "";
  const inside = [
    svg("title", {}, name + kind),
    svg("rect", { x, y: y - BOX / 2, width, height: BOX, rx: 8 }),
    svg("text", { x: x + width / 2, y: y + 4.5, "text-anchor": "middle" }, shown),
  ];
  return own ? svg("g", { class: "node own" }, ...inside) : svg("a", { class: "node", href: noteAddress(note.id) }, ...inside);
}
