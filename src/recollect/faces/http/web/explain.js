// One result's reasons as elements: the bar, the chips, and the whole sum.

import { h, number } from "./dom.js";

export function most(results) {
  return Math.max(...results.map((one) => Math.max(one.score, given(one))), 1e-12);
}

function given(result) {
  return Object.values(result.legs).reduce((sum, leg) => sum + leg.contribution, 0);
}

/** What each leg gave, drawn to the scale of the page; what adjustments added or took stands apart. */
export function bar(result, whole) {
  const wide = (part, of = whole) => ({ width: `${Math.max(0, (100 * part) / of)}%` });
  const change = result.score - given(result);
  const legs = Object.entries(result.legs).map(([name, leg]) =>
    h("span", { class: `part leg-${name}`, style: wide(leg.contribution), title: `${name} ${number(leg.contribution)}` }));
  const drawn = h("span", { class: "drawn" }, ...legs,
    change > 0 && h("span", { class: "part boost", style: wide(change), title: `adjustments +${number(change)}` }));
  if (change < 0) {
    const lost = h("span", { class: "loss", title: `adjustments ${number(change)}`, style: wide(-change) });
    lost.style.left = wide(result.score).width;
    drawn.append(lost);
  }
  return h("div", { class: "bar", role: "img", "aria-label": spoken(result) }, drawn);
}

function spoken(result) {
  const legs = Object.entries(result.legs).map(([name, leg]) => `${name} rank ${leg.rank} gave ${number(leg.contribution)}`);
  const steps = result.adjustments.map((step) => `${step.name} ${amount(step)}`);
  return [...legs, ...steps, `score ${number(result.score)}`].join("; ");
}

export function amount(step) {
  return step.factor === undefined ? `+${number(step.bonus)}` : `×${number(step.factor, 3)}`;
}

export function chips(result) {
  const legs = Object.entries(result.legs).map(([name, leg]) =>
    h("span", { class: "chip" }, dot(name), `${name} `, h("b", {}, `#${leg.rank}`)));
  const steps = result.adjustments.map((step) =>
    h("span", { class: "chip step", title: step.why }, `${step.name} `, h("b", {}, amount(step))));
  return h("div", { class: "chips", "aria-hidden": "true" }, ...legs, ...steps);
}

export const dot = (leg) => h("i", { class: `dot leg-${leg}`, "aria-hidden": "true" });

/** The whole sum, line by line, as it can be checked with a pencil. */
export function sum(result, name) {
  const legs = Object.entries(result.legs).map(([leg, share]) =>
    h("tr", {},
      h("th", { scope: "row" }, dot(leg), leg),
      h("td", {}, `#${share.rank}`), h("td", {}, number(share.score)), h("td", {}, `× ${number(share.weight)}`),
      h("td", {}, `+ ${share.contribution.toFixed(6)}`)));
  const steps = result.adjustments.map((step) =>
    h("tr", { class: "step" }, h("th", { scope: "row" }, step.name),
      h("td", { colspan: "3" }, step.why), h("td", {}, amount(step))));
  const judged = result.judged && h("tr", { class: "judged" }, h("th", { scope: "row" }, "judge"),
    h("td", { colspan: "3" }, `stood at ${result.judged.rank_before} before`), h("td", {}, number(result.judged.score)));
  const head = ["leg", "rank", "its own score", "weight", "gives"].map((title) => h("th", { scope: "col" }, title));
  return h("table", { class: "sum" },
    h("caption", { class: "unseen" }, `How ${name} came to its score`),
    h("thead", {}, h("tr", {}, ...head)),
    h("tbody", {}, ...legs, ...steps, judged),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, "score"),
      h("td", { colspan: "3" }, `${percent(result)} of what is possible`),
      h("td", {}, h("b", {}, result.score.toFixed(6))))));
}

export const percent = (result) => `${(100 * result.score_normalised).toFixed(0)} %`;
