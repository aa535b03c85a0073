// The list of results: grouped by note, walked with the keyboard, animated when the order changes.

import { age, h, replace } from "./dom.js";
import { bar, chips, most, sum } from "./explain.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Results {
  constructor(open) {
    this.open = open;
    this.list = h("ol", { class: "results", "aria-label": "Results" });
    this.opened = new Set();
    this.rows = new Map();
  }

  /** `before`: ranks by note, to show how far each moved. */
  show(answer, before = null) {
    const places = new Map([...this.rows].map(([id, row]) => [id, row.getBoundingClientRect().top]));
    const whole = most(answer.results);
    this.rows = new Map(answer.results.map((one) => [one.note_id, this.row(one, whole, before)]));
    const focused = document.activeElement?.closest?.("li[data-note]")?.dataset.note;
    replace(this.list, [...this.rows.values()]);
    this.animate(places);
    if (focused && this.rows.has(focused)) this.focus(this.rows.get(focused));
  }

  row(result, whole, before) {
    const name = result.title || result.path || result.note_id;
    const trail = [result.path, ...result.heading.filter((part) => part !== name)].filter(Boolean).join(" › ");
    const why = h("details", { class: "why", open: this.opened.has(result.note_id) },
      h("summary", {}, `Why ${result.score.toFixed(4)}`), sum(result));
    why.addEventListener("toggle", () => this.opened[why.open ? "add" : "delete"](result.note_id));
    return h("li", { "data-note": result.note_id },
      h("div", { class: "rank" }, h("b", {}, String(result.rank)), moved(result, before)),
      h("div", { class: "body" },
        h("h3", {}, h("a", { href: `#/note/${encodeURIComponent(result.note_id)}` }, name)),
        h("p", { class: "where" }, trail && h("span", { class: "trail" }, trail),
          h("time", { datetime: result.modified_at }, age(result.modified_at)),
          result.session && h("span", { class: "tag" }, `session ${result.session}`),
          ...result.tags.map((tag) => h("span", { class: "tag" }, `#${tag}`))),
        h("p", { class: "snippet" }, ...marked(result.snippet, result.highlights)),
        bar(result, whole), chips(result), why));
  }

  animate(places) {
    if (still.matches) return;
    for (const [id, row] of this.rows) {
      const was = places.get(id);
      const distance = was === undefined ? 0 : was - row.getBoundingClientRect().top;
      if (distance) row.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], { duration: 280, easing: "ease-out" });
      else if (was === undefined && places.size) row.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 220 });
    }
  }

  focus(row) {
    row.querySelector("h3 a").focus({ preventScroll: false });
  }

  step(by) {
    const rows = [...this.rows.values()];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : -1) : at + by;
    if (next < 0) document.getElementById("q").focus();
    else if (rows[next]) this.focus(rows[next]);
  }

  explain() {
    const row = document.activeElement?.closest?.("li[data-note]");
    const why = row?.querySelector("details.why");
    if (why) why.open = !why.open;
  }
}

function moved(result, before) {
  if (!before) return null;
  const was = before.get(result.note_id);
  if (was === undefined) return h("span", { class: "moved new" }, "new");
  if (was === result.rank) return null;
  const up = was > result.rank;
  return h("span", { class: `moved ${up ? "up" : "down"}`, "aria-label": `${up ? "up" : "down"} ${Math.abs(was - result.rank)}` },
    `${up ? "▲" : "▼"}${Math.abs(was - result.rank)}`);
}

function marked(text, highlights) {
  // the server counts characters, JavaScript counts halves of some of them
  const characters = [...text];
  const parts = [];
  let at = 0;
  for (const [begin, end] of highlights) {
    parts.push(characters.slice(at, begin).join(""), h("mark", {}, characters.slice(begin, end).join("")));
    at = end;
  }
  return [...parts, characters.slice(at).join("")];
}
