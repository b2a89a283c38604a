import type { Context as HonoContext } from "hono";
import { type ByteSpan, readRange } from "../lib/byte-range.ts";
import { AppError } from "../lib/errors.ts";
import type { AppEnv } from "./app-env.ts";
import { isNotModified } from "./etag.ts";

/** A file that somebody else wrote. */
export interface Download {
  name: string;
  type: string;
  size: number;
  /** Names these bytes: another file has another one. */
  tag: string;
  /** Reads all of it, or a part. */
  read(span: ByteSpan | null): Promise<ReadableStream>;
}

/** Types that a browser shows without running anything in them. */
const SHOWN =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|application\/pdf|text\/plain|(?:audio|video)\/(?:mpeg|mp4|webm|ogg|wav))$/;

/** Whatever the file contains, it gets no origin, runs no script and loads nothing. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'";
/** The same for a frame of the console. Its address is that of a picture, a text or a PDF alone. */
const FRAMED =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";
/** Browsers do not start their PDF viewer in a sandbox. It is one of its own, and has no access to this origin. */
const PDF_POLICY = "default-src 'none'; object-src 'self'; plugin-types application/pdf; frame-ancestors 'none'";

/**
 * Sends a file: whole, in part (`Range`), or 304 if the client has it. Only types that are safe to show are shown, and
 * only when the client asks for that; everything else is saved.
 */
export async function sendFile(c: HonoContext<AppEnv>, file: Download, { inline = false, framed = false } = {}) {
  const isShown = inline && SHOWN.test(file.type);
  const isPdf = file.type === "application/pdf";
  c.header("Accept-Ranges", "bytes");
  c.header("Content-Disposition", contentDisposition(isShown ? "inline" : "attachment", file.name));
  c.header("Content-Security-Policy", policyOf(isShown, isPdf, framed));
  if (isNotModified(c, file.tag)) return c.body(null, 304);
  const condition = c.req.header("if-range");
  const range = condition === undefined || condition === `"${file.tag}"` ? c.req.header("range") : undefined;
  const span = readRange(range, file.size);
  if (span === "unsatisfiable") {
    throw new AppError("range_not_satisfiable", `The file has ${file.size} bytes.`, { fileSize: file.size });
  }
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : "application/octet-stream";
  const headers = {
    "Content-Type": framed && type === "text/plain" ? "text/plain; charset=utf-8" : type,
    "Content-Length": String(span ? span.last - span.first + 1 : file.size),
    ...(span && { "Content-Range": `bytes ${span.first}-${span.last}/${file.size}` }),
  };
  const status = span ? 206 : 200;
  if (c.req.raw.method === "HEAD") return c.body(null, status, headers);
  return c.body(await file.read(span), status, headers);
}

function policyOf(isShown: boolean, isPdf: boolean, framed: boolean): string {
  if (!isShown) return SANDBOX;
  if (framed) return isPdf ? `${FRAMED}; object-src 'self'` : `sandbox; ${FRAMED}`;
  return isPdf ? PDF_POLICY : SANDBOX;
}

/**
 * A Content-Disposition header for a file of any name. Old programs read `filename`, which has only ASCII letters; all
 * others read `filename*`. No character of the name can end the header or add another.
 */
function contentDisposition(kind: "attachment" | "inline", name: string): string {
  // Half of a character cannot be encoded.
  const whole = name.replaceAll(/\p{Surrogate}/gu, "_");
  const simple = whole
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^ -~]|["\\%;]/g, "_");
  if (simple === whole) return `${kind}; filename="${simple}"`;
  const extended = encodeURIComponent(whole).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${simple}"; filename*=UTF-8''${extended}`;
}
