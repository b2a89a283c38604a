import type { MeasuredSite } from "../../../providers/site.ts";
import { type Check, kilobytes, type Outcome, shown } from "./check.ts";

const HALF_A_YEAR_S = 15_552_000;
/** Below this, packing saves less than it costs. */
const WORTH_PACKING = 1400;

const isHttps = ({ url }: MeasuredSite) => url.startsWith("https:");
const header = ({ headers }: MeasuredSite, name: string) => headers.get(name)?.slice(0, 300) ?? null;

function headerCheck(site: MeasuredSite, name: string, protects: string): Outcome {
  const value = header(site, name);
  return value
    ? { credit: 1, text: `${name} is set.`, evidence: `${name}: ${value}` }
    : { credit: 0, text: `${name} is missing: ${protects}.`, evidence: `no ${name} header in the answer` };
}

export const TRANSPORT_CHECKS: readonly Check[] = [
  {
    id: "status",
    section: "Delivery",
    weight: 10,
    severity: "critical",
    ofPage: false,
    advice: { text: "Make the page answer with status 200.", impact: "high", effort: "medium" },
    measure: ({ status, url }) => ({
      credit: status >= 200 && status < 300 ? 1 : 0,
      text: status >= 200 && status < 300 ? "The page answers." : "The page answers with an error.",
      evidence: `${url} answered ${status}`,
    }),
  },
  {
    id: "redirects",
    section: "Delivery",
    weight: 3,
    severity: "low",
    ofPage: false,
    advice: { text: "Link and redirect straight to the final address.", impact: "low", effort: "low" },
    measure({ redirects, url }) {
      const chain = [...redirects.map((hop) => `${hop.url} (${hop.status})`), url].join(" → ");
      if (redirects.length === 0) return { credit: 1, text: "The address leads straight to the page.", evidence: url };
      const credit = redirects.length === 1 ? 1 : redirects.length === 2 ? 0.5 : 0;
      return {
        credit,
        text: `${redirects.length === 1 ? "One redirect stands" : `${redirects.length} redirects stand`} before the page.`,
        evidence: chain,
      };
    },
  },
  {
    id: "response-time",
    section: "Delivery",
    weight: 4,
    severity: "medium",
    ofPage: false,
    advice: {
      text: "Cache the page near its readers, and make the server answer sooner.",
      impact: "high",
      effort: "medium",
    },
    measure: ({ responseMs }) => ({
      credit: responseMs <= 800 ? 1 : responseMs <= 2000 ? 0.5 : 0,
      text: responseMs <= 800 ? "The server answers quickly." : "The server takes long to answer.",
      evidence: `first byte after ${responseMs} ms, measured once from the service's own location`,
    }),
  },
  {
    id: "size",
    section: "Delivery",
    weight: 3,
    severity: "medium",
    ofPage: true,
    advice: {
      text: "Send less markup: move data, styles and images out of the page.",
      impact: "medium",
      effort: "medium",
    },
    measure: ({ bytes, isCut }) => ({
      credit: isCut || bytes > 1_500_000 ? 0 : bytes > 500_000 ? 0.5 : 1,
      text: isCut || bytes > 500_000 ? "The markup is large." : "The markup is small.",
      evidence: `${isCut ? "more than " : ""}${kilobytes(bytes)} of HTML, unpacked`,
    }),
  },
  {
    id: "compression",
    section: "Delivery",
    weight: 4,
    severity: "medium",
    ofPage: true,
    advice: { text: "Turn on gzip or Brotli for text.", impact: "medium", effort: "low" },
    measure(site) {
      if (site.bytes < WORTH_PACKING) return null;
      const encoding = header(site, "content-encoding");
      return encoding
        ? { credit: 1, text: "The page is sent compressed.", evidence: `content-encoding: ${encoding}` }
        : {
            credit: 0,
            text: "The page is sent without compression.",
            evidence: `no content-encoding for ${kilobytes(site.bytes)}`,
          };
    },
  },
  {
    id: "scripts",
    section: "Delivery",
    weight: 3,
    severity: "low",
    ofPage: true,
    advice: { text: "Load scripts in the head with `defer` or `async`.", impact: "medium", effort: "low" },
    measure: ({ page: { scripts } }) => ({
      credit: scripts.blocking === 0 ? 1 : scripts.blocking <= 3 ? 0.5 : 0,
      text:
        scripts.blocking === 0 ? "No script in the head holds the page up." : "Scripts in the head hold the page up.",
      evidence: `${scripts.blocking} blocking in the head, ${scripts.inline} inline, ${scripts.total} in all`,
    }),
  },
  {
    id: "https",
    section: "Security",
    weight: 12,
    severity: "critical",
    ofPage: false,
    advice: { text: "Serve the site over HTTPS only.", impact: "high", effort: "low" },
    measure: (site) => ({
      credit: isHttps(site) ? 1 : 0,
      text: isHttps(site) ? "The page is served over HTTPS." : "The page is served in the clear.",
      evidence: site.url,
    }),
  },
  {
    id: "http-to-https",
    section: "Security",
    weight: 5,
    severity: "high",
    ofPage: false,
    advice: { text: "Redirect every plain http address to https, permanently.", impact: "high", effort: "low" },
    measure({ plainHttp }) {
      if (!plainHttp) return null;
      const { status, location } = plainHttp;
      const leads = location !== null && /^https:/i.test(location);
      const credit = leads ? (status === 301 || status === 308 ? 1 : 0.5) : 0;
      const text = leads ? "Plain http leads to https." : "Plain http does not lead to https.";
      return { credit, text, evidence: `http answered ${status}${location ? ` to ${location.slice(0, 200)}` : ""}` };
    },
  },
  {
    id: "hsts",
    section: "Security",
    weight: 4,
    severity: "medium",
    ofPage: false,
    advice: {
      text: "Send Strict-Transport-Security with a max-age of at least half a year.",
      impact: "medium",
      effort: "low",
    },
    measure(site) {
      if (!isHttps(site)) return null;
      const outcome = headerCheck(site, "strict-transport-security", "a first visit can be led to plain http");
      const seconds = Number(/max-age\s?=\s?"?(\d{1,12})/i.exec(outcome.evidence)?.[1] ?? 0);
      if (outcome.credit === 0 || seconds >= HALF_A_YEAR_S) return outcome;
      return {
        ...outcome,
        credit: seconds > 0 ? 0.5 : 0,
        text: "strict-transport-security holds for too short a time.",
      };
    },
  },
  {
    id: "csp",
    section: "Security",
    weight: 4,
    severity: "medium",
    ofPage: false,
    advice: {
      text: "Send a Content-Security-Policy that names where scripts may come from.",
      impact: "high",
      effort: "medium",
    },
    measure(site) {
      const outcome = headerCheck(site, "content-security-policy", "injected scripts would run");
      const trial = header(site, "content-security-policy-report-only");
      if (outcome.credit === 1 || !trial) return outcome;
      return {
        credit: 0.5,
        text: "The Content-Security-Policy only reports.",
        evidence: `content-security-policy-report-only: ${trial}`,
      };
    },
  },
  {
    id: "framing",
    section: "Security",
    weight: 2,
    severity: "medium",
    ofPage: false,
    advice: {
      text: "Say with `frame-ancestors` or X-Frame-Options who may frame the page.",
      impact: "medium",
      effort: "low",
    },
    measure(site) {
      const policy = header(site, "content-security-policy");
      if (policy && /frame-ancestors/i.test(policy)) {
        return { credit: 1, text: "Framing is limited.", evidence: `content-security-policy: ${policy}` };
      }
      return headerCheck(site, "x-frame-options", "any site can frame the page");
    },
  },
  {
    id: "nosniff",
    section: "Security",
    weight: 2,
    severity: "low",
    ofPage: false,
    advice: { text: "Send X-Content-Type-Options: nosniff.", impact: "low", effort: "low" },
    measure: (site) => headerCheck(site, "x-content-type-options", "browsers may guess content types"),
  },
  {
    id: "referrer-policy",
    section: "Security",
    weight: 1,
    severity: "low",
    ofPage: false,
    advice: { text: "Send a Referrer-Policy, such as strict-origin-when-cross-origin.", impact: "low", effort: "low" },
    measure: (site) =>
      headerCheck(site, "referrer-policy", "how much of an address leaks to other sites is left to the browser"),
  },
  {
    id: "permissions-policy",
    section: "Security",
    weight: 1,
    severity: "low",
    ofPage: false,
    advice: {
      text: "Send a Permissions-Policy that turns off what the site does not use.",
      impact: "low",
      effort: "low",
    },
    measure: (site) => headerCheck(site, "permissions-policy", "embedded content may ask for camera and location"),
  },
  {
    id: "mixed-content",
    section: "Security",
    weight: 5,
    severity: "high",
    ofPage: true,
    advice: { text: "Load every image, script and style over https.", impact: "high", effort: "low" },
    measure(site) {
      if (!isHttps(site)) return null;
      const { insecure } = site.page;
      if (insecure.length === 0)
        return {
          credit: 1,
          text: "Nothing is loaded in the clear.",
          evidence: "no http:// among images, scripts, styles and frames",
        };
      return {
        credit: 0,
        text: "Parts of the page are loaded in the clear.",
        evidence: `${insecure.length} such as ${shown(insecure[0] ?? "")}`,
      };
    },
  },
];
