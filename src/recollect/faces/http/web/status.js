// What the service holds, whether it is sound, how fast it is, and what it does without.

import * as api from "./api.js";
import { h, many, replace } from "./dom.js";

const MARKS = { ok: "✓", warn: "!", error: "✗" };

export async function statusPage() {
  const told = await api.status();
  const { latency, legs } = told.service;
  const health = h("ul", { class: "findings" }, h("li", { class: "hint" }, "Examining the store …"));
  examine(health);
  return h("div", { class: "status" }, h("h1", { tabindex: "-1" }, "Status"), condition(told),
    h("div", { class: "cards" },
      card("Held", facts(told)),
      card("Health of the store and its indexes", health)),
    card("Legs of a search", table(["leg", "asked", "p50", "p95", "p99"], legs.map((one) => [one.leg, one.count, ...times(one)]))),
    card("Requests", table(["request", "count", "p50", "p95", "p99"],
      latency.map((one) => [`${one.method} ${one.route}`, one.count, ...times(one)]))));
}

function condition(told) {
  const trouble = [
    told.embedding_failure && `Embedding fails: ${told.embedding_failure}`,
    !told.serving && "No model serves: search goes by words alone. To bring one: recollect model install minilm",
    told.weak && "A weak model serves, so recipes lean on words. To bring a better one: recollect model install minilm",
    told.waiting > 0 && `${many(told.waiting, "passage waits", "passages wait")} for a vector; until then they are found by their words.`,
    ...told.service.degraded.map((one) => `${many(one.count, "answer")} did without ${one.part} (${one.code}): ${one.why}`),
  ].filter(Boolean);
  return h("section", { class: trouble.length ? "condition ill" : "condition well", "aria-label": "Condition" },
    h("h2", {}, trouble.length ? "Degraded" : "All is well"),
    trouble.length ? h("ul", {}, ...trouble.map((one) => h("li", {}, one))) : h("p", {}, "Every leg answers with all it has."));
}

function facts(told) {
  const rows = {
    notes: `${told.notes.toLocaleString()} in ${told.spaces.join(", ") || "no space yet"}`,
    passages: told.passages.toLocaleString(),
    links: `${told.links_resolved.toLocaleString()} lead to a note, ${told.links_unresolved.toLocaleString()} to none`,
    model: told.serving ?? "none",
    embedded: told.models.map((one) => `${one.embedded.toLocaleString()} by ${one.identity}`).join("; ") || "nothing",
    store: `${size(told.store_bytes)}, indexes ${size(told.index_bytes)}`,
    ...Object.fromEntries(Object.entries(told.folders).map(([space, folder]) => [`folder ${space}`, folder])),
  };
  return h("dl", {}, ...Object.entries(rows).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/** Takes a while in a large store, so the rest does not wait for it. */
async function examine(place) {
  const found = await api.findings().then(({ findings }) => findings, (error) => [{ level: "error", what: error.message, way_out: "" }]);
  replace(place, found.map((one) => h("li", { class: one.level },
    h("b", { "aria-label": one.level, role: "img" }, MARKS[one.level]), h("span", {}, one.what, one.way_out && h("small", {}, one.way_out)))));
}

const size = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

const times = (one) => [one.p50_ms, one.p95_ms, one.p99_ms].map((ms) => (ms === null ? "–" : `≤ ${ms.toLocaleString()} ms`));

const card = (title, inside) => h("section", { class: "card", "aria-label": title }, h("h2", {}, title), inside);

function table(head, rows) {
  if (!rows.length) return h("p", { class: "hint" }, "Nothing yet.");
  return h("div", { class: "wide", tabindex: "0", role: "group", "aria-label": "Times" }, h("table", {},
    h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, at) => h(at ? "td" : "th", at ? {} : { scope: "row" }, String(cell))))))));
}
