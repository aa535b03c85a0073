// Two recipes asked the same thing, side by side, with a line from each note's place to its other one.

import * as api from "./api.js";
import { h, later, many, nameOf, noteAddress, replace, svg, unseen } from "./dom.js";
import { bar, most } from "./explain.js";

export class Comparing {
  constructor(recipes) {
    const ask = later(100, () => this.ask());
    const pick = (id, label, chosen) => h("div", { class: "field" }, h("label", { for: id }, label),
      h("select", { id, onchange: ask }, ...recipes.map((one) =>
        h("option", { value: one.name, title: one.about, selected: one.name === chosen }, one.name))));
    this.about = new Map(recipes.map((one) => [one.name, one.about]));
    this.left = pick("left", "Left recipe", "hybrid");
    this.right = pick("right", "Right recipe", "vault");
    this.board = h("div", { class: "board" });
    this.told = h("p", { class: "count", role: "status" });
    this.place = h("div", { class: "compare" }, h("h1", { tabindex: "-1" }, "Compare two recipes"),
      h("form", { class: "filters", "aria-label": "Recipes" }, this.left, this.right), this.told, this.board);
    addEventListener("resize", later(100, () => this.connect()));
  }

  async ask() {
    const query = document.getElementById("q").value.trim();
    history.replaceState(null, "", `#/compare${query ? `?q=${encodeURIComponent(query)}` : ""}`);
    if (!query) {
      replace(this.board);
      this.told.textContent = "Type a question above; both recipes answer it.";
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
    this.told.textContent = `${many(shared.length, "note")} in both lists.`;
    this.lines = svg("svg", { class: "lines", "aria-hidden": "true" });
    this.columns = [left, right].map((answer, side) => this.column(answer, side ? left : right, names, side));
    replace(this.board, this.columns[0], this.lines, this.columns[1]);
    this.connect();
  }

  column(answer, other, names, side) {
    const ranks = new Map(other.results.map((one) => [one.note_id, one.rank]));
    const whole = most(answer.results);
    const rows = answer.results.map((one) => h("li", { "data-note": one.note_id },
      h("b", {}, String(one.rank)), h("a", { href: noteAddress(one.note_id) }, nameOf(one)),
      shift(one.rank, ranks.get(one.note_id), names[1 - side]), bar(one, whole)));
    return h("section", { "aria-label": names[side] },
      h("h2", {}, names[side]), h("p", { class: "hint" }, this.about.get(names[side])),
      h("p", { class: "hint" }, h("code", {}, answer.trace.fusion)),
      rows.length ? h("ol", {}, ...rows) : h("p", { class: "hint" }, "Nothing found."));
  }

  connect() {
    if (!this.lines?.isConnected) return;
    const frame = this.lines.getBoundingClientRect();
    const middle = (row) => { const box = row.getBoundingClientRect(); return box.top + box.height / 2 - frame.top; };
    this.lines.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
    const other = new Map([...this.columns[1].querySelectorAll("li")].map((row) => [row.dataset.note, row]));
    const own = [...this.columns[0].querySelectorAll("li")];
    const place = (row) => Number(row.querySelector("b").textContent);
    const drawn = own.filter((row) => other.has(row.dataset.note)).map((row) => {
      const there = other.get(row.dataset.note);
      const [from, to] = [middle(row), middle(there)];
      const kind = place(row) === place(there) ? "same" : place(row) > place(there) ? "up" : "down";
      const bend = frame.width / 2;
      return svg("path", { class: kind, d: `M2 ${from} C${bend} ${from} ${bend} ${to} ${frame.width - 2} ${to}` });
    });
    this.lines.replaceChildren(...drawn);
  }
}

/** How much better or worse this note stands here than in the other list. */
function shift(here, there, other) {
  if (there === undefined) return h("small", { class: "shift" }, "only here");
  if (there === here) return h("small", { class: "shift" }, "=", unseen(` the same in ${other}`));
  const [kind, arrow] = there > here ? ["up", "▲"] : ["down", "▼"];
  return h("small", { class: `shift ${kind}` }, h("span", { "aria-hidden": "true" }, `${arrow} ${Math.abs(there - here)}`),
    unseen(`stands at ${there} in ${other}`));
}
