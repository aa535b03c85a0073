// A note and its neighbours as a small graph: who links here on the left, where it leads on the right.

import { h, svg } from "./dom.js";

const ROW = 34;
const WIDTH = 640;
const SHOWN = 8;

export function graph(told) {
  const left = told.incoming.slice(0, SHOWN);
  const right = told.outgoing.slice(0, SHOWN);
  if (!left.length && !right.length) return h("p", { class: "hint" }, "No links lead here or away from here.");
  const height = Math.max(left.length, right.length, 1) * ROW + 16;
  const middle = height / 2;
  const at = (side, place) => 8 + (height - 16 - side.length * ROW) / 2 + place * ROW + ROW / 2;
  const arrows = [
    ...left.map((_, place) => arrow(206, at(left, place), 252, middle)),
    ...right.map((_, place) => arrow(388, middle, 434, at(right, place))),
  ];
  const nodes = [
    ...left.map((one, place) => node(one, 4, at(left, place), 202)),
    ...right.map((one, place) => node(one, 434, at(right, place), 202)),
    node(told.note, 252, middle, 136, true),
  ];
  const more = told.incoming.length + told.outgoing.length - left.length - right.length;
  return h("figure", { class: "graph" },
    svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, role: "group", "aria-label": "Links to and from this note" }, ...arrows, ...nodes),
    h("figcaption", {}, `${told.incoming.length} link here · ${told.outgoing.length} lead away${more ? ` · ${more} not drawn` : ""}`));
}

function arrow(x1, y1, x2, y2) {
  const bend = (x1 + x2) / 2;
  return svg("path", { class: "arrow", d: `M${x1} ${y1} C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}` });
}

function node(note, x, y, width, own = false) {
  const name = note.title || note.path || note.id;
  const most = Math.floor(width / 8);
  const shown = name.length > most ? `${name.slice(0, most - 1)}…` : name;
  const box = svg("rect", { x, y: y - 12, width, height: 24, rx: 6 });
  const text = svg("text", { x: x + width / 2, y: y + 4, "text-anchor": "middle" }, shown);
  const whole = svg("title", {}, name);
  if (own) return svg("g", { class: "node own" }, whole, box, text);
  return svg("a", { class: "node", href: `#/note/${encodeURIComponent(note.id)}` }, whole, box, text);
}
