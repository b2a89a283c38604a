import { sentencesIn } from "../../../engine/email/sentences.ts";
import { capitalize, collapseSpace } from "../../../lib/text.ts";

type ListKind = "bullets" | "numbered" | "tasks";

export function listed(items: readonly string[], kind: ListKind): string {
  return items
    .map((item, at) => `${kind === "numbered" ? `${at + 1}.` : kind === "tasks" ? "- [ ]" : "-"} ${item}`)
    .join("\n");
}

const BULLET = /^\s{0,20}(?:[-*•–]|\d{1,3}[.)]|\[[ x]?\])\s{1,10}/;
const MAX_ITEMS = 500;

/** The items of a text: its lines, its sentences, or the parts of its only sentence. */
export function itemsOf(text: string): string[] {
  const lines = text
    .split("\n")
    .map((line) => collapseSpace(line.replace(BULLET, "")))
    .filter((line) => line !== "");
  const [first = ""] = lines;
  const items = lines.length > 1 ? lines.flatMap(sentences) : sentences(first);
  const [only = ""] = items;
  return (items.length === 1 ? enumerated(only) : items).slice(0, MAX_ITEMS);
}

function sentences(line: string): string[] {
  return sentencesIn(line, { start: 0, end: line.length }).map(({ start, end }) => line.slice(start, end));
}

/** "milk, eggs and bread" is three things; "Yes, I agree" is one. */
function enumerated(sentence: string): string[] {
  const plain = sentence.replace(/[.;]$/, "");
  const parts = plain.includes(";") ? plain.split(/;\s?(?:and\s)?/) : plain.split(/,\s(?:and\s|or\s)?|\s(?:and|or)\s/);
  const isList = (plain.match(/[,;]/g)?.length ?? 0) >= 2 || parts.every((part) => part.trim().split(" ").length <= 3);
  const items = parts.map((part) => part.trim()).filter((part) => part !== "");
  return items.length > 1 && isList ? items.map(capitalize) : [sentence];
}

const FACT = /^\s{0,20}(?:[-*•–]\s)?([^:|\n]{1,60}?)\s?(?::|\s=|\s[–—-])\s+(\S.{0,1000})$/;

/** A table of lines such as "Name: value"; null if the text has other lines. */
export function factTable(text: string): string | null {
  const lines = text.includes("\n") ? text.split("\n") : text.split(/;\s|,\s(?=[^,:]{1,40}:\s)/);
  const rows = lines.filter((line) => line.trim() !== "").map((line) => FACT.exec(line));
  const facts = rows.flatMap((row) => (row ? [[cell(row[1] ?? ""), cell(row[2] ?? "")] as const] : []));
  if (facts.length < 2 || facts.length < rows.length) return null;
  return ["| Fact | Value |", "| --- | --- |", ...facts.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}

function cell(text: string): string {
  return collapseSpace(text).replaceAll("|", "\\|");
}
