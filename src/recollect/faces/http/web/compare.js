// Two recipes asked the same thing, side by side, with a line from each note's place to its other one.

import * as api from "./api.js";
import { h, later, replace, svg } from "./dom.js";
import { bar, most } from "./explain.js";

export class Comparing {
  constructor(recipes) {
    const ask = later(100, () => this.ask());
    const pick = (id, label, chosen) => h("div", { class: "field" }, h("label", { for: id }, label),
      h("select", { id, onchange: ask }, ...recipes.map((one) => h("option", { value: one.name, selected: one.name === chosen }, one.name))));
    this.left = pick("left", "left", "hybrid");
    this.right = pick("right", "right", "vault");
    this.board = h("div", { class: "board" });
    this.told = h("p", { class: "count", role: "status" });
    this.place = h("div", { class: "compare" }, h("h1", { class: "unseen" }, "Compare recipes"),
      h("div", { class: "filters" }, this.left, this.right), this.told, this.board);
    addEventListener("resize", later(100, () => this.connect()));
  }

  async ask() {
    const query = document.getElementById("q").value.trim();
    history.replaceState(null, "", `#/compare${query ? `?q=${encodeURIComponent(query)}` : ""}`);
    if (!query) {
      replace(this.board);
      this.told.textContent = "Type a question; both recipes answer it.";
      return;
    }
    const chosen = [this.left, this.right].map((one) => one.querySelector("select").value);
    try {
      this.show(await Promise.all(chosen.map((recipe) => api.search({ query, recipe, limit: 10 }))), chosen);
    } catch (error) {
      replace(this.board);
      this.told.textContent = error.message;
    }
  }

  show([left, right], names) {
    const ids = new Set(left.results.map((one) => one.note_id));
    const shared = right.results.filter((one) => ids.has(one.note_id));
    this.told.textContent = `${shared.length} notes in both lists`;
    this.lines = svg("svg", { class: "lines", "aria-hidden": "true" });
    this.columns = [left, right].map((answer, side) => column(answer, side ? left : right, names[side]));
    replace(this.board, this.columns[0], this.lines, this.columns[1]);
    this.connect();
  }

  connect() {
    if (!this.lines?.isConnected) return;
    const frame = this.lines.getBoundingClientRect();
    const middle = (row) => { const box = row.getBoundingClientRect(); return box.top + box.height / 2 - frame.top; };
    this.lines.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    const other = new Map([...this.columns[1].querySelectorAll("li")].map((row) => [row.dataset.note, row]));
    const drawn = [...this.columns[0].querySelectorAll("li")].filter((row) => other.has(row.dataset.note)).map((row) => {
      const [from, to] = [middle(row), middle(other.get(row.dataset.note))];
      const kind = Math.abs(from - to) < 4 ? "same" : from > to ? "up" : "down";
      return svg("path", { class: kind, d: `M0 ${from} C${frame.width / 2} ${from} ${frame.width / 2} ${to} ${frame.width} ${to}` });
    });
    this.lines.replaceChildren(...drawn);
  }
}

function column(answer, other, name) {
  const ranks = new Map(other.results.map((one) => [one.note_id, one.rank]));
  const whole = most(answer.results);
  const rows = answer.results.map((one) => h("li", { "data-note": one.note_id },
    h("b", {}, String(one.rank)), h("a", { href: `#/note/${encodeURIComponent(one.note_id)}` }, one.title || one.path || one.note_id),
    h("small", {}, ranks.has(one.note_id) ? `there ${ranks.get(one.note_id)}` : "only here"), bar(one, whole)));
  return h("section", { "aria-label": name }, h("h2", {}, name, h("small", {}, answer.trace.fusion)), h("ol", {}, ...rows));
}
