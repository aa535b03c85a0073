// Elements out of plain values. Text is only ever set as text: nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, traits = {}, ...children) {
  return filled(document.createElement(tag), traits, children);
}

export function svg(tag, traits = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), traits, children);
}

function filled(element, traits, children) {
  for (const [name, value] of Object.entries(traits)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "width" && element.style && !(element instanceof SVGElement)) element.style.width = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function replace(place, ...children) {
  place.replaceChildren(...children.flat().filter(Boolean));
}

export function later(milliseconds, work) {
  let waiting = 0;
  return (...given) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => work(...given), milliseconds);
  };
}

export function age(moment, now = Date.now()) {
  if (!moment) return "";
  const days = Math.floor((now - new Date(moment).getTime()) / 86_400_000);
  if (days < 1) return "today";
  if (days < 14) return days === 1 ? "yesterday" : `${days} days ago`;
  if (days < 60) return `${Math.floor(days / 7)} weeks ago`;
  if (days < 730) return `${Math.floor(days / 30)} months ago`;
  return `${Math.floor(days / 365)} years ago`;
}

export function number(value, digits = 4) {
  return Number(value.toPrecision(digits)).toString();
}

let ends = 0;

export function toast(text, action = null) {
  const place = document.getElementById("toast");
  const button = action && h("button", { type: "button", onclick: () => { replace(place); action.run(); } }, action.name);
  replace(place, h("p", {}, text, " ", button));
  clearTimeout(ends);
  ends = setTimeout(() => replace(place), action ? 15_000 : 5_000);
}
