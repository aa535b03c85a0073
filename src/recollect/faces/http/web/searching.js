// The search page: a question and filters in; results, weights and the trace out.

import * as api from "./api.js";
import { h, later, replace, toast } from "./dom.js";
import { degraded, timeline } from "./explain.js";
import { Results } from "./results.js";
import { Weights } from "./weights.js";

const SINCE = { "": "any time", "7d": "last week", "30d": "last month", "1y": "last year" };

export class Searching {
  constructor(recipes, spaces) {
    this.recipes = recipes;
    this.results = new Results();
    this.weights = new Weights({
      changed: later(40, (asked) => this.settle(asked)),
      save: (recipe, settings) => this.save(recipe, settings, "Saved"),
      clear: (recipe, settings) => this.save(recipe, settings, "Back to the recipe's own weights"),
    });
    this.count = h("p", { class: "count", role: "status" });
    this.trace = h("div");
    this.missing = h("div");
    this.filters = this.form(spaces);
    this.panel = h("aside", { class: "panel", hidden: true }, this.weights.place, this.trace);
    this.place = h("div", { class: "search" },
      h("div", { class: "found" }, this.filters, this.missing, this.count, this.results.list), this.panel);
    this.asking = null;
  }

  form(spaces) {
    const changed = later(150, () => this.ask());
    const pick = (id, label, options) => h("div", { class: "field" }, h("label", { for: id }, label),
      h("select", { id, name: id, onchange: changed }, ...options));
    const type = (id, label) => h("div", { class: "field" }, h("label", { for: id }, label),
      h("input", { id, name: id, autocomplete: "off", size: "8", oninput: changed }));
    return h("form", { class: "filters", "aria-label": "Filters", onsubmit: (event) => event.preventDefault() },
      pick("recipe", "recipe", [h("option", { value: "" }, "the one that fits"), ...this.recipes.map((one) => h("option", { value: one.name, title: one.about }, one.name))]),
      pick("space", "space", [h("option", { value: "" }, "all"), ...spaces.map((name) => h("option", { value: name }, name))]),
      pick("since", "changed", Object.entries(SINCE).map(([value, name]) => h("option", { value }, name))),
      type("tag", "tag"), type("session", "session"), type("project", "project"));
  }

  /** Goes to a question, as an address names it. */
  go(parameters) {
    for (const field of this.filters.elements) if (field.name) field.value = parameters.get(field.name) ?? "";
    return this.ask();
  }

  body(query) {
    const value = (name) => this.filters.elements[name].value.trim();
    const scope = {};
    if (value("space")) scope.spaces = [value("space")];
    if (value("since")) scope.since = value("since");
    if (value("tag")) scope.tags = value("tag").split(/[\s,]+/).filter(Boolean);
    if (value("session")) scope.sessions = value("session").split(/[\s,]+/).filter(Boolean);
    if (value("project")) scope.projects = [value("project")];
    return { query, scope, explain: true, limit: 20, ...(value("recipe") && { recipe: value("recipe") }) };
  }

  address(query) {
    const all = new URLSearchParams(query ? { q: query } : {});
    for (const field of this.filters.elements) if (field.name && field.value) all.set(field.name, field.value);
    return `#/search${all.size ? `?${all}` : ""}`;
  }

  async ask() {
    const query = document.getElementById("q").value.trim();
    history.replaceState(null, "", this.address(query));
    this.asking?.abort();
    if (!query) return this.nothing();
    this.asking = new AbortController();
    try {
      this.take(await api.search(this.body(query), this.asking.signal));
    } catch (error) {
      if (error.name !== "AbortError") this.fail(error);
    }
  }

  take(answer) {
    this.answer = answer;
    this.before = new Map(answer.results.map((one) => [one.note_id, one.rank]));
    const legs = this.recipes.find((one) => one.name === answer.trace.recipe)?.legs ?? {};
    this.weights.show(answer, Object.keys(legs));
    this.show(answer);
  }

  show(answer, before = null) {
    this.panel.hidden = false;
    this.results.show(answer, before);
    const many = answer.results.length;
    this.count.textContent = many ? `${many} of ${answer.trace.candidates} candidates · ${answer.took_ms.toFixed(1)} ms` : "Nothing found.";
    const doubtful = answer.no_relevant_match && h("p", { class: "hint" }, "Nothing here looks better than what a question about something else would find.");
    replace(this.missing, degraded(answer), doubtful);
    replace(this.trace, timeline(answer));
  }

  async settle(asked) {
    if (!this.answer) return;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const answer = await api.settle(this.answer.search_id, asked);
      if (turn === this.turn) this.show(answer, this.before);
    } catch (error) {
      if (error.status === 404) await this.ask();
      else this.fail(error);
    }
  }

  async save(recipe, settings, told) {
    try {
      await api.saveSettings(recipe, settings);
      await this.ask();
      toast(`${told} for ${recipe}.`);
    } catch (error) {
      toast(error.message);
    }
  }

  nothing() {
    this.answer = null;
    this.panel.hidden = true;
    this.results.show({ results: [] });
    replace(this.missing);
    this.count.textContent = "Type to search. / comes here, ↑ ↓ walk, Enter opens, E explains.";
  }

  fail(error) {
    this.nothing();
    this.count.textContent = error.message;
  }
}
