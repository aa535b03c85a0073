// What a search is narrowed to: choices of what exists, and times.

import * as api from "./api.js";
import { h, many, replace } from "./dom.js";

const TIMES = {
  "": "any time", "1d": "last day", "7d": "last week", "30d": "last month", "1y": "last year",
  "older": "older than a year", "between": "between two days …",
};
const TYPED = { tag: "Tag", session: "Session", project: "Project" };
const narrowScreen = matchMedia("(max-width: 56rem)");

export class Filters {
  constructor(recipes, spaces, changed) {
    const pick = (id, label, options) => field(id, label, h("select", { id, name: id, onchange: changed }, ...options));
    const type = (id, label) => field(id, label,
      h("input", { id, name: id, list: `${id}s`, autocomplete: "off", placeholder: "any", onchange: changed,
        oninput: () => { if (this.known(id)) changed(); } }),
      h("datalist", { id: `${id}s` }));
    const day = (id, label) => field(id, label, h("input", { id, name: id, type: "date", onchange: changed }));
    this.days = h("div", { class: "days", hidden: true }, day("from", "From"), day("until", "Until"));
    this.form = h("form", { class: "filters", "aria-label": "Filters", onsubmit: (event) => event.preventDefault() },
      pick("recipe", "Recipe", [option("", "automatic", "The one that fits what is searched"), ...recipes.map((one) => option(one.name, one.name, one.about))]),
      pick("space", "Space", [option("", "all"), ...spaces.map((name) => option(name, name))]),
      pick("since", "Changed", Object.entries(TIMES).map(([value, name]) => option(value, name))),
      ...Object.entries(TYPED).map(([id, label]) => type(id, label)), this.days);
    this.form.addEventListener("input", () => this.tell());
    this.summary = h("summary", {});
    this.place = h("details", { class: "narrowing", open: !narrowScreen.matches }, this.summary, this.form);
    this.tell();
  }

  /** Asked once, and again after something was written. */
  async suggest() {
    const found = await api.filters();
    for (const kind of Object.keys(TYPED)) {
      replace(this.form.querySelector(`#${kind}s`), found[`${kind}s`].map((one) =>
        h("option", { value: one.name }, `${one.title ? `${one.title} · ` : ""}${many(one.notes, "note")} in ${one.space}`)));
    }
  }

  /** Whether it names something that is there; half a name would find nothing while it is typed. */
  known(kind) {
    const last = this.value(kind).split(/[\s,]+/).pop();
    const choices = this.form.querySelector(`#${kind}s`).options;
    return !last || [...choices].some((one) => one.value === this.value(kind) || (kind === "tag" && one.value === last));
  }

  value(name) {
    return this.form.elements[name].value.trim();
  }

  set(name, value) {
    this.form.elements[name].value = value;
    this.tell();
  }

  /** Takes over what an address says. */
  take(parameters) {
    for (const one of this.form.elements) if (one.name) one.value = parameters.get(one.name) ?? "";
    this.tell();
  }

  get chosen() {
    return [...this.form.elements].filter((one) => one.name && one.value.trim()).map((one) => [one.name, one.value.trim()]);
  }

  /** The same in words; a recipe narrows nothing. */
  narrowing() {
    const named = (one) => one.selectedOptions?.[0].textContent ?? one.value.trim();
    return [...this.form.elements]
      .filter((one) => one.name && one.name !== "recipe" && one.value.trim())
      .map((one) => `${one.labels[0].textContent.toLowerCase()} ${named(one)}`);
  }

  clear() {
    this.take(new URLSearchParams());
  }

  tell() {
    this.days.hidden = this.value("since") !== "between";
    const count = this.chosen.length;
    this.summary.textContent = count ? `Filters · ${count} set` : "Filters";
  }

  /** Moments from when and until when; empty where there is no bound. */
  times() {
    const since = this.value("since");
    if (since === "older") return { before: "1y" };
    if (since !== "between") return since ? { since } : {};
    const until = this.value("until") && new Date(`${this.value("until")}T00:00:00`);
    if (until) until.setDate(until.getDate() + 1); // the day itself is meant too
    return {
      ...(this.value("from") && { since: new Date(`${this.value("from")}T00:00:00`).toISOString() }),
      ...(until && { before: until.toISOString() }),
    };
  }

  scope() {
    const words = (name) => this.value(name).split(/[\s,]+/).filter(Boolean);
    return {
      ...(this.value("space") && { spaces: [this.value("space")] }),
      ...(this.value("tag") && { tags: words("tag") }),
      ...(this.value("session") && { sessions: [this.value("session")] }),
      ...(this.value("project") && { projects: [this.value("project")] }),
      ...this.times(),
    };
  }

  /** The same for a list of notes without a question. */
  listed() {
    const own = ["space", "tag", "session", "project"].filter((name) => this.value(name));
    return { ...Object.fromEntries(own.map((name) => [name, this.value(name)])), ...this.times() };
  }
}

const option = (value, name, title) => h("option", { value, title }, name);

function field(id, label, ...controls) {
  return h("div", { class: "field" }, h("label", { for: id }, label), ...controls);
}
