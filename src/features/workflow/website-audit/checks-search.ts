import { countCharacters } from "../../../lib/text.ts";
import type { MeasuredSite } from "../../../providers/site.ts";
import { type Check, type Outcome, shown } from "./check.ts";

/** A text that should have a length in between; one of another length earns half. */
function lengthOutcome(name: string, text: string | null | undefined, min: number, max: number): Outcome {
  if (!text) return { credit: 0, text: `The page has no ${name}.`, evidence: `no ${name} in the markup` };
  const length = countCharacters(text);
  const evidence = `${length} characters: ${shown(text)}`;
  if (length < min) return { credit: 0.5, text: `The ${name} is short.`, evidence };
  if (length > max) return { credit: 0.5, text: `The ${name} is longer than results show.`, evidence };
  return { credit: 1, text: `The ${name} has a good length.`, evidence };
}

/** Whether robots.txt shuts every crawler out of the whole site. */
function shutsAllOut({ robots }: MeasuredSite): boolean {
  if (robots?.status !== 200) return false;
  let isForAll = false;
  let isRule = false;
  for (const line of robots.text.split("\n").slice(0, 2000)) {
    const [, name = "", value = ""] = /^\s{0,10}([a-z-]{1,20})\s{0,5}:\s{0,5}([^#]{0,500})/i.exec(line) ?? [];
    const rule = value.trim();
    if (name.toLowerCase() === "user-agent") {
      isForAll = rule === "*" || (isForAll && !isRule);
      isRule = false;
    } else if (name !== "") {
      isRule = true;
      if (isForAll && name.toLowerCase() === "disallow" && (rule === "/" || rule === "/*")) return true;
    }
  }
  return false;
}

function indexing(site: MeasuredSite): Outcome {
  const header = site.headers.get("x-robots-tag")?.slice(0, 200) ?? "";
  const meta = site.page.robotsMeta ?? "";
  const shut = { credit: 0, text: "Search engines are told to stay away." };
  if (/\b(?:noindex|none)\b/i.test(meta)) return { ...shut, evidence: `robots meta: ${shown(meta)}` };
  if (/\b(?:noindex|none)\b/i.test(header)) return { ...shut, evidence: `x-robots-tag: ${shown(header)}` };
  if (shutsAllOut(site)) return { ...shut, evidence: "robots.txt: “Disallow: /” for every crawler" };
  const evidence = meta ? `robots meta: ${shown(meta)}` : "no noindex in the page, its headers or robots.txt";
  return { credit: 1, text: "Search engines may list the page.", evidence };
}

function canonical({ page, url }: MeasuredSite): Outcome {
  const [first] = page.canonicals;
  if (!first) return { credit: 0, text: "The page names no canonical address.", evidence: "no canonical link" };
  const evidence = page.canonicals.map(shown).join(", ");
  if (page.canonicals.length > 1) return { credit: 0.5, text: "The page names several canonical addresses.", evidence };
  if (!URL.canParse(first, url)) return { credit: 0, text: "The canonical address is not an address.", evidence };
  return { credit: 1, text: "The page names its canonical address.", evidence };
}

export const SEARCH_CHECKS: readonly Check[] = [
  {
    id: "title",
    section: "Search engines",
    weight: 6,
    severity: "high",
    ofPage: true,
    advice: {
      text: "Give the page a title of 10 to 60 characters that says what it offers.",
      impact: "high",
      effort: "low",
    },
    measure: ({ page }) => lengthOutcome("title", page.titles[0], 10, 60),
  },
  {
    id: "description",
    section: "Search engines",
    weight: 4,
    severity: "medium",
    ofPage: true,
    advice: { text: "Write a meta description of 50 to 160 characters.", impact: "medium", effort: "low" },
    measure: ({ page }) => lengthOutcome("meta description", page.description, 50, 160),
  },
  {
    id: "indexing",
    section: "Search engines",
    weight: 6,
    severity: "high",
    ofPage: true,
    advice: {
      text: "Let search engines list the page, unless it is meant to stay private.",
      impact: "high",
      effort: "low",
    },
    measure: indexing,
  },
  {
    id: "h1",
    section: "Search engines",
    weight: 4,
    severity: "medium",
    ofPage: true,
    advice: { text: "Give the page one main heading that names its topic.", impact: "medium", effort: "low" },
    measure({ page }) {
      const main = page.headings.filter(({ level }) => level === 1);
      const evidence = `${main.length} h1${
        main[0]
          ? `: ${main
              .slice(0, 3)
              .map(({ text }) => shown(text))
              .join(", ")}`
          : ""
      }`;
      if (main.length === 0) return { credit: 0, text: "The page has no main heading.", evidence };
      if (main.length > 1) return { credit: 0.5, text: "The page has several main headings.", evidence };
      return { credit: 1, text: "The page has one main heading.", evidence };
    },
  },
  {
    id: "canonical",
    section: "Search engines",
    weight: 3,
    severity: "low",
    ofPage: true,
    advice: { text: "Name one canonical address in the head.", impact: "medium", effort: "low" },
    measure: canonical,
  },
  {
    id: "robots-txt",
    section: "Search engines",
    weight: 2,
    severity: "low",
    ofPage: false,
    advice: { text: "Publish a robots.txt that names the sitemap.", impact: "low", effort: "low" },
    measure({ robots }) {
      if (!robots) return null;
      const isThere = robots.status === 200 && !/html/i.test(robots.contentType);
      return {
        credit: isThere ? 1 : 0,
        text: isThere ? "There is a robots.txt." : "There is no robots.txt.",
        evidence: `${robots.url} answered ${robots.status} ${robots.contentType.slice(0, 60)}`.trim(),
      };
    },
  },
  {
    id: "sitemap",
    section: "Search engines",
    weight: 2,
    severity: "low",
    ofPage: false,
    advice: { text: "Publish a sitemap and name it in robots.txt.", impact: "medium", effort: "low" },
    measure({ sitemap }) {
      if (!sitemap) return null;
      const isThere =
        sitemap.status === 200 &&
        (/<(?:\w+:)?(?:urlset|sitemapindex)\b/.test(sitemap.text) || /gzip/.test(sitemap.contentType));
      return {
        credit: isThere ? 1 : 0,
        text: isThere ? "There is a sitemap." : "There is no sitemap.",
        evidence: `${sitemap.url} answered ${sitemap.status} ${sitemap.contentType.slice(0, 60)}`.trim(),
      };
    },
  },
  {
    id: "structured-data",
    section: "Search engines",
    weight: 3,
    severity: "low",
    ofPage: true,
    advice: { text: "Describe the business in JSON-LD with a schema.org type.", impact: "medium", effort: "medium" },
    measure({ page: { structured } }) {
      const { types, broken } = structured;
      const named = types.length > 0 ? `types ${types.map(shown).join(", ")}` : "no JSON-LD type";
      if (broken > 0)
        return {
          credit: types.length > 0 ? 0.5 : 0,
          text: "Some of the structured data cannot be read.",
          evidence: `${broken} broken JSON-LD, ${named}`,
        };
      return {
        credit: types.length > 0 ? 1 : 0,
        text: types.length > 0 ? "The page carries structured data." : "The page carries no structured data.",
        evidence: named,
      };
    },
  },
];
