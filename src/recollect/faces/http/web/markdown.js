// A note's markdown in, elements out. Built from text nodes alone: whatever a note holds, no script,
// handler, style or remote picture of it can come alive.

import { h } from "./dom.js";

const SAFE = /^(https?:|mailto:)/i;
const INLINE = /(`+)(.+?)\1|!\[([^\]]*)\]\([^)]*\)|!\[\[([^\]]+)\]\]|\[\[([^\]|]+)(?:\|([^\]]+))?\]\]|\[([^\]]+)\]\(([^)\s]+)[^)]*\)|\*\*(.+?)\*\*|__(.+?)__|\*([^*\s][^*]*)\*|_([^_\s][^_]*)_/;

export function markdown(text) {
  const place = h("div", { class: "markdown" });
  const lines = text.replace(/^---\n[\s\S]*?\n---\n/, "").split("\n");
  for (let at = 0; at < lines.length; ) at = block(lines, at, place);
  return place;
}

function block(lines, at, place) {
  const line = lines[at];
  if (!line.trim()) return at + 1;
  const fence = line.match(/^\s*(```+|~~~+)/);
  if (fence) return code(lines, at, fence[1], place);
  const heading = line.match(/^(#{1,6})\s+(.*)$/);
  if (heading) {
    const level = Math.min(6, heading[1].length + 1); // the page's own title is the first
    place.append(h(`h${level}`, {}, ...inline(heading[2])));
    return at + 1;
  }
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
    place.append(h("hr"));
    return at + 1;
  }
  if (/^\s*>/.test(line)) return gathered(lines, at, /^\s*>\s?/, "blockquote", place);
  if (/^\s*([-*+]|\d+[.)])\s+/.test(line)) return list(lines, at, place);
  return paragraph(lines, at, place);
}

function code(lines, at, fence, place) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence)) end += 1;
  place.append(h("pre", {}, h("code", {}, lines.slice(at + 1, end).join("\n"))));
  return end + 1;
}

function gathered(lines, at, mark, tag, place) {
  const own = [];
  let end = at;
  while (end < lines.length && mark.test(lines[end])) own.push(lines[end++].replace(mark, ""));
  const inside = h(tag);
  for (let line = 0; line < own.length; ) line = block(own, line, inside);
  place.append(inside);
  return end;
}

function list(lines, at, place) {
  const mark = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;
  const items = h(lines[at].match(mark)[1] ? "ol" : "ul");
  let end = at;
  for (; end < lines.length && mark.test(lines[end]); end += 1) {
    items.append(h("li", {}, ...inline(lines[end].match(mark)[2])));
  }
  place.append(items);
  return end;
}

function paragraph(lines, at, place) {
  let end = at;
  while (end < lines.length && lines[end].trim() && !/^(#{1,6}\s|\s*(```|~~~|>|[-*+]\s|\d+[.)]\s))/.test(lines[end])) end += 1;
  if (end === at) end = at + 1;
  place.append(h("p", {}, ...inline(lines.slice(at, end).join("\n"))));
  return end;
}

function inline(text) {
  const parts = [];
  let rest = text;
  for (let match = rest.match(INLINE); match; match = rest.match(INLINE)) {
    parts.push(rest.slice(0, match.index), piece(match));
    rest = rest.slice(match.index + match[0].length);
  }
  return [...parts, rest];
}

function piece(match) {
  const [whole, , inCode, picture, embed, wiki, alias, label, address, strong, strong2, soft, soft2] = match;
  if (inCode !== undefined) return h("code", {}, inCode);
  if (picture !== undefined) return h("span", { class: "picture" }, `[picture: ${picture || "untitled"}]`);
  if (embed !== undefined) return h("span", { class: "picture" }, `[${embed}]`);
  if (wiki !== undefined) return h("a", { href: `#/search?q=${encodeURIComponent(wiki.split("#")[0])}` }, alias ?? wiki);
  if (label !== undefined) {
    return SAFE.test(address)
      ? h("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, label)
      : h("span", {}, label);
  }
  if (strong !== undefined || strong2 !== undefined) return h("strong", {}, ...inline(strong ?? strong2));
  if (soft !== undefined || soft2 !== undefined) return h("em", {}, ...inline(soft ?? soft2));
  return whole;
}
