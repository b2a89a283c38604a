import { safeHtml } from "../../../lib/html/safe-html.ts";
import { escapeMarkup } from "../../../lib/text.ts";

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

/**
 * What a reply quotes, with the line above it that says of whom. Only in replies: in other emails a quotation is content.
 * What is forwarded in Gmail has the same class, but no `blockquote`.
 */
const FOLDED = `<style>
blockquote, .gmail_quote:has(> blockquote), .moz-cite-prefix, p:has(+ blockquote[type="cite"]) { display: none !important; }
</style>
`;

interface FrameOptions {
  /** Content id → address of the picture. */
  pictures: ReadonlyMap<string, string>;
  /** Whether pictures load from where the sender keeps them. */
  showsRemote: boolean;
  /** Whether quoted text is left out. */
  foldsQuotes: boolean;
}

/** A plain text as the same kind of document. */
export function textDocument(text: string): string {
  return `${HEAD}<pre>${escapeMarkup(text)}</pre>`;
}

/**
 * Somebody else's HTML as a document of its own, made only of what is known to be harmless. The policy that it is sent
 * with forbids the rest a second time, but no policy forbids a browser to connect to a server in advance.
 */
export function htmlDocument(html: string, { pictures, showsRemote, foldsQuotes }: FrameOptions): string {
  const pictureOf = (given: string): string | null => {
    const address = given.replace(/[\t\n\r]/g, "").trim();
    const [, id] = /^cid:(.{1,500})$/i.exec(address) ?? [];
    if (id !== undefined) return pictures.get(decoded(id)) ?? pictures.get(id) ?? null;
    if (OWN_PICTURE.test(address)) return address;
    return showsRemote && REMOTE.test(address) ? address : null;
  };
  // Our head first, so that the browser reads it before anything of the sender's.
  return HEAD + (foldsQuotes ? FOLDED : "") + safeHtml(html, { pictureOf });
}

const OWN_PICTURE = /^data:image\/(?:png|jpeg|jpg|gif|webp|bmp)[;,]/i;
const REMOTE = /^(?:https?:)?\/\//i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
