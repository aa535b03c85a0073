// One result's reasons as elements: the bar, the sum, and the search's own timeline.

import { h, number } from "./dom.js";

export const LEGS = ["words", "meaning", "links", "created", "access", "usefulness"];

export function most(results) {
  return Math.max(...results.map((one) => Math.max(one.score, given(one))), 1e-12);
}

function given(result) {
  return Object.values(result.legs).reduce((sum, leg) => sum + leg.contribution, 0);
}

/** What each leg gave, drawn to the scale of the page; what adjustments added or took stands apart. */
export function bar(result, whole) {
  const share = (part) => `${(100 * part) / whole}%`;
  const legs = Object.entries(result.legs).map(([name, leg]) =>
    h("span", { class: `part leg-${name}`, width: share(leg.contribution), title: `${name} ${number(leg.contribution)}` }));
  const change = result.score - given(result);
  if (change > 0) legs.push(h("span", { class: "part boost", width: share(change), title: `adjustments +${number(change)}` }));
  const told = Object.entries(result.legs).map(([name, leg]) => `${name} rank ${leg.rank} gave ${number(leg.contribution)}`);
  const steps = result.adjustments.map((step) => `${step.name} ${amount(step)}`);
  const drawn = h("span", { class: "drawn" }, ...legs);
  if (change < 0) drawn.append(h("span", { class: "loss", width: `${(-100 * change) / given(result)}%`, title: `adjustments ${number(change)}` }));
  return h("div", { class: "bar", role: "img", "aria-label": [...told, ...steps, `score ${number(result.score)}`].join("; ") }, drawn);
}

export function amount(step) {
  return step.factor === undefined ? `+${number(step.bonus)}` : `×${number(step.factor, 3)}`;
}

export function chips(result) {
  const legs = Object.entries(result.legs).map(([name, leg]) =>
    h("span", { class: "chip" }, h("i", { class: `dot leg-${name}` }), `${name} #${leg.rank}`));
  const steps = result.adjustments.map((step) =>
    h("span", { class: "chip step", title: step.why }, `${step.name} ${amount(step)}`));
  return h("div", { class: "chips", "aria-hidden": "true" }, ...legs, ...steps);
}

/** The whole sum, line by line, as it can be checked with a pencil. */
export function sum(result) {
  const legs = Object.entries(result.legs).map(([name, leg]) =>
    h("tr", {},
      h("th", { scope: "row" }, h("i", { class: `dot leg-${name}` }), name),
      h("td", {}, `#${leg.rank}`), h("td", {}, number(leg.score)), h("td", {}, `× ${number(leg.weight)}`),
      h("td", {}, `+ ${leg.contribution.toFixed(6)}`)));
  const steps = result.adjustments.map((step) =>
    h("tr", { class: "step" }, h("th", { scope: "row" }, step.name), h("td", { colspan: "3" }, step.why), h("td", {}, amount(step))));
  const judged = result.judged && h("tr", { class: "step" }, h("th", { scope: "row" }, "judge"),
    h("td", { colspan: "3" }, `stood at ${result.judged.rank_before} before`), h("td", {}, number(result.judged.score)));
  const head = ["leg", "rank", "its score", "weight", "gives"].map((name) => h("th", { scope: "col" }, name));
  return h("table", { class: "sum" },
    h("caption", { class: "unseen" }, `How ${result.title || result.path || result.note_id} came to its score`),
    h("thead", {}, h("tr", {}, ...head)),
    h("tbody", {}, ...legs, ...steps, judged || null),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "score"),
      h("td", { colspan: "3" }, `${(100 * result.score_normalised).toFixed(0)} % of what is possible`),
      h("td", {}, h("b", {}, result.score.toFixed(6))))));
}

/** Stages one after another, legs inside gathering; then what was tried and what was missing. */
export function timeline(answer) {
  const trace = answer.trace;
  const stages = Object.entries(trace.stage_ms);
  const total = Math.max(stages.reduce((all, [, ms]) => all + ms, 0), 1e-9);
  let before = 0;
  const rows = stages.map(([name, ms]) => {
    const row = span(name, before, ms, total, "stage");
    before += ms;
    return row;
  });
  const legs = Object.entries(trace.leg_ms).map(([name, ms]) => span(name, 0, Math.min(ms, total), total, `leg-${name}`, ms));
  const facts = [
    `${trace.recipe} · ${trace.mode}${trace.fell_back ? ` (fell back from ${trace.mode_asked})` : ""}`,
    `${trace.fusion} · ties by ${trace.tie_break}`,
    `found ${Object.entries(trace.leg_counts).map(([leg, count]) => `${leg} ${count}`).join(" · ") || "nothing"} · ${trace.candidates} candidates`,
    trace.compiled && `words asked for: ${trace.compiled}${trace.broadened ? " · broadened" : ""}`,
    trace.reranked ? "reranked" : trace.rerank_skipped_reason && `not reranked: ${trace.rerank_skipped_reason}`,
    trace.below_floor ? `${trace.below_floor} left out below the floor` : null,
    ...trace.remarks,
  ].filter(Boolean);
  const tried = trace.attempts.map((one) =>
    h("li", { class: one.hits ? "hit" : "" }, h("code", {}, one.query), ` ${one.strategy} · ${one.hits} found`));
  return h("section", { class: "trace", "aria-label": "How the answer came about" },
    h("h2", {}, `Trace · ${answer.took_ms.toFixed(1)} ms`),
    h("ol", { class: "timeline" }, ...legs, ...rows),
    h("ul", { class: "facts" }, ...facts.map((one) => h("li", {}, one))),
    tried.length ? h("div", { class: "ladder" }, h("h3", {}, "Retries"), h("ol", {}, ...tried)) : null);
}

function span(name, before, ms, total, kind, told = ms) {
  const drawn = h("span", { class: `span ${kind}`, width: `${Math.max(0.6, (100 * ms) / total)}%` });
  drawn.style.marginLeft = `${Math.min(99, (100 * before) / total)}%`;
  return h("li", {}, h("span", { class: "name" }, name), h("span", { class: "track" }, drawn), h("span", { class: "ms" }, `${told.toFixed(1)} ms`));
}

export function degraded(answer) {
  if (!answer.degraded.length) return null;
  return h("ul", { class: "degraded" }, ...answer.degraded.map((one) =>
    h("li", {}, h("b", {}, one.part), ` ${one.code}: ${one.why}`)));
}
