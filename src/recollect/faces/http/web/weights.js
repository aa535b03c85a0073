// The panel of weights: a slider for each leg, the fusion and its number, save and reset.

import { h, replace } from "./dom.js";
import { dot } from "./explain.js";

const SEED = { meaning: "semanticWeight", words: "keywordWeight" };
const METHODS = { RRF: "rrf", Convex: "convex", Distribution: "distribution", Weighted: "weighted" };
const NAMES = { rrf: "Reciprocal ranks", convex: "Convex", distribution: "Distribution", weighted: "Raw scores" };

export const settingOf = (leg) => SEED[leg] ?? `${leg}Weight`;

export class Weights {
  /** `changed` is called with what the sliders say; `save` and `clear` with the weights as settings. */
  constructor({ changed, save, clear }) {
    this.calls = { changed, save, clear };
    this.place = h("div", { class: "sliders" });
    this.recipe = null;
  }

  /** Takes over what an answer was made with. */
  show(answer, legs) {
    this.recipe = answer.trace.recipe;
    this.legs = legs;
    this.origin = Object.fromEntries(legs.map((leg) => [leg, answer.settings[settingOf(leg)]]));
    this.fusion = read(answer.trace.fusion);
    this.initial = { ...this.fusion };
    this.weights = Object.fromEntries(legs.map((leg) => [leg, this.origin[leg].value]));
    this.draw();
  }

  asked() {
    const { method, k, alpha, ranks } = this.fusion;
    const own = method === "rrf" ? { k, ranks } : method === "convex" ? { alpha } : {};
    return { weights: { ...this.weights }, fusion: { method, ...own } };
  }

  draw() {
    const sliders = this.legs.map((leg) => this.slider({
      id: `weight-${leg}`, name: leg, mark: dot(leg), value: this.weights[leg], max: 5, step: 0.05,
      note: this.origin[leg].source === "default" ? null : `set for the ${this.origin[leg].source}`,
      set: (value) => { this.weights[leg] = value; },
    }));
    const method = h("select", { id: "fusion", onchange: (event) => this.fuseBy(event.target.value) },
      ...Object.entries(NAMES).map(([value, name]) => h("option", { value, selected: value === this.fusion.method }, name)));
    const kept = this.legs.some((leg) => this.origin[leg].source === "recipe");
    const button = (name, onclick, kind = "") => h("button", { type: "button", class: kind, onclick }, name);
    replace(this.place,
      ...sliders,
      h("div", { class: "field" }, h("label", { for: "fusion" }, "fusion"), method),
      this.own(),
      h("div", { class: "buttons" },
        button("Save as settings", () => this.calls.save(this.recipe, this.settings()), "main"),
        button("Reset", () => this.reset()),
        kept && button("Back to defaults", () => this.calls.clear(this.recipe, this.cleared()))),
      h("p", { class: "hint" }, `Slide to reorder what was found. Saving keeps the weights for every search with ${this.recipe}; fusion and its number are only tried here.`));
  }

  fuseBy(method) {
    this.fusion.method = method;
    this.draw();
    document.getElementById("fusion").focus();
    this.tell();
  }

  cleared() {
    return Object.fromEntries(this.legs.map((leg) => [settingOf(leg), null]));
  }

  own() {
    if (this.fusion.method === "rrf") {
      return this.slider({ id: "k", name: "k", value: this.fusion.k, min: 1, max: 200, step: 1, set: (value) => { this.fusion.k = value; } });
    }
    if (this.fusion.method === "convex") {
      return this.slider({ id: "alpha", name: "share of meaning", value: this.fusion.alpha, max: 1, step: 0.05, set: (value) => { this.fusion.alpha = value; } });
    }
    return null;
  }

  slider({ id, name, mark, value, min = 0, max, step, note, set }) {
    const told = h("output", { for: id }, String(value));
    const input = h("input", { id, type: "range", min, max, step, value,
      oninput: (event) => { const now = Number(event.target.value); told.textContent = String(now); set(now); this.tell(); } });
    return h("div", { class: "field" },
      h("label", { for: id }, mark, name, note && h("small", {}, note)), told, input);
  }

  settings() {
    return Object.fromEntries(this.legs.map((leg) => [settingOf(leg), this.weights[leg]]));
  }

  reset() {
    this.weights = Object.fromEntries(this.legs.map((leg) => [leg, this.origin[leg].value]));
    this.fusion = { ...this.initial };
    this.draw();
    this.tell();
  }

  tell() {
    this.calls.changed(this.asked());
  }
}

function read(fusion) {
  const number = (name, usual) => Number(fusion.match(new RegExp(`${name}=([0-9.]+)`))?.[1] ?? usual);
  return {
    method: METHODS[fusion.split("(")[0]] ?? "rrf",
    k: number("k", 60),
    alpha: number("alpha", 0.5),
    ranks: fusion.includes("dense") ? "dense" : "position",
  };
}
