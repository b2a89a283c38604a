import { escapeMarkup } from "../../../lib/text.ts";
import { wordSet } from "../../../lib/words.ts";

/** Emails are written for white paper. The frame is white in every theme, unless the email says otherwise. */
const HEAD = `<!doctype html>
<html lang="">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Message body</title>
<style>
html { color: #1a1a1a; color-scheme: light; }
body { margin: 16px; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
img { max-width: 100%; }
img:not([height]) { height: auto; }
pre { white-space: pre-wrap; }
</style>
</head>
<body>
`;

export interface FrameOptions {
  /** What the addresses of its own pictures begin with. */
  own: string;
  /** Content id → address of the picture. */
  pictures: ReadonlyMap<string, string>;
  /** Whether pictures load from where the sender keeps them. */
  showsRemote: boolean;
  /** What is shown if the HTML cannot be read. */
  text: string;
}

/** A plain text as the same kind of document. */
export function textDocument(text: string): string {
  return `${HEAD}<pre>${escapeMarkup(text)}</pre>`;
}

/**
 * Somebody else's HTML as a document of its own. The policy it is sent with keeps it from running or loading anything;
 * what is dropped here would only fail or mislead. Its styles stay.
 */
export async function htmlDocument(html: string, { own, pictures, showsRemote, text }: FrameOptions): Promise<string> {
  const known = html.replaceAll(/\bcid:([^"'\s)>]{1,500})/gi, (whole, id: string) => {
    return pictures.get(decoded(id)) ?? pictures.get(id) ?? whole;
  });
  const rewriter = new HTMLRewriter()
    .on(DROPPED, { element: (element) => void element.remove() })
    .on("form", { element: (element) => void element.removeAndKeepContent() })
    .on("a[href], area[href]", { element: rewriteLink })
    .on("*", {
      element: (element) =>
        cleanAttributes(element, (address) => !showsRemote && REMOTE.test(address) && !address.startsWith(own)),
    });
  try {
    // Our head first, so that the browser reads it before anything of the sender's.
    return HEAD + (await rewriter.transform(new Response(known)).text());
  } catch {
    // Nested more deeply, or with larger attributes, than the parser has memory for.
    return textDocument(text);
  }
}

const DROPPED =
  "script, iframe, frame, frameset, object, embed, applet, portal, base, meta, link, template, title, audio, video, source";
const SAFE_LINK = /^(?:https?:|mailto:|tel:|#)/i;
const REMOTE = /^\s*(?:https?:)?\/\//i;
/** `srcset` begins with an address, too. */
const ADDRESSES = wordSet("src srcset background poster");
const REFUSED = wordSet("ping autofocus http-equiv formaction action");

function rewriteLink(element: Element): void {
  const href = element.getAttribute("href")?.trim() ?? "";
  if (!SAFE_LINK.test(href)) element.removeAttribute("href");
  else if (!href.startsWith("#")) {
    element.setAttribute("target", "_blank");
    element.setAttribute("rel", "noopener noreferrer nofollow");
  }
}

function cleanAttributes(element: Element, isHeldBack: (address: string) => boolean): void {
  for (const [name = "", value = ""] of [...element.attributes]) {
    if (ADDRESSES.has(name) && isHeldBack(value)) {
      element.removeAttribute(name);
      element.setAttribute("data-held-back", "");
    } else if (name.startsWith("on") || REFUSED.has(name) || isForeignLink(element, name, value)) {
      element.removeAttribute(name);
    }
  }
}

/** Drawings (SVG) and formulas link and load by attributes of their own. Links of the text are checked by `rewriteLink`. */
function isForeignLink({ tagName }: Element, name: string, value: string): boolean {
  if (name !== "href" && name !== "xlink:href") return false;
  const isChecked = name === "href" && (tagName === "a" || tagName === "area");
  return !isChecked && !value.trimStart().startsWith("#");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
