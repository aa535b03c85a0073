// Before a question is asked: what changed last, and what can be typed.

import * as api from "./api.js";
import { h, nameOf, noteAddress, when } from "./dom.js";

const WAYS = {
  "fox night": "any of the words, the best first, and what means the same",
  '"quick fox"': "exactly these words, in this order",
  "fox -hound": "never a note with the word",
  "title:fox tag:den": "words in one field",
  "kube*": "words that begin so",
};
const KEYS = { "/": "to the question", "↑ ↓": "through the results", Enter: "opens one", E: "explains it", Esc: "back to the question" };

export async function start(narrowed) {
  const { notes, more } = await api.notes({ ...narrowed, limit: 12 });
  const only = Object.keys(narrowed).length > 0;
  const rows = notes.map((note) => h("li", {},
    h("a", { href: noteAddress(note.id) }, nameOf(note)),
    h("span", { class: "where" }, note.path || note.space, when(note.modified_at))));
  return h("div", { class: "start" },
    h("section", { "aria-labelledby": "recent" },
      h("h2", { id: "recent" }, only ? "Notes that fit" : "Changed last"),
      rows.length ? h("ul", { class: "recent" }, ...rows) : h("p", { class: "hint" }, nothing(only)),
      more && h("p", { class: "hint" }, "There are more; ask a question to find them.")),
    h("section", { "aria-labelledby": "ways" },
      h("h2", { id: "ways" }, "What you can type"),
      h("dl", { class: "ways" }, ...Object.entries(WAYS).flatMap(([typed, told]) =>
        [h("dt", {}, h("code", {}, typed)), h("dd", {}, told)])),
      h("h2", {}, "Keys"),
      h("dl", { class: "ways" }, ...Object.entries(KEYS).flatMap(([key, told]) =>
        [h("dt", {}, h("kbd", {}, key)), h("dd", {}, told)]))));
}

const nothing = (only) => (only ? "No note fits these filters." : "Nothing is known yet. Remember something, or: recollect index FOLDER");
