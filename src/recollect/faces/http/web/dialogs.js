// What asks before it changes something: remember, edit, forget.

import * as api from "./api.js";
import { h, many, nameOf, noteAddress, toast } from "./dom.js";
import { markdown } from "./markdown.js";

const LEVELS = { 0: "none", 0.25: "low", 0.5: "medium", 0.75: "high", 1: "highest" };

export function writing(note, done) {
  const known = note ?? { title: "", text: "", tags: [], importance: 0.5 };
  const title = h("input", { id: "title", value: known.title, maxlength: 2000, autocomplete: "off" });
  const text = h("textarea", { id: "text", rows: 9, required: true }, known.text);
  const tags = h("input", { id: "tags", value: known.tags.join(" "), autocomplete: "off" });
  const level = h("output", { for: "importance" }, levelOf(known.importance));
  const importance = h("input", { id: "importance", type: "range", min: 0, max: 1, step: 0.05, value: known.importance,
    oninput: (event) => { level.textContent = levelOf(Number(event.target.value)); } });
  asked(note ? "Edit" : "Remember", [
    field("Title", title), field("Text", text, "Markdown; [[links]] are kept as written."),
    field("Tags", tags, "With spaces between them."), field("Importance", importance, level),
  ], { yes: note ? "Save" : "Remember", first: text }, async () => {
    const body = { title: title.value, text: text.value, importance: Number(importance.value), tags: tags.value.split(/[\s,]+/).filter(Boolean) };
    const kept = note ? await api.changeNote(note.id, body) : await api.remember(body);
    toast(note ? "Saved." : "Remembered; found by its words at once.");
    done(kept);
  });
}

const levelOf = (value) => LEVELS[value] ?? String(value);

/** Shown first, then confirmed, and taken back as long as the message stands. */
export async function forgetting(note, linking) {
  let doomed;
  try {
    doomed = await api.forget([note.id], true);
  } catch (error) {
    toast(error.message);
    return;
  }
  const shown = doomed.notes.map((one) => h("div", { class: "doomed" }, h("h3", {}, nameOf(one)), markdown(one.text.slice(0, 600))));
  const warning = linking > 0 && h("p", { class: "hint" }, `${many(linking, "note links", "notes link")} to it and will lead nowhere.`);
  asked("Forget this?", [...shown, warning], { yes: "Forget", danger: true }, async () => {
    const gone = await api.forget([note.id], false);
    location.hash = "#/search";
    toast(`Forgot ${many(gone.removed, "note")}.`, { name: "Undo", run: () => putBack(gone.notes, note.id) });
  });
}

async function putBack(notes, id) {
  try {
    await api.putBack(notes);
    toast("It is back.");
    location.hash = noteAddress(id);
  } catch (error) {
    toast(error.message, { name: "Try again", run: () => putBack(notes, id) });
  }
}

function field(label, input, hint = null) {
  return h("div", { class: "field" }, h("label", { for: input.id }, label), input, hint && h("small", {}, hint));
}

function asked(title, inside, { yes, danger = false, first = null }, work) {
  const trouble = h("p", { class: "trouble", role: "alert" });
  const cancel = h("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const form = h("form", {}, h("h2", { id: "asked" }, title), ...inside, trouble,
    h("div", { class: "buttons" }, h("button", { class: danger ? "main grave" : "main" }, yes), cancel));
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
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  (first ?? cancel).focus();
}
