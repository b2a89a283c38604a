import { countCharacters } from "../../../lib/text.ts";
import type { MeasuredSite, SideFile } from "../../../providers/site.ts";
import { type Check, type Outcome, outcome, pageChecks, passOrFail, quoted, responseChecks } from "./check.ts";

/** A text that is too short or too long earns half. */
function lengthOutcome(name: string, text: string | null | undefined, min: number, max: number): Outcome {
  if (!text) return outcome(0, `The page has no ${name}.`, `no ${name} in the HTML`);
  const length = countCharacters(text);
  const evidence = `${length} characters: ${quoted(text)}`;
  if (length < min) return outcome(0.5, `The ${name} is short.`, evidence);
  if (length > max) return outcome(0.5, `The ${name} is longer than search results show.`, evidence);
  return outcome(1, `The ${name} has a good length.`, evidence);
}

/** Whether robots.txt blocks every crawler from the whole site. */
function blocksCrawlers({ robots }: MeasuredSite): boolean {
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
  const blocked = (evidence: string) => outcome(0, "Search engines are told not to list the page.", evidence);
  if (/\b(?:noindex|none)\b/i.test(meta)) return blocked(`robots meta: ${quoted(meta)}`);
  if (/\b(?:noindex|none)\b/i.test(header)) return blocked(`x-robots-tag: ${quoted(header)}`);
  if (blocksCrawlers(site)) return blocked("robots.txt: “Disallow: /” for every crawler");
  const evidence = meta ? `robots meta: ${quoted(meta)}` : "no noindex in the page, its headers or robots.txt";
  return outcome(1, "Search engines may list the page.", evidence);
}

function canonical({ page, url }: MeasuredSite): Outcome {
  const [first] = page.canonicals;
  if (!first) return outcome(0, "The page has no canonical address.", "no canonical link");
  const evidence = page.canonicals.map(quoted).join(", ");
  if (page.canonicals.length > 1) return outcome(0.5, "The page has several canonical addresses.", evidence);
  if (!URL.canParse(first, url)) return outcome(0, "The canonical address is not a valid address.", evidence);
  return outcome(1, "The page has a canonical address.", evidence);
}

function mainHeading({ page }: MeasuredSite): Outcome {
  const main = page.headings.filter(({ level }) => level === 1).map(({ text }) => quoted(text));
  const evidence = `${main.length} h1${main.length > 0 ? `: ${main.slice(0, 3).join(", ")}` : ""}`;
  if (main.length === 0) return outcome(0, "The page has no main heading.", evidence);
  if (main.length > 1) return outcome(0.5, "The page has several main headings.", evidence);
  return outcome(1, "The page has one main heading.", evidence);
}

function fileOutcome(name: string, file: SideFile | null, isValid: (file: SideFile) => boolean): Outcome | null {
  if (!file) return null;
  const isThere = file.status === 200 && isValid(file);
  const evidence = `${file.url} returned ${file.status} ${file.contentType.slice(0, 60)}`.trim();
  return passOrFail(isThere, `There is a ${name}.`, `There is no ${name}.`, evidence);
}

function structuredData({ page: { structured } }: MeasuredSite): Outcome {
  const { types, broken } = structured;
  const named = types.length > 0 ? `types ${types.map(quoted).join(", ")}` : "no JSON-LD type";
  if (broken > 0) {
    const evidence = `${broken} invalid JSON-LD, ${named}`;
    return outcome(types.length > 0 ? 0.5 : 0, "Some of the structured data is invalid.", evidence);
  }
  return passOrFail(types.length > 0, "The page has structured data.", "The page has no structured data.", named);
}

export const SEARCH_CHECKS: readonly Check[] = [
  ...pageChecks("Search engines", {
    title: {
      weight: 6,
      severity: "high",
      advice: { text: "Write a title of 10 to 60 characters that says what you offer.", impact: "high", effort: "low" },
      measure: ({ page }) => lengthOutcome("title", page.titles[0], 10, 60),
    },
    description: {
      weight: 4,
      severity: "medium",
      advice: { text: "Write a meta description of 50 to 160 characters.", impact: "medium", effort: "low" },
      measure: ({ page }) => lengthOutcome("meta description", page.description, 50, 160),
    },
    indexing: {
      weight: 6,
      severity: "high",
      advice: { text: "Allow search engines to list the page, unless it is private.", impact: "high", effort: "low" },
      measure: indexing,
    },
    h1: {
      weight: 4,
      severity: "medium",
      advice: { text: "Give the page one main heading that names its topic.", impact: "medium", effort: "low" },
      measure: mainHeading,
    },
    canonical: {
      weight: 3,
      severity: "low",
      advice: { text: "Set one canonical address in the head.", impact: "medium", effort: "low" },
      measure: canonical,
    },
  }),
  ...responseChecks("Search engines", {
    "robots-txt": {
      weight: 2,
      severity: "low",
      advice: { text: "Publish a robots.txt that names the sitemap.", impact: "low", effort: "low" },
      measure: ({ robots }) => fileOutcome("robots.txt", robots, ({ contentType }) => !/html/i.test(contentType)),
    },
    sitemap: {
      weight: 2,
      severity: "low",
      advice: { text: "Publish a sitemap and name it in robots.txt.", impact: "medium", effort: "low" },
      measure: ({ sitemap }) =>
        fileOutcome(
          "sitemap",
          sitemap,
          ({ text, contentType }) => /<(?:\w+:)?(?:urlset|sitemapindex)\b/.test(text) || /gzip/.test(contentType),
        ),
    },
  }),
  ...pageChecks("Search engines", {
    "structured-data": {
      weight: 3,
      severity: "low",
      advice: { text: "Describe the business in JSON-LD with a schema.org type.", impact: "medium", effort: "medium" },
      measure: structuredData,
    },
  }),
];
