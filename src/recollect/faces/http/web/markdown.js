// A note's markdown in, elements out. Built from text nodes alone: whatever a note holds, no script,
// handler, style or remote picture of it can come alive.

import { h } from "./dom.js";

const SAFE = /^(https?:|mailto:)/i;
const INLINE = /(`+)(.+?)\1|!\[([^\]]*)\]\([^)]*\)|!\[\[([^\]]+)\]\]|\[\[([^\]|]+)(?:\|([^\]]+))?\]\]|\[([^\]]+)\]\(([^)\s]+)[^)]*\)|\*\*(.+?)\*\*|__(.+?)__|\*([^*\s][^*]*)\*|(?<!\w)_([^_\s][^_]*)_(?!\w)|~~(.+?)~~/;
const ITEM = /^(\s*)(?:[-*+]|(\d+)[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;
const ROW = /^\s*\|.*\|\s*$/;
const BREAK = /^(#{1,6}\s|\s*(```|~~~|>|\||[-*+]\s|\d+[.)]\s))/;

/** `leads`: a wikilink's target in, an address out. */
export function markdown(text, leads = toSearch) {
  const place = h("div", { class: "markdown" });
  new Writer(leads).write(text.replace(/^---\n[\s\S]*?\n---\n/, "").split("\n"), place);
  return place;
}

const toSearch = (target) => `#/search?${new URLSearchParams({ q: target.split("#")[0] })}`;

class Writer {
  constructor(leads) {
    this.leads = leads;
    this.depth = 1; // of the last heading; the page's own title is the first
  }

  write(lines, place) {
    for (let at = 0; at < lines.length; ) at = this.block(lines, at, place);
  }

  /** One block into its place; where the next one begins. */
  block(lines, at, place) {
    const line = lines[at];
    if (!line.trim()) return at + 1;
    const fence = line.match(/^\s*(```+|~~~+)/);
    if (fence) return this.code(lines, at, fence[1], place);
    const heading = line.match(/^(#{1,6})\s+(.*?)\s*$/);
    if (heading) {
      this.depth = Math.min(6, heading[1].length + 1, this.depth + 1); // no level is left out
      place.append(h(`h${this.depth}`, {}, ...this.inline(heading[2])));
      return at + 1;
    }
    if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
      place.append(h("hr"));
      return at + 1;
    }
    if (/^\s*>/.test(line)) return this.quote(lines, at, place);
    if (ITEM.test(line)) return this.list(lines, at, place);
    if (ROW.test(line) && /^[\s|:-]+$/.test(lines[at + 1] ?? "")) return this.table(lines, at, place);
    return this.paragraph(lines, at, place);
  }

  code(lines, at, fence, place) {
    let end = at + 1;
    while (end < lines.length && !lines[end].trim().startsWith(fence)) end += 1;
    place.append(h("pre", { tabindex: "0" }, h("code", {}, lines.slice(at + 1, end).join("\n"))));
    return end + 1;
  }

  quote(lines, at, place) {
    let end = at;
    while (end < lines.length && /^\s*>/.test(lines[end])) end += 1;
    const inside = h("blockquote");
    this.write(lines.slice(at, end).map((line) => line.replace(/^\s*>\s?/, "")), inside);
    place.append(inside);
    return end;
  }

  /** Items that stand further in belong to the one before them. */
  list(lines, at, place) {
    const [, indent, numbered] = lines[at].match(ITEM);
    const items = h(numbered ? "ol" : "ul", { start: numbered && numbered !== "1" ? numbered : null });
    let end = at;
    for (let item = lines[end]?.match(ITEM); item && item[1].length >= indent.length; item = lines[end]?.match(ITEM)) {
      if (item[1].length > indent.length && items.lastElementChild) {
        end = this.list(lines, end, items.lastElementChild);
        continue;
      }
      const box = item[3] === undefined ? "" : item[3] === " " ? "☐ " : "☑ ";
      items.append(h("li", {}, box, ...this.inline(item[4])));
      end += 1;
    }
    place.append(items);
    return end;
  }

  table(lines, at, place) {
    const cells = (line, tag) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => h(tag, {}, ...this.inline(cell.trim())));
    let end = at + 2;
    const rows = [];
    for (; end < lines.length && ROW.test(lines[end]); end += 1) rows.push(h("tr", {}, ...cells(lines[end], "td")));
    place.append(h("div", { class: "wide", tabindex: "0" },
      h("table", {}, h("thead", {}, h("tr", {}, ...cells(lines[at], "th"))), h("tbody", {}, ...rows))));
    return end;
  }

  paragraph(lines, at, place) {
    let end = at + 1;
    while (end < lines.length && lines[end].trim() && !BREAK.test(lines[end])) end += 1;
    place.append(h("p", {}, ...this.inline(lines.slice(at, end).join("\n"))));
    return end;
  }

  inline(text) {
    const parts = [];
    let rest = text;
    for (let match = rest.match(INLINE); match; match = rest.match(INLINE)) {
      parts.push(rest.slice(0, match.index), this.piece(match));
      rest = rest.slice(match.index + match[0].length);
    }
    return [...parts, rest];
  }

  piece([whole, , inCode, picture, embed, wiki, alias, label, address, strong, strong2, soft, soft2, gone]) {
    if (inCode !== undefined) return h("code", {}, inCode);
    if (picture !== undefined) return h("span", { class: "picture" }, `[picture: ${picture || "untitled"}]`);
    if (embed !== undefined) return h("span", { class: "picture" }, `[${embed}]`);
    if (wiki !== undefined) return h("a", { href: this.leads(wiki) }, alias ?? wiki.replaceAll("#", " › "));
    if (label !== undefined) {
      return SAFE.test(address)
        ? h("a", { href: address, rel: "noopener noreferrer", target: "_blank" }, label)
        : h("span", {}, label);
    }
    if (strong ?? strong2) return h("strong", {}, ...this.inline(strong ?? strong2));
    if (soft ?? soft2) return h("em", {}, ...this.inline(soft ?? soft2));
    return gone ? h("s", {}, ...this.inline(gone)) : whole;
  }
}
