/* What stands in the editor, as HTML and as text; and a text as what stands in the editor. */

const BLOCKS = new Set("DIV P UL OL LI BLOCKQUOTE PRE HR H1 H2 H3 H4 H5 H6 TABLE THEAD TBODY TR".split(" "));
const VOID = new Set(["BR", "HR", "IMG"]);
/** The editor's own helpers, which nobody has written. */
const isHelper = (element: Element) =>
  element.tagName === "INPUT" || element.classList.contains("squire-image-resize-container");

const FORMATTED = "b, i, u, s, sub, sup, ul, ol, blockquote, pre, code, img, hr, table, h1, h2, h3, h4, h5, h6";

/** Null if the text alone says the same. */
export function htmlOf(root: Element): string | null {
  const links = [...root.querySelectorAll("a[href]")];
  const isFormatted = root.querySelector(FORMATTED) !== null || links.some((link) => !isBare(link));
  return isFormatted ? inside(root) : null;
}

/** An address that stands there as a link to itself. */
function isBare(link: Element): boolean {
  const href = link.getAttribute("href") ?? "";
  const words = plain(link.textContent ?? "").trim();
  return [words, `mailto:${words}`, `https://${words}`, `http://${words}`].some(
    (each) => each.replace(/\/$/, "") === href.replace(/\/$/, ""),
  );
}

function inside(node: Node): string {
  return [...node.childNodes].map(markup).join("");
}

function markup(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return escaped(node.nodeValue ?? "");
  if (!(node instanceof HTMLElement) || isHelper(node)) return "";
  const name = node.localName;
  const attributes = attributesOf(node);
  return VOID.has(node.tagName) ? `<${name}${attributes}>` : `<${name}${attributes}>${inside(node)}</${name}>`;
}

function attributesOf(element: HTMLElement): string {
  const { cid } = element.dataset;
  const names = element.tagName === "IMG" ? ["alt", "width", "height"] : ["href", "colspan", "rowspan"];
  const own = names.flatMap((name) => {
    const value = element.getAttribute(name);
    return value === null ? [] : [[name, value] as const];
  });
  const all = cid === undefined ? own : [["src", `cid:${cid}`] as const, ...own];
  return all.map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
}

const SIGNS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\u00a0": "&nbsp;",
};

const escaped = (text: string) => text.replace(/\u200b/g, "").replace(/[&<>"\u00a0]/g, (sign) => SIGNS[sign] ?? sign);

/** For people who read no HTML: marks stand for lists and quotes, and links have their address beside them. */
export function textOf(root: Element): string {
  return linesOf(root)
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
}

const plain = (text: string) => text.replace(/\u200b/g, "").replace(/\u00a0/g, " ");

function linesOf(node: Node): string[] {
  const lines: string[] = [];
  let line: string | null = null;
  const end = () => {
    if (line !== null) lines.push(line.trimStart() === "" ? "" : line);
    line = null;
  };
  const add = (child: Node) => {
    if (child.nodeType === Node.TEXT_NODE) {
      const text = plain((child.nodeValue ?? "").replace(/[ \t\n\r]+/g, " "));
      if (text !== "" && (line !== null || text !== " ")) line = (line ?? "") + text;
      return;
    }
    if (!(child instanceof HTMLElement) || isHelper(child)) return;
    if (child.tagName === "BR") {
      line ??= "";
      end();
    } else if (BLOCKS.has(child.tagName)) {
      end();
      lines.push(...blockLines(child));
    } else if (child.tagName === "IMG") {
      line = `${line ?? ""}[${child.getAttribute("alt") ?? ""}]`;
    } else if (child.tagName === "TD" || child.tagName === "TH") {
      line = [...(line === null ? [] : [line]), linesOf(child).join(" ")].join("\t");
    } else if (child.tagName === "A" && !isBare(child)) {
      line = `${line ?? ""}${linesOf(child).join(" ")} <${(child.getAttribute("href") ?? "").replace(/^mailto:/i, "")}>`;
    } else {
      for (const each of child.childNodes) add(each);
    }
  };
  for (const child of node.childNodes) add(child);
  end();
  return lines;
}

function blockLines(block: HTMLElement): string[] {
  if (block.tagName === "HR") return ["---"];
  if (block.tagName === "PRE") return plain(block.textContent ?? "").split("\n");
  if (block.tagName === "UL" || block.tagName === "OL") return listLines(block);
  const lines = linesOf(block);
  const own = lines.length > 0 ? lines : [""];
  if (block.tagName === "BLOCKQUOTE") return own.map((line) => (line ? `> ${line}` : ">"));
  const isParagraph = /^(?:P|H\d)$/.test(block.tagName) && block.nextElementSibling !== null;
  return isParagraph ? [...own, ""] : own;
}

function listLines(list: HTMLElement): string[] {
  let number = 0;
  return [...list.children].flatMap((item) => {
    const lines = linesOf(item);
    if (item.tagName !== "LI") return lines.map((line) => `  ${line}`);
    number += 1;
    const mark = list.tagName === "OL" ? `${number}. ` : "- ";
    return (lines.length > 0 ? lines : [""]).map((line, at) => (at === 0 ? mark : " ".repeat(mark.length)) + line);
  });
}

/** A line of text is a block. */
export function fragmentOfText(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const line of text.split(/\r\n?|\n/)) {
    const block = document.createElement("div");
    // Otherwise a browser shows one space.
    block.append(line.replace(/ {2}/g, " \u00a0").replace(/^ /, "\u00a0"), document.createElement("br"));
    fragment.append(block);
  }
  return fragment;
}
