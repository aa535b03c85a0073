// The list of results: grouped by note, walked with the keyboard, animated when the order changes.

import * as api from "./api.js";
import { h, nameOf, noteAddress, replace, unseen, when } from "./dom.js";
import { bar, chips, most, percent, sum } from "./explain.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Results {
  /** `narrow(filter, value)` is called when somebody wants only what is like this. */
  constructor(narrow) {
    this.narrow = narrow;
    this.list = h("ol", { class: "results", "aria-label": "Results" });
    this.opened = new Set();
    this.rows = new Map();
  }

  /** `before`: ranks by note, to show how far each moved. Returns how many did. */
  show(answer, before = null) {
    const places = new Map([...this.rows].map(([id, row]) => [id, row.getBoundingClientRect().top]));
    const whole = most(answer.results);
    const focused = document.activeElement?.closest?.("li[data-note]")?.dataset.note;
    this.rows = new Map(answer.results.map((one) => [one.note_id, this.row(one, whole, before)]));
    replace(this.list, [...this.rows.values()]);
    this.animate(places);
    if (focused) this.focusOn(focused);
    return before ? answer.results.filter((one) => before.get(one.note_id) !== one.rank).length : 0;
  }

  row(result, whole, before) {
    const name = nameOf(result);
    return h("li", { "data-note": result.note_id },
      h("div", { class: "rank" }, h("b", {}, unseen("rank "), String(result.rank)), moved(result, before)),
      h("div", { class: "body" },
        h("h3", {}, h("a", { href: noteAddress(result.note_id) }, name)),
        this.where(result, name),
        h("p", { class: "snippet" }, ...marked(result.snippet, result.highlights)),
        bar(result, whole), chips(result), this.why(result, name)));
  }

  where(result, name) {
    const trail = [result.path, ...result.heading.filter((part) => part !== name)].filter(Boolean).join(" › ");
    const only = (filter, value, shown) => h("button", {
      type: "button", class: "tag", title: `Only ${filter} ${value}`, onclick: () => this.narrow(filter, value),
    }, shown);
    return h("p", { class: "where" }, trail && h("span", { class: "trail" }, trail), when(result.modified_at),
      result.session && only("session", result.session, `session ${result.session}`),
      ...result.tags.map((tag) => only("tag", tag, `#${tag}`)));
  }

  why(result, name) {
    const links = h("p", { class: "links" });
    const why = h("details", { class: "why", open: this.opened.has(result.note_id) },
      h("summary", {}, "Why ", h("b", {}, result.score.toFixed(4)), ` · ${percent(result)}`, unseen(` for ${name}`)),
      sum(result, name), links);
    why.addEventListener("toggle", () => {
      this.opened[why.open ? "add" : "delete"](result.note_id);
      if (why.open && !links.childElementCount) showLinks(result.note_id, links);
    });
    return why;
  }

  animate(places) {
    if (still.matches) return;
    for (const [id, row] of this.rows) {
      const was = places.get(id);
      const distance = was === undefined ? 0 : was - row.getBoundingClientRect().top;
      if (distance) row.animate([{ transform: `translateY(${distance}px)` }, { transform: "none" }], { duration: 320, easing: "ease-out" });
      else if (was === undefined && places.size) row.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 220 });
    }
  }

  focusOn(note) {
    this.rows.get(note)?.querySelector("h3 a").focus();
  }

  step(by) {
    const ids = [...this.rows.keys()];
    const at = ids.findIndex((id) => this.rows.get(id).contains(document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : -1) : at + by;
    if (next < 0) document.getElementById("q").focus();
    else if (ids[next] !== undefined) this.focusOn(ids[next]);
  }

  explain() {
    const why = document.activeElement?.closest?.("li[data-note]")?.querySelector("details.why");
    if (why) why.open = !why.open;
  }
}

async function showLinks(id, place) {
  const { outgoing, incoming } = await api.neighbours(id).catch(() => ({ outgoing: [], incoming: [] }));
  const named = (all) => all.slice(0, 6).flatMap((one, at) => [at ? ", " : " ", h("a", { href: noteAddress(one.id) }, nameOf(one))]);
  const more = (all) => (all.length > 6 ? ` and ${all.length - 6} more` : "");
  replace(place,
    incoming.length ? h("span", {}, h("b", {}, "Linked from"), ...named(incoming), more(incoming)) : null,
    outgoing.length ? h("span", {}, h("b", {}, "Links to"), ...named(outgoing), more(outgoing)) : null,
    incoming.length || outgoing.length ? null : h("span", {}, "No links lead here or away from here."));
}

function moved(result, before) {
  const was = before?.get(result.note_id);
  if (!before || was === result.rank) return null;
  if (was === undefined) return h("span", { class: "moved up" }, "new");
  const [arrow, told] = was > result.rank ? ["▲", "up"] : ["▼", "down"];
  const far = Math.abs(was - result.rank);
  return h("span", { class: `moved ${told}` }, h("span", { "aria-hidden": "true" }, `${arrow} ${far}`), unseen(`${told} ${far}`));
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
  const ends = /[\p{L}\p{N},;:–-]$/u.test(text) ? " …" : "";
  return [...parts, characters.slice(at).join("") + ends];
}
