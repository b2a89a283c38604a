import type { MeasuredSite } from "../../../providers/site.ts";
import {
  type Check,
  kilobytes,
  type Outcome,
  outcome,
  pageChecks,
  passOrFail,
  quoted,
  responseChecks,
} from "./check.ts";

const HALF_A_YEAR_S = 15_552_000;
/** Smaller pages do not get smaller by compression. */
const MIN_COMPRESSED_BYTES = 1400;

const isHttps = ({ url }: MeasuredSite) => url.startsWith("https:");
const header = ({ headers }: MeasuredSite, name: string) => headers.get(name)?.slice(0, 300) ?? null;

function headerCheck(site: MeasuredSite, name: string, risk: string): Outcome {
  const value = header(site, name);
  const evidence = value ? `${name}: ${value}` : `no ${name} header in the response`;
  return passOrFail(!!value, `${name} is set.`, `${name} is missing: ${risk}.`, evidence);
}

function redirectOutcome({ redirects, url }: MeasuredSite): Outcome {
  const count = redirects.length;
  if (count === 0) return outcome(1, "The address leads straight to the page.", url);
  const text = count === 1 ? "There is one redirect before the page." : `There are ${count} redirects before the page.`;
  const chain = [...redirects.map((hop) => `${hop.url} (${hop.status})`), url].join(" → ");
  return outcome(count === 1 ? 1 : count === 2 ? 0.5 : 0, text, chain);
}

function compression(site: MeasuredSite): Outcome | null {
  if (site.bytes < MIN_COMPRESSED_BYTES) return null;
  const encoding = header(site, "content-encoding");
  const evidence = encoding ? `content-encoding: ${encoding}` : `no content-encoding for ${kilobytes(site.bytes)}`;
  return passOrFail(!!encoding, "The page is sent compressed.", "The page is sent without compression.", evidence);
}

function httpRedirect({ plainHttp }: MeasuredSite): Outcome | null {
  if (!plainHttp) return null;
  const { status, location } = plainHttp;
  const evidence = `http returned ${status}${location ? ` to ${location.slice(0, 200)}` : ""}`;
  if (location === null || !/^https:/i.test(location)) return outcome(0, "HTTP does not redirect to HTTPS.", evidence);
  return outcome(status === 301 || status === 308 ? 1 : 0.5, "HTTP redirects to HTTPS.", evidence);
}

function hsts(site: MeasuredSite): Outcome | null {
  if (!isHttps(site)) return null;
  const found = headerCheck(site, "strict-transport-security", "a first visit can be led to plain HTTP");
  const seconds = Number(/max-age\s?=\s?"?(\d{1,12})/i.exec(found.evidence)?.[1] ?? 0);
  if (found.credit === 0 || seconds >= HALF_A_YEAR_S) return found;
  return outcome(seconds > 0 ? 0.5 : 0, "strict-transport-security is valid for too short a time.", found.evidence);
}

function contentSecurityPolicy(site: MeasuredSite): Outcome {
  const found = headerCheck(site, "content-security-policy", "injected scripts would run");
  const reportOnly = header(site, "content-security-policy-report-only");
  if (found.credit === 1 || !reportOnly) return found;
  const evidence = `content-security-policy-report-only: ${reportOnly}`;
  return outcome(0.5, "The Content-Security-Policy only reports.", evidence);
}

function framing(site: MeasuredSite): Outcome {
  const policy = header(site, "content-security-policy");
  if (!policy || !/frame-ancestors/i.test(policy)) {
    return headerCheck(site, "x-frame-options", "any site can frame the page");
  }
  return outcome(1, "Framing is limited.", `content-security-policy: ${policy}`);
}

function mixedContent(site: MeasuredSite): Outcome | null {
  if (!isHttps(site)) return null;
  const { insecure } = site.page;
  const [first] = insecure;
  const evidence = first
    ? `${insecure.length} such as ${quoted(first)}`
    : "no http:// among images, scripts, styles and frames";
  return passOrFail(!first, "Nothing is loaded over HTTP.", "Parts of the page are loaded over HTTP.", evidence);
}

/** Delivery and security. */
export const TRANSPORT_CHECKS: readonly Check[] = [
  ...responseChecks("Delivery", {
    status: {
      weight: 10,
      severity: "critical",
      advice: { text: "Make the page return status 200.", impact: "high", effort: "medium" },
      measure({ status, url }) {
        const isOk = status >= 200 && status < 300;
        return passOrFail(isOk, "The page is available.", "The page returns an error.", `${url} returned ${status}`);
      },
    },
    redirects: {
      weight: 3,
      severity: "low",
      advice: { text: "Link and redirect straight to the final address.", impact: "low", effort: "low" },
      measure: redirectOutcome,
    },
    "response-time": {
      weight: 4,
      severity: "medium",
      advice: { text: "Cache the page near its visitors, and speed up the server.", impact: "high", effort: "medium" },
      measure({ responseMs }) {
        const text = responseMs <= 800 ? "The server responds quickly." : "The server responds slowly.";
        const evidence = `first byte after ${responseMs} ms, measured once from the service's own location`;
        return outcome(responseMs <= 800 ? 1 : responseMs <= 2000 ? 0.5 : 0, text, evidence);
      },
    },
  }),
  ...pageChecks("Delivery", {
    size: {
      weight: 3,
      severity: "medium",
      advice: { text: "Move data, styles and images out of the HTML.", impact: "medium", effort: "medium" },
      measure({ bytes, isCut }) {
        const text = isCut || bytes > 500_000 ? "The HTML is large." : "The HTML is small.";
        const evidence = `${isCut ? "more than " : ""}${kilobytes(bytes)} of HTML, uncompressed`;
        return outcome(isCut || bytes > 1_500_000 ? 0 : bytes > 500_000 ? 0.5 : 1, text, evidence);
      },
    },
    compression: {
      weight: 4,
      severity: "medium",
      advice: { text: "Turn on gzip or Brotli for text.", impact: "medium", effort: "low" },
      measure: compression,
    },
    scripts: {
      weight: 3,
      severity: "low",
      advice: { text: "Load scripts in the head with `defer` or `async`.", impact: "medium", effort: "low" },
      measure({ page: { scripts } }) {
        const { blocking, inline, total } = scripts;
        const text = blocking === 0 ? "No script in the head delays the page." : "Scripts in the head delay the page.";
        const evidence = `${blocking} blocking in the head, ${inline} inline, ${total} in total`;
        return outcome(blocking === 0 ? 1 : blocking <= 3 ? 0.5 : 0, text, evidence);
      },
    },
  }),
  ...responseChecks("Security", {
    https: {
      weight: 12,
      severity: "critical",
      advice: { text: "Serve the site over HTTPS only.", impact: "high", effort: "low" },
      measure: (site) =>
        passOrFail(isHttps(site), "The page is served over HTTPS.", "The page is served over plain HTTP.", site.url),
    },
    "http-to-https": {
      weight: 5,
      severity: "high",
      advice: { text: "Redirect every HTTP address to HTTPS, permanently.", impact: "high", effort: "low" },
      measure: httpRedirect,
    },
    hsts: {
      weight: 4,
      severity: "medium",
      advice: { text: "Send Strict-Transport-Security for at least half a year.", impact: "medium", effort: "low" },
      measure: hsts,
    },
    csp: {
      weight: 4,
      severity: "medium",
      advice: { text: "Send a Content-Security-Policy that limits script sources.", impact: "high", effort: "medium" },
      measure: contentSecurityPolicy,
    },
    framing: {
      weight: 2,
      severity: "medium",
      advice: { text: "Limit framing with `frame-ancestors` or X-Frame-Options.", impact: "medium", effort: "low" },
      measure: framing,
    },
    nosniff: {
      weight: 2,
      severity: "low",
      advice: { text: "Send X-Content-Type-Options: nosniff.", impact: "low", effort: "low" },
      measure: (site) => headerCheck(site, "x-content-type-options", "browsers may guess content types"),
    },
    "referrer-policy": {
      weight: 1,
      severity: "low",
      advice: { text: "Send a Referrer-Policy such as strict-origin-when-cross-origin.", impact: "low", effort: "low" },
      measure: (site) =>
        headerCheck(site, "referrer-policy", "the browser decides how much of an address other sites see"),
    },
    "permissions-policy": {
      weight: 1,
      severity: "low",
      advice: { text: "Send a Permissions-Policy that disables unused features.", impact: "low", effort: "low" },
      measure: (site) => headerCheck(site, "permissions-policy", "embedded content may ask for camera and location"),
    },
  }),
  ...pageChecks("Security", {
    "mixed-content": {
      weight: 5,
      severity: "high",
      advice: { text: "Load every image, script and style over HTTPS.", impact: "high", effort: "low" },
      measure: mixedContent,
    },
  }),
];
