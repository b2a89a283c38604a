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
}

/** A plain text as the same kind of document. */
export function textDocument(text: string): string {
  return `${HEAD}<pre>${escapeMarkup(text)}</pre>`;
}

/**
 * Somebody else's HTML as a document of its own. The policy it is sent with keeps it from running or loading anything;
 * what is dropped here would only fail or mislead. Its styles stay.
 */
export function htmlDocument(html: string, { own, pictures, showsRemote }: FrameOptions): ReadableStream | string {
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
  const { body } = rewriter.transform(new Response(known));
  return body ? withHead(body) : HEAD;
}

const DROPPED =
  "script, iframe, frame, frameset, object, embed, applet, portal, base, meta, link, template, title, audio, video, source";
const SAFE_LINK = /^(?:https?:|mailto:|tel:|#)/i;
const REMOTE = /^\s*(?:https?:)?\/\//i;
/** `srcset` begins with an address, too. */
const ADDRESSES = wordSet("src srcset background poster");

/** Our head first, so that the browser reads it before anything of the sender's. */
function withHead(body: ReadableStream<Uint8Array>): ReadableStream {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const pump = async () => {
    const writer = writable.getWriter();
    await writer.write(new TextEncoder().encode(HEAD));
    writer.releaseLock();
    await body.pipeTo(writable);
  };
  // A reader that has left cancels the stream; there is nobody to tell.
  pump().catch(() => {});
  return readable;
}

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
    } else if (name.startsWith("on") || name === "ping" || name === "autofocus" || name === "http-equiv") {
      element.removeAttribute(name);
    }
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
