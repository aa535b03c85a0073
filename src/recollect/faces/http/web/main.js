// Addresses to pages, keys to steps.

import * as api from "./api.js";
import { Comparing } from "./compare.js";
import { writing } from "./dialogs.js";
import { h, later, noteAddress, replace } from "./dom.js";
import { notePage } from "./note.js";
import { Searching } from "./searching.js";
import { statusPage } from "./status.js";

const view = document.getElementById("view");
const field = document.getElementById("q");
let searching, comparing;
let page = "";
let opened = "";

function address() {
  const [path, parameters = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  return { name: name || "search", rest: rest.map(decodeURIComponent), parameters: new URLSearchParams(parameters) };
}

const PAGES = {
  note: async (id) => { replace(view, await notePage(id, { reload: () => show(), back: searching.address() })); opened = id; },
  status: async () => replace(view, await statusPage()),
  compare: async () => { replace(view, comparing.place); await comparing.ask(); },
  search: async (_, parameters) => { replace(view, searching.place); await searching.go(parameters); },
};

/** `moving`: somebody followed a link, so the focus goes along. */
async function show(moving = false) {
  const { name, rest, parameters } = address();
  const before = page;
  page = name in PAGES ? name : "search";
  mark(page);
  if (parameters.has("q") || page === "search") field.value = parameters.get("q") ?? "";
  try {
    await PAGES[page](rest[0], parameters);
  } catch (error) {
    replace(view, h("div", { class: "broken" }, h("h1", { tabindex: "-1" }, "That did not work"),
      h("p", { class: "trouble", role: "alert" }, error.message), h("p", {}, h("a", { href: "#/search" }, "To the search"))));
  }
  if (page !== "search") document.title = `${view.querySelector("h1")?.textContent ?? page} · Recollect`;
  if (moving) arrive(before);
}

function mark(name) {
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Back in the results at the note that was read, elsewhere at the heading. */
function arrive(before) {
  if (document.activeElement === field || document.querySelector("dialog[open]")) return;
  if (page === "search" && before === "note") searching.results.focusOn(opened);
  else if (page !== "search") { view.querySelector("h1")?.focus({ preventScroll: true }); scrollTo(0, 0); }
}

function ask() {
  if (page === "compare") return comparing.ask();
  if (page === "search") return searching.ask();
  location.hash = `#/search?q=${encodeURIComponent(field.value)}`;
  return null;
}

const typed = later(90, ask);

function listen() {
  field.addEventListener("input", typed);
  document.getElementById("ask").addEventListener("submit", async (event) => {
    event.preventDefault();
    await ask();
    if (page === "search") searching.results.step(1);
  });
  document.getElementById("skip").addEventListener("click", (event) => { event.preventDefault(); view.focus(); });
  document.getElementById("remember").addEventListener("click", () =>
    writing(null, (note) => { location.hash = noteAddress(note.id); searching.filters.suggest(); }));
  addEventListener("hashchange", () => show(true));
  addEventListener("keydown", pressed);
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const inside = event.target.closest?.("input, select, textarea");
  if (event.key === "/" && !inside) { event.preventDefault(); field.focus(); field.select(); }
  else if (event.key === "Escape" && inside !== field) field.focus();
  else if (page === "search" && (!inside || inside === field)) walk(event, inside);
}

function walk(event, inside) {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    searching.results.step(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "e" && !inside) searching.results.explain();
}

async function open() {
  try {
    const [{ recipes }, { spaces }] = await Promise.all([api.recipes(), api.spaces()]);
    searching = new Searching(recipes, spaces);
    comparing = new Comparing(recipes);
    await searching.filters.suggest();
  } catch (error) {
    replace(view, h("div", { class: "broken" }, h("h1", {}, "Recollect"), h("p", { class: "trouble", role: "alert" }, error.message),
      h("button", { type: "button", onclick: () => location.reload() }, "Try again")));
    return;
  }
  listen();
  await show();
  if (page === "search" && !field.value) field.focus();
  document.documentElement.dataset.ready = "yes";
}

await open();
