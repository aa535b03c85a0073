// A note on its own page: its text, its neighbours, and what can be done to it.

import * as api from "./api.js";
import { age, h, toast } from "./dom.js";
import { graph } from "./graph.js";
import { markdown } from "./markdown.js";

export async function notePage(id, reload) {
  const [note, told] = await Promise.all([api.note(id), api.neighbours(id)]);
  api.used(id).catch(() => {}); // only a count
  const name = note.title || note.path || note.id;
  return h("article", { class: "note" },
    h("p", {}, h("a", { href: "#", onclick: (event) => { event.preventDefault(); history.back(); } }, "← back")),
    h("h1", {}, name),
    h("p", { class: "where" }, note.space, note.path && ` · ${note.path}`, ` · changed ${age(note.modified_at)}`,
      note.session && ` · session ${note.session}`, ...note.tags.map((tag) => h("span", { class: "tag" }, `#${tag}`))),
    h("div", { class: "buttons" },
      h("button", { type: "button", onclick: () => writing(note, reload) }, "Edit"),
      h("button", { type: "button", class: "danger", onclick: () => forgetting(note) }, "Forget")),
    markdown(bare(note)),
    h("h2", {}, "Links"), graph(told));
}

/** Its text without the heading that only says the title again. */
function bare(note) {
  const heading = `# ${note.title}`;
  return note.text.startsWith(heading) ? note.text.slice(heading.length) : note.text;
}

export function writing(note, done) {
  const known = note ?? { title: "", text: "", tags: [], importance: 0.5 };
  const title = h("input", { id: "title", value: known.title, maxlength: 2000 });
  const text = h("textarea", { id: "text", rows: 10, required: true }, known.text);
  const tags = h("input", { id: "tags", value: known.tags.join(" ") });
  const importance = h("input", { id: "importance", type: "range", min: 0, max: 1, step: 0.05, value: known.importance });
  const dialog = asked(note ? "Edit" : "Remember", [
    field("Title", title), field("Text", text), field("Tags", tags), field("Importance", importance),
  ], note ? "Save" : "Remember", async () => {
    const body = { title: title.value, text: text.value, importance: Number(importance.value), tags: tags.value.split(/[\s,]+/).filter(Boolean) };
    const kept = note ? await api.changeNote(note.id, body) : await api.remember(body);
    toast(note ? "Saved." : "Remembered; found by its words at once.");
    done(kept);
  });
  text.focus();
  return dialog;
}

/** Shown first, then confirmed, and taken back as long as the message stands. */
export async function forgetting(note) {
  let doomed;
  try {
    doomed = await api.forget([note.id], true);
  } catch (error) {
    toast(error.message);
    return;
  }
  const listed = doomed.notes.map((one) => h("li", {}, h("b", {}, one.title || one.path || one.id), ` ${one.text.slice(0, 200)}`));
  asked("Forget this?", [h("ul", { class: "doomed" }, ...listed)], "Forget", async () => {
    const gone = await api.forget([note.id], false);
    location.hash = "#/search";
    toast(`Forgot ${gone.removed === 1 ? "one note" : `${gone.removed} notes`}.`, {
      name: "Undo",
      run: async () => {
        await api.putBack(gone.notes);
        toast("It is back.");
        location.hash = `#/note/${encodeURIComponent(note.id)}`;
      },
    });
  });
}

function field(label, input) {
  return h("div", { class: "field" }, h("label", { for: input.id }, label), input);
}

function asked(title, inside, yes, work) {
  const trouble = h("p", { class: "trouble", role: "alert" });
  const form = h("form", {}, h("h2", { id: "asked" }, title), ...inside, trouble,
    h("div", { class: "buttons" },
      h("button", { class: "main" }, yes),
      h("button", { type: "button", onclick: () => dialog.close() }, "Cancel")));
  const dialog = h("dialog", { "aria-labelledby": "asked" }, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await work();
      dialog.close();
    } catch (error) {
      trouble.textContent = error.message;
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
