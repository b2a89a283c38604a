import { joinBytes } from "../lib/encoding.ts";
import { AppError } from "../lib/errors.ts";
import { outsideAddressProblem } from "../lib/outside-address.ts";
import { type PageFacts, readPage } from "./site-page.ts";

export interface VisitLimits {
  callMs: number;
  totalMs: number;
  maxHops: number;
  maxBytes: number;
}

export const VISIT: VisitLimits = { callMs: 8000, totalMs: 20_000, maxHops: 5, maxBytes: 2 * 1024 * 1024 };
const MAX_SMALL_BYTES = 64 * 1024;
const USER_AGENT = "personal-operations-assistant/site-audit";

interface Hop {
  url: string;
  status: number;
}

/** A file such as robots.txt. */
export interface SideFile {
  url: string;
  status: number;
  contentType: string;
  text: string;
}

export interface MeasuredSite {
  url: string;
  redirects: Hop[];
  status: number;
  headers: Headers;
  contentType: string;
  /** Size of the uncompressed HTML. */
  bytes: number;
  /** The page is longer than what was read. */
  isCut: boolean;
  /** Time to the first byte of the final response. */
  responseMs: number;
  charset: string | null;
  page: PageFacts;
  robots: SideFile | null;
  sitemap: SideFile | null;
  /** The response to plain HTTP; null if there was none. */
  plainHttp: { status: number; location: string | null } | null;
}

interface Visit {
  limits: VisitLimits;
  allowPrivate: boolean;
  deadline: AbortSignal;
}

/**
 * Fetches a page like a browser, and checks the address of each redirect before following it. A host name that resolves
 * to a private address cannot be detected here, but Cloudflare's network does not reach private addresses.
 */
export async function visitSite(
  url: string,
  { allowPrivate, limits = VISIT }: { allowPrivate: boolean; limits?: VisitLimits },
): Promise<MeasuredSite> {
  const visit: Visit = { limits, allowPrivate, deadline: AbortSignal.timeout(limits.totalMs) };
  const { response, redirects, responseMs, finalUrl } = await follow(visit, url);
  const contentType = response.headers.get("content-type") ?? "";
  if (!isHtml(contentType)) {
    await response.body?.cancel();
    throw new AppError("validation_failed", `${finalUrl} is not a web page.`, {
      errors: [{ path: "website", message: `returned ${contentType.slice(0, 80) || "no content type"}, not HTML` }],
    });
  }
  const origin = new URL(finalUrl).origin;
  const [body, robots, plainHttp] = await Promise.all([
    readBytes(response, limits.maxBytes, deadlineFor(visit), finalUrl),
    sideFile(visit, `${origin}/robots.txt`),
    plainHttpOf(visit, finalUrl),
  ]);
  const sitemap = await sideFile(visit, sitemapIn(robots) ?? `${origin}/sitemap.xml`);
  const { text, charset } = decoded(body.bytes, contentType);
  return {
    url: finalUrl,
    redirects,
    status: response.status,
    headers: response.headers,
    contentType,
    bytes: body.bytes.byteLength,
    isCut: body.isCut,
    responseMs,
    charset,
    page: await readPage(text, finalUrl),
    robots,
    sitemap,
    plainHttp,
  };
}

/** Why a site must not be visited. Plain HTTP is allowed: no secret is sent, and the audit reports it. */
export function siteAddressProblem(url: string, allowPrivate: boolean): string | null {
  return outsideAddressProblem(url.replace(/^http:/i, "https:"), { allowPrivate });
}

async function follow(visit: Visit, start: string) {
  const redirects: Hop[] = [];
  let url = start;
  for (;;) {
    const problem = siteAddressProblem(url, visit.allowPrivate);
    if (problem) throw refused(url, problem, redirects.length > 0);
    const { response, ms } = await call(visit, url);
    const location = isRedirect(response.status) ? response.headers.get("location") : null;
    if (location === null) return { response, redirects, responseMs: ms, finalUrl: url };
    await response.body?.cancel();
    redirects.push({ url, status: response.status });
    if (redirects.length > visit.limits.maxHops) {
      throw new AppError("provider_error", `${start} redirects more than ${visit.limits.maxHops} times.`);
    }
    const next = URL.canParse(location, url) ? new URL(location, url) : null;
    if (!next) throw new AppError("provider_error", `${url} redirects to an invalid address.`);
    next.hash = "";
    url = next.href;
  }
}

function refused(url: string, problem: string, isRedirected: boolean): AppError {
  const message = isRedirected ? `redirects to ${url.slice(0, 200)}, which ${problem}` : problem;
  return new AppError("validation_failed", "The website cannot be visited.", {
    errors: [{ path: "website", message }],
  });
}

async function call(visit: Visit, url: string): Promise<{ response: Response; ms: number }> {
  const startedAt = Date.now();
  try {
    const response = await fetch(url, {
      redirect: "manual",
      signal: deadlineFor(visit),
      headers: { accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5", "user-agent": USER_AGENT },
    });
    return { response, ms: Date.now() - startedAt };
  } catch (error) {
    throw siteFailure(error, url);
  }
}

function deadlineFor({ limits, deadline }: Visit): AbortSignal {
  return AbortSignal.any([deadline, AbortSignal.timeout(limits.callMs)]);
}

function siteFailure(error: unknown, url: string): AppError {
  if (error instanceof AppError) return error;
  const { host } = new URL(url);
  if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError")) {
    return new AppError("provider_timeout", `${host} did not respond in time.`);
  }
  return new AppError("provider_error", `${host} could not be reached.`);
}

/** Stops at the maximum size or at the deadline, so that a slow body ends as a timeout. */
async function readBytes(response: Response, max: number, signal: AbortSignal, url: string) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  if (!reader) return { bytes: new Uint8Array(), isCut: false };
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  try {
    while (size <= max) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) return { bytes: joinBytes(chunks), isCut: false };
      chunks.push(value);
      size += value.byteLength;
    }
    return { bytes: joinBytes(chunks).subarray(0, max), isCut: true };
  } catch (error) {
    throw siteFailure(error, url);
  } finally {
    // The text that was read counts even if closing the connection fails.
    reader.cancel().catch(() => {});
  }
}

/** A missing robots.txt or sitemap is a finding, not a failure. */
async function sideFile(visit: Visit, url: string): Promise<SideFile | null> {
  try {
    const { response, finalUrl } = await follow(visit, url);
    const contentType = response.headers.get("content-type") ?? "";
    const { bytes } = await readBytes(response, MAX_SMALL_BYTES, deadlineFor(visit), finalUrl);
    return { url: finalUrl, status: response.status, contentType, text: new TextDecoder().decode(bytes) };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function plainHttpOf(visit: Visit, finalUrl: string): Promise<MeasuredSite["plainHttp"]> {
  const { protocol, port, hostname, pathname } = new URL(finalUrl);
  if (protocol !== "https:" || port !== "") return null;
  try {
    const { response } = await call(visit, `http://${hostname}${pathname}`);
    await response.body?.cancel();
    const location = isRedirect(response.status) ? response.headers.get("location") : null;
    return { status: response.status, location };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function sitemapIn(robots: SideFile | null): string | null {
  if (robots?.status !== 200) return null;
  const found = /^\s{0,10}sitemap\s{0,10}:\s{0,10}(\S{1,1000})/im.exec(robots.text)?.[1];
  return found && URL.canParse(found, robots.url) ? new URL(found, robots.url).href : null;
}

/** An unknown charset is read as UTF-8. */
function decoded(bytes: Uint8Array, contentType: string): { text: string; charset: string | null } {
  const label =
    /charset\s?=\s?["']?([\w:.-]{1,40})/i.exec(contentType)?.[1] ??
    /<meta[^>]{0,200}charset\s?=\s?["']?([\w:.-]{1,40})/i.exec(
      new TextDecoder("latin1").decode(bytes.subarray(0, 2048)),
    )?.[1] ??
    null;
  try {
    return { text: new TextDecoder(label ?? "utf-8").decode(bytes), charset: label };
  } catch {
    return { text: new TextDecoder().decode(bytes), charset: label };
  }
}

function isHtml(contentType: string): boolean {
  return /^\s{0,5}(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}
