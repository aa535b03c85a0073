// The search page: a question and filters in; results, weights and the trace out.

import * as api from "./api.js";
import { h, later, many, replace, toast } from "./dom.js";
import { Filters } from "./filters.js";
import { Results } from "./results.js";
import { start } from "./start.js";
import { degraded, timeline } from "./trace.js";
import { Weights } from "./weights.js";

const PAGE = 20;
const MOST = 200;
const narrowScreen = matchMedia("(max-width: 56rem)");

export class Searching {
  constructor(recipes, spaces) {
    this.recipes = recipes;
    this.limit = PAGE;
    this.filters = new Filters(recipes, spaces, later(150, () => this.ask()));
    this.results = new Results((filter, value) => { this.filters.set(filter, value); this.ask(); });
    this.weights = new Weights({
      changed: later(40, (asked) => this.settle(asked)),
      save: (recipe, settings) => this.save(recipe, settings, "Saved"),
      clear: (recipe, settings) => this.save(recipe, settings, "Back to the recipe's own weights"),
    });
    this.count = h("p", { class: "count", role: "status" });
    this.told = h("div", { class: "told" });
    this.trace = h("div");
    this.traceTitle = h("summary", {}, h("h2", {}, "Trace"));
    this.panel = h("aside", { class: "panel", hidden: true, "aria-label": "Weights and trace" },
      folded("weights", h("summary", {}, h("h2", {}, "Weights")), this.weights.place),
      folded("tracing", this.traceTitle, this.trace));
    this.more = h("button", { type: "button", class: "more", hidden: true, onclick: () => { this.limit += PAGE * 2; this.ask(); } }, "Show more");
    this.place = h("div", { class: "search" }, h("h1", { class: "unseen" }, "Search"),
      this.filters.place, this.panel,
      h("section", { class: "found", "aria-label": "Found" }, this.count, this.told, this.results.list, this.more));
    this.asking = null;
  }

  /** Goes to a question, as an address names it. */
  go(parameters) {
    this.filters.take(parameters);
    this.limit = PAGE;
    return this.ask();
  }

  get query() {
    return document.getElementById("q").value.trim();
  }

  address() {
    const all = new URLSearchParams([...(this.query ? [["q", this.query]] : []), ...this.filters.chosen]);
    return `#/search${all.size ? `?${all}` : ""}`;
  }

  body(more = {}) {
    const recipe = this.filters.value("recipe");
    return { query: this.query, scope: this.filters.scope(), explain: true, limit: this.limit, ...(recipe && { recipe }), ...more };
  }

  async ask() {
    history.replaceState(null, "", this.address());
    document.title = this.query ? `${this.query} · Recollect` : "Recollect";
    this.asking?.abort();
    const { signal } = (this.asking = new AbortController());
    try {
      if (!this.query) await this.begin(signal);
      else this.take(await api.search(this.body(), signal));
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

  show(answer, before = null, settled = false) {
    this.panel.hidden = false;
    const moves = this.results.show(answer, before);
    const found = answer.results.length;
    this.count.textContent = found
      ? `${found} of ${many(answer.trace.candidates, "candidate")} · ${answer.took_ms.toFixed(1)} ms${before ? ` · ${moves} moved` : ""}`
      : "Nothing found.";
    this.more.hidden = !found || found >= answer.trace.candidates || found < this.limit || this.limit >= MOST;
    replace(this.told, degraded(answer), this.advice(answer));
    replace(this.traceTitle, h("h2", {}, "Trace"), h("small", {}, `${answer.took_ms.toFixed(1)} ms`));
    replace(this.trace, timeline(answer, settled));
  }

  advice(answer) {
    if (answer.results.length) {
      return answer.no_relevant_match
        ? h("p", { class: "hint" }, "Nothing here looks better than what a question about something else would find.") : null;
    }
    const narrowed = this.filters.narrowing();
    return h("div", { class: "nothing" },
      h("p", {}, narrowed.length
        ? `No note fits both the question and ${many(narrowed.length, "filter")}: ${narrowed.join(", ")}.`
        : "No note has these words or means this. Fewer or other words may find it."),
      narrowed.length && h("button", { type: "button", onclick: () => { this.filters.clear(); this.ask(); } }, "Clear the filters"));
  }

  /** The server's own fusion, over the candidates it kept; where it keeps them no more, it asks anew. */
  async settle(asked) {
    if (!this.answer) return;
    const turn = (this.turn = (this.turn ?? 0) + 1);
    try {
      const answer = await api.settle(this.answer.search_id, asked).catch(async (error) => {
        if (error.status !== 404) throw error;
        const anew = await api.search(this.body(asked));
        this.answer.search_id = anew.search_id;
        return { ...anew, gathered_again: true };
      });
      if (turn === this.turn) this.show(answer, this.before, !answer.gathered_again);
    } catch (error) {
      this.fail(error);
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

  async begin(signal) {
    this.empty();
    const welcome = await start(this.filters.listed());
    if (signal.aborted) return;
    this.count.textContent = "Type to search.";
    replace(this.told, welcome);
  }

  empty() {
    this.answer = null;
    this.panel.hidden = true;
    this.more.hidden = true;
    this.results.show({ results: [] });
  }

  fail(error) {
    this.empty();
    this.count.textContent = "";
    replace(this.told, h("p", { class: "trouble", role: "alert" }, error.message));
  }
}

function folded(name, summary, inside) {
  return h("details", { class: `card ${name}`, open: !narrowScreen.matches }, summary, inside);
}
