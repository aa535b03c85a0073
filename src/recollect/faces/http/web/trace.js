// How an answer came about: its stages on a line of time, what was tried, and what it had to do without.

import { h } from "./dom.js";
import { dot } from "./explain.js";

/** `settled`: the legs were asked before; only what came after them was done again. */
export function timeline(answer, settled = false) {
  const { trace } = answer;
  const stages = Object.entries(trace.stage_ms);
  const total = Math.max(stages.reduce((all, [, ms]) => all + ms, 0), 1e-9);
  let before = 0;
  const rows = stages.flatMap(([name, ms]) => {
    const row = span({ name, before, ms, total, kind: "stage" });
    const inside = name === "gather" ? legs(trace, total) : [];
    before += ms;
    return [row, ...inside];
  });
  const earlier = settled
    ? h("p", { class: "hint" }, `Candidates gathered before: ${told(trace.leg_ms, (ms) => `${ms.toFixed(1)} ms`)}.`) : null;
  return h("div", { class: "trace" },
    h("ol", { class: "timeline", "aria-label": "Stages and their times" }, ...rows), earlier,
    ladder(trace), h("dl", { class: "facts" }, ...facts(trace)));
}

/** One after another where their times add up to the gathering, side by side where they do not. */
function legs(trace, total) {
  const times = Object.entries(trace.leg_ms);
  const inTurn = times.reduce((all, [, ms]) => all + ms, 0) <= trace.stage_ms.gather;
  let before = 0;
  return times.map(([leg, ms]) => {
    const row = span({ name: leg, before, ms: Math.min(ms, total), total, kind: `leg leg-${leg}`, shown: ms });
    if (inTurn) before += ms;
    return row;
  });
}

function span({ name, before, ms, total, kind, shown = ms }) {
  const drawn = h("span", { class: `span ${kind}`, style: {
    width: `${Math.max(0.8, (100 * ms) / total)}%`, marginLeft: `${Math.min(99.2, (100 * before) / total)}%`,
  } });
  const inner = kind.startsWith("leg");
  return h("li", { class: inner ? "inner" : "" },
    h("span", { class: "name" }, inner && dot(name), name),
    h("span", { class: "track", "aria-hidden": "true" }, drawn), h("span", { class: "ms" }, `${shown.toFixed(1)} ms`));
}

function facts(trace) {
  const rows = {
    recipe: trace.recipe,
    mode: `${trace.mode}${trace.fell_back ? ` (fell back from ${trace.mode_asked})` : ""}`,
    fusion: trace.fusion,
    ties: `by ${trace.tie_break}`,
    found: `${told(trace.leg_counts) || "nothing"}; ${trace.candidates} together`,
    words: trace.compiled && h("code", {}, `${trace.compiled}${trace.broadened ? " (broadened)" : ""}`),
    rerank: trace.reranked ? "yes" : trace.rerank_skipped_reason && `no: ${trace.rerank_skipped_reason}`,
    floor: trace.below_floor ? `${trace.below_floor} left out below it` : null,
    read: trace.remarks.length ? trace.remarks.join("; ") : null,
  };
  return Object.entries(rows).filter(([, value]) => value)
    .flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
}

const told = (map, shown = String) => Object.entries(map).map(([name, value]) => `${name} ${shown(value)}`).join(", ");

function ladder(trace) {
  if (!trace.attempts.length) return null;
  const rungs = trace.attempts.map((one) =>
    h("li", { class: one.hits ? "hit" : "" }, h("span", { class: "rung" }, one.strategy.replaceAll("_", " ")),
      h("b", {}, `${one.hits} found`), h("code", {}, one.query)));
  return h("div", { class: "ladder" }, h("h3", {}, "Other wordings tried"), h("ol", {}, ...rungs));
}

export function degraded(answer) {
  if (!answer.degraded.length) return null;
  return h("ul", { class: "degraded", "aria-label": "What this answer did without" },
    ...answer.degraded.map((one) => h("li", {}, "Without ", h("b", {}, one.part), ` (${one.code}): ${one.why}`)));
}
