// What the service holds, how fast it is, and what it does without.

import * as api from "./api.js";
import { h } from "./dom.js";

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

export async function statusPage() {
  const told = await api.status();
  const facts = {
    notes: `${told.notes.toLocaleString()} in ${told.spaces.join(", ") || "no space yet"}`,
    passages: told.passages.toLocaleString(),
    links: `${told.links_resolved} lead to a note, ${told.links_unresolved} to none`,
    model: `${told.serving ?? "words only"}${told.weak ? " (weak: recipes lean on words)" : ""}`,
    "waiting for a vector": told.waiting ? `${told.waiting} passages` : "none",
    store: `${megabytes(told.store_bytes)}, indexes ${megabytes(told.index_bytes)}`,
  };
  for (const [space, folder] of Object.entries(told.folders)) facts[`folder ${space}`] = folder;
  const { latency, legs, degraded } = told.service;
  const trouble = [
    told.embedding_failure && `Embedding fails: ${told.embedding_failure}`,
    !told.serving && "No model serves: search goes by words alone.",
    told.weak && "A weak model serves: recollect model install minilm brings a better one.",
    ...degraded.map((one) => `${one.part} ${one.code}: in ${one.count} answers`),
  ].filter(Boolean);
  return h("div", { class: "status" }, h("h1", {}, "Status"),
    h("section", { class: trouble.length ? "trouble" : "well" }, h("h2", {}, trouble.length ? "Degraded" : "All is well"),
      h("ul", {}, ...trouble.map((one) => h("li", {}, one)))),
    h("dl", {}, ...Object.entries(facts).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h("h2", {}, "Legs"), table(["leg", "count", "p50", "p95", "p99"], legs.map((one) => [one.leg, one.count, ...times(one)])),
    h("h2", {}, "Requests"), table(["request", "count", "p50", "p95", "p99"],
      latency.map((one) => [`${one.method} ${one.route}`, one.count, ...times(one)])));
}

const times = (one) => [one.p50_ms, one.p95_ms, one.p99_ms].map((ms) => (ms === null ? "–" : `≤ ${ms} ms`));

function table(head, rows) {
  return h("div", { class: "wide" }, h("table", {},
    h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, at) => h(at ? "td" : "th", at ? {} : { scope: "row" }, String(cell))))))));
}
