// Addresses to pages, keys to steps.

import * as api from "./api.js";
import { Comparing } from "./compare.js";
import { h, later, replace } from "./dom.js";
import { notePage, writing } from "./note.js";
import { Searching } from "./searching.js";
import { statusPage } from "./status.js";

const view = document.getElementById("view");
const field = document.getElementById("q");

const [{ recipes }, { spaces }] = await Promise.all([api.recipes(), api.spaces()]);
const searching = new Searching(recipes, spaces);
const comparing = new Comparing(recipes);
let page = "";

function address() {
  const [path, parameters = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...rest] = path.split("/");
  return { name: name || "search", rest: rest.map(decodeURIComponent), parameters: new URLSearchParams(parameters) };
}

async function show() {
  const { name, rest, parameters } = address();
  page = name;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#/${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (parameters.has("q") || name === "search") field.value = parameters.get("q") ?? (name === "search" ? "" : field.value);
  try {
    if (name === "note") replace(view, await notePage(rest[0], show));
    else if (name === "status") replace(view, await statusPage());
    else if (name === "compare") { replace(view, comparing.place); await comparing.ask(); }
    else { replace(view, searching.place); await searching.go(parameters); }
  } catch (error) {
    replace(view, h("p", { class: "trouble", role: "alert" }, error.message));
  }
}

const typed = later(90, () => {
  if (page === "compare") comparing.ask();
  else if (page === "search") searching.ask();
  else location.hash = `#/search?q=${encodeURIComponent(field.value)}`;
});

field.addEventListener("input", typed);
document.getElementById("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  typed();
});
document.getElementById("remember").addEventListener("click", () =>
  writing(null, (note) => { location.hash = `#/note/${encodeURIComponent(note.id)}`; }));

addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const inside = event.target.closest?.("input, select, textarea");
  if (event.key === "/" && !inside) { event.preventDefault(); field.focus(); field.select(); }
  else if (event.key === "Escape" && inside !== field) field.focus();
  else if (page === "search" && (!inside || inside === field)) walk(event, inside);
});

function walk(event, inside) {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    searching.results.step(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "e" && !inside) searching.results.explain();
}

await show();
if (page === "search" && !field.value) field.focus();
document.documentElement.dataset.ready = "yes";
