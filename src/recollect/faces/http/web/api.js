// The service, as functions. What goes wrong is an Error with the server's own words.

import { h } from "./dom.js";

const TOKEN = "recollect-token";

export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

export async function call(method, path, body, signal) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const reply = await reached(path, { method, headers, body: sent, signal });
  const answer = await reply.json();
  if (reply.status === 401 && (await askForToken(token && answer.detail))) return call(method, path, body, signal);
  if (!reply.ok) throw new Problem(reply.status, answer.detail);
  return answer;
}

async function reached(path, request) {
  try {
    return await fetch(path, request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, "The service does not answer. Is it still running?");
  }
}

const at = encodeURIComponent;

export const search = (body, signal) => call("POST", "/search", body, signal);
export const settle = (id, body) => call("POST", `/search/${at(id)}/settle`, body);
export const recipes = () => call("GET", "/recipes");
export const spaces = () => call("GET", "/spaces");
export const filters = () => call("GET", "/filters");
export const notes = (parameters) => call("GET", `/notes?${new URLSearchParams(parameters)}`);
export const status = () => call("GET", "/status");
export const findings = () => call("GET", "/status/findings");
export const saveSettings = (recipe, weights) => call("PATCH", `/settings?recipe=${at(recipe)}`, weights);
export const note = (id) => call("GET", `/notes/${at(id)}`);
export const neighbours = (id) => call("GET", `/notes/${at(id)}/neighbours`);
export const remember = (body) => call("POST", "/notes", body);
export const changeNote = (id, body) => call("PATCH", `/notes/${at(id)}`, body);
export const forget = (ids, dryRun) => call("POST", "/notes/forget", { ids, dry_run: dryRun });
export const putBack = (notes) => call("POST", "/notes/batch", { notes });
export const used = (id) => call("POST", `/notes/${at(id)}/used`);

let asking = null;

function askForToken(trouble) {
  asking ??= new Promise((resolve) => {
    const field = h("input", { id: "token", type: "password", autocomplete: "off", required: true });
    const form = h("form", { method: "dialog" },
      h("label", { for: "token" }, "This service needs a token"), field,
      trouble && h("p", { class: "trouble", role: "alert" }, trouble),
      h("div", { class: "buttons" }, h("button", { class: "main", value: "yes" }, "Use it")));
    const dialog = h("dialog", { "aria-label": "Token" }, form);
    document.body.append(dialog);
    dialog.addEventListener("close", () => {
      if (dialog.returnValue === "yes") sessionStorage.setItem(TOKEN, field.value.trim());
      dialog.remove();
      asking = null;
      resolve(dialog.returnValue === "yes");
    });
    dialog.showModal();
  });
  return asking;
}
