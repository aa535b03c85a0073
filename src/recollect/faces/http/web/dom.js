// Elements out of plain values. Text is only ever set as text: nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

export function h(tag, traits = {}, ...children) {
  return filled(document.createElement(tag), traits, children);
}

export function svg(tag, traits = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), traits, children);
}

/** What only a screen reader should say. */
export function unseen(text) {
  return h("span", { class: "unseen" }, text);
}

function filled(element, traits, children) {
  for (const [name, value] of Object.entries(traits)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...present(children));
  return element;
}

export function replace(place, ...children) {
  place.replaceChildren(...present(children));
}

function present(children) {
  return children.flat().filter((child) => child !== null && child !== undefined && child !== false && child !== "");
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

export function when(moment) {
  return moment && h("time", { datetime: moment, title: new Date(moment).toLocaleString() }, age(moment));
}

export function number(value, digits = 4) {
  return Number(value.toPrecision(digits)).toString();
}

export function many(count, one, more = `${one}s`) {
  return `${count.toLocaleString()} ${count === 1 ? one : more}`;
}

const OPENING = 64;

/** What a note is called: its title, its file, or else how it begins. */
export function nameOf(note) {
  const begins = (note.snippet ?? note.text ?? "").split("\n")[0].trim();
  const whole = note.title || note.path?.split("/").pop() || begins || note.note_id || note.id;
  if (whole.length <= OPENING || note.title) return whole;
  const cut = whole.slice(0, OPENING);
  return `${cut.slice(0, cut.lastIndexOf(" ") > 20 ? cut.lastIndexOf(" ") : OPENING)} …`;
}

export const noteAddress = (id) => `#/note/${encodeURIComponent(id)}`;

let ends = 0;

/** With something to do about it, it stays until it is done or closed. */
export function toast(text, action = null) {
  const place = document.getElementById("toast");
  const close = () => replace(place);
  const button = (name, run) => h("button", { type: "button", onclick: () => { close(); run(); } }, name);
  replace(place, h("p", {}, text, action && button(action.name, action.run), action && button("Close", () => {})));
  clearTimeout(ends);
  if (!action) ends = setTimeout(close, 6_000);
}
