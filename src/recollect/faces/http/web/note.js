// A note on its own page: its text, its neighbours, and what can be done to it.

import * as api from "./api.js";
import { forgetting, writing } from "./dialogs.js";
import { h, nameOf, noteAddress, when } from "./dom.js";
import { graph } from "./graph.js";
import { markdown } from "./markdown.js";

export async function notePage(id, { reload, back }) {
  const [note, told] = await Promise.all([api.note(id), api.neighbours(id)]);
  api.used(id).catch(() => {}); // only a count
  return h("article", { class: "note" },
    h("p", {}, h("a", { class: "back", href: back }, "← Back to the search")),
    h("h1", { tabindex: "-1" }, nameOf(note)),
    where(note),
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => writing(note, reload) }, "Edit"),
      h("button", { type: "button", class: "danger", onclick: () => forgetting(note, told.incoming.length) }, "Forget")),
    markdown(bare(note), leads(told.outgoing)),
    h("h2", {}, "Links"), graph(told));
}

function where(note) {
  const only = (filter, value, shown) =>
    h("a", { class: "tag", href: `#/search?${new URLSearchParams({ [filter]: value })}` }, shown);
  return h("p", { class: "where" }, h("span", {}, note.space), note.path && h("span", { class: "trail" }, note.path),
    h("span", {}, "changed ", when(note.modified_at)),
    note.session && only("session", note.session, `session ${note.session}`),
    note.project && only("project", note.project, `project ${note.project}`),
    ...note.tags.map((tag) => only("tag", tag, `#${tag}`)));
}

/** Its text without the heading that only says the title again. */
function bare(note) {
  const heading = `# ${note.title}`;
  return note.text.startsWith(`${heading}\n`) ? note.text.slice(heading.length) : note.text;
}

/** Where a [[wikilink]] of this note leads: to the note it means, else to a search for it. */
function leads(outgoing) {
  const key = (name) => name.split("/").pop().replace(/\.md$/i, "").trim().toLowerCase();
  const known = new Map(outgoing.flatMap((one) => [[key(one.title), one.id], [key(one.path), one.id]]));
  return (target) => {
    const name = target.split(/[#^]/)[0];
    const id = known.get(key(name));
    return id ? noteAddress(id) : `#/search?${new URLSearchParams({ q: name })}`;
  };
}
