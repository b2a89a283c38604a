import { shell } from "../messages/shell.ts";
import type { Entry } from "./palette-search.ts";

/*
 * What can be done on the screen behind the palette, read from the screen itself: buttons, links, fields and the items
 * of closed menus. So nothing that is on a screen can be missing from the palette. Records in lists are no actions: the
 * search finds them.
 */

const CONTROLS = [
  "button",
  "a[href]",
  "summary",
  "select",
  "textarea",
  "input:not([type=hidden])",
  "[role^=menuitem]",
].join(",");
/** What belongs to one of many. */
const ROW = "li, tr, article";
const NAME_LENGTH = 80;

/** What the palette is opened over: the topmost dialog, or the page. */
export function topmost(): Element {
  return [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
}

export function screenActions(root: Element): (Entry & { isOfRow: boolean })[] {
  const found = [...root.querySelectorAll<HTMLElement>(CONTROLS)].filter(isUsable);
  return found.flatMap((element, index) => {
    const label = nameOf(element);
    if (!label) return [];
    const row = element.closest<HTMLElement>(ROW);
    const detail = row && !isMenuItem(element) ? shorten(textOf(row)) : "";
    const isOfRow = row !== null && !isMenuItem(element);
    const entry = { id: `here-${index}`, group: shell.palette.here, icon: iconOf(element), label, isOfRow };
    return [{ ...entry, ...(detail && detail !== label && { detail }), run: () => act(element) }];
  });
}

function isMenuItem(element: Element): boolean {
  return element.closest("[role=menu]") !== null;
}

function isUsable(element: HTMLElement): boolean {
  if (element.matches(":disabled, [aria-disabled=true], [aria-hidden=true], .skip")) return false;
  // The palette has a command for each of these.
  if (element.matches("[data-row-focus]") || element.closest(".main-nav, dialog.palette")) return false;
  return isMenuItem(element) || element.checkVisibility({ visibilityProperty: true });
}

function iconOf(element: Element): string {
  return element.matches("select, textarea, input") ? "edit" : "right";
}

function act(element: HTMLElement): void {
  const isField = element.matches("select, textarea, input:not([type=checkbox], [type=radio], [type=file])");
  if (!isField) element.click();
  element.focus();
}

/** The name that people read or hear: the label, or the text without what is only decoration. */
function nameOf(element: HTMLElement): string {
  const { ariaLabel } = element;
  if (ariaLabel) return shorten(ariaLabel);
  const labelled = element.getAttribute("aria-labelledby")?.split(" ") ?? [];
  const labels = labelled.flatMap((id) => document.getElementById(id) ?? []);
  if (labels.length > 0) return shorten(labels.map(textOf).join(" "));
  if ("labels" in element && element.labels instanceof NodeList && element.labels.length > 0) {
    return shorten([...element.labels].map((label) => (label instanceof Element ? textOf(label) : "")).join(" "));
  }
  return shorten(textOf(element) || element.title || (element.getAttribute("placeholder") ?? ""));
}

function textOf(element: Element): string {
  const parts: string[] = [];
  const walk = (node: Node) => {
    if (node instanceof Text) parts.push(node.data);
    else if (node instanceof Element && !node.matches("[aria-hidden=true], option, svg, [role=menu]")) {
      for (const child of node.childNodes) walk(child);
      parts.push(" ");
    }
  };
  walk(element);
  return parts
    .join("")
    .replace(/\s+/g, " ")
    .replace(/ ([,.:])/g, "$1")
    .trim();
}

function shorten(text: string): string {
  const plain = text.replace(/\s+/g, " ").trim();
  return plain.length > NAME_LENGTH ? `${plain.slice(0, NAME_LENGTH - 1)}…` : plain;
}
