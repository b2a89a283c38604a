import { collapseSpace, firstCharacters } from "../lib/text.ts";

/** The contents of the HTML. Texts are shortened and have no control characters. */
export interface PageFacts {
  titles: string[];
  description: string | null;
  viewport: string | null;
  language: string | null;
  robotsMeta: string | null;
  canonicals: string[];
  headings: { level: number; text: string }[];
  images: { total: number; withoutAlternative: number; examples: string[] };
  links: { total: number; withoutText: number; examples: string[] };
  fields: { total: number; unlabelled: number; examples: string[] };
  scripts: { total: number; inline: number; blocking: number };
  structured: { types: string[]; broken: number };
  sharing: Record<string, string>;
  hasIcon: boolean;
  /** Addresses that an HTTPS page loads over HTTP. */
  insecure: string[];
  /** Parsing stopped before the end; the other fields are up to that point. */
  isBroken: boolean;
}

const MAX_TEXT = 300;
const MAX_EXAMPLES = 3;
const MAX_HEADINGS = 200;
const MAX_JSON = 100_000;

// Control and direction characters, which would garble a report.
const INVISIBLE = /[\p{Cc}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

function clean(text: string | null | undefined): string {
  return firstCharacters(collapseSpace((text ?? "").slice(0, MAX_TEXT * 4).replace(INVISIBLE, " ")), MAX_TEXT);
}

export async function readPage(html: string, url: string): Promise<PageFacts> {
  const facts: PageFacts = {
    titles: [],
    description: null,
    viewport: null,
    language: null,
    robotsMeta: null,
    canonicals: [],
    headings: [],
    images: { total: 0, withoutAlternative: 0, examples: [] },
    links: { total: 0, withoutText: 0, examples: [] },
    fields: { total: 0, unlabelled: 0, examples: [] },
    scripts: { total: 0, inline: 0, blocking: 0 },
    structured: { types: [], broken: 0 },
    sharing: {},
    hasIcon: false,
    insecure: [],
    isBroken: false,
  };
  const rewriter = new HTMLRewriter();
  readHead(rewriter, facts);
  readHeadings(rewriter, facts);
  readImagesAndLinks(rewriter, facts);
  const finishFields = readFields(rewriter, facts);
  const finishScripts = readScripts(rewriter, facts);
  if (url.startsWith("https:")) readInsecure(rewriter, facts);
  try {
    await rewriter.transform(new Response(html)).arrayBuffer();
  } catch {
    facts.isBroken = true;
  }
  finishFields();
  finishScripts();
  return facts;
}

function readHead(rewriter: HTMLRewriter, facts: PageFacts): void {
  let drawings = 0;
  const sharing = (name: string, content: string) => {
    if (content && !(name in facts.sharing) && Object.keys(facts.sharing).length < 30) facts.sharing[name] = content;
  };
  rewriter
    .on("html", {
      element(element) {
        facts.language ??= clean(element.getAttribute("lang")) || null;
      },
    })
    // An inline SVG may have its own title element.
    .on("svg", {
      element(element) {
        drawings += 1;
        atEnd(element, () => {
          drawings -= 1;
        });
      },
    })
    .on(
      "title",
      collectText((text) => {
        if (drawings === 0 && facts.titles.length < 5) facts.titles.push(text);
      }),
    )
    .on("meta", {
      element(element) {
        const name = (element.getAttribute("name") ?? element.getAttribute("property") ?? "")
          .toLowerCase()
          .slice(0, 60);
        const content = clean(element.getAttribute("content"));
        if (name === "description") facts.description ??= content;
        else if (name === "viewport") facts.viewport ??= content;
        else if (name === "robots" || name === "googlebot")
          facts.robotsMeta = [facts.robotsMeta, content].filter(Boolean).join(", ");
        else if (/^(?:og|twitter):/.test(name)) sharing(name, content);
      },
    })
    .on("link[rel][href]", {
      element(element) {
        const rel = (element.getAttribute("rel") ?? "").toLowerCase().split(/\s+/);
        if (rel.includes("icon") || rel.includes("apple-touch-icon")) facts.hasIcon = true;
        if (rel.includes("canonical") && facts.canonicals.length < 5)
          facts.canonicals.push(clean(element.getAttribute("href")));
      },
    });
}

/** A self-closing element inside an SVG has no end tag. */
function atEnd(element: Element, done: () => void): void {
  try {
    element.onEndTag(done);
  } catch {
    done();
  }
}

function collectText(done: (text: string) => void): HTMLRewriterElementContentHandlers {
  let text = "";
  return {
    element(element) {
      text = "";
      atEnd(element, () => done(clean(text)));
    },
    text(chunk) {
      if (text.length < MAX_TEXT * 4) text += chunk.text;
    },
  };
}

function readHeadings(rewriter: HTMLRewriter, facts: PageFacts): void {
  for (const level of [1, 2, 3, 4, 5, 6]) {
    let open: { level: number; text: string } | null = null;
    rewriter.on(`h${level}`, {
      element(element) {
        if (facts.headings.length >= MAX_HEADINGS) return;
        const heading = { level, text: "" };
        open = heading;
        facts.headings.push(heading);
        atEnd(element, () => {
          heading.text = clean(heading.text);
          open = null;
        });
      },
      text(chunk) {
        if (open && open.text.length < MAX_TEXT * 4) open.text += chunk.text;
      },
    });
  }
}

function readImagesAndLinks(rewriter: HTMLRewriter, facts: PageFacts): void {
  let link: { href: string; hasName: boolean } | null = null;
  rewriter
    .on("a[href]", {
      element(element) {
        const label =
          element.getAttribute("aria-label") ||
          element.getAttribute("aria-labelledby") ||
          element.getAttribute("title");
        const open = { href: clean(element.getAttribute("href")), hasName: Boolean(label?.trim()) };
        link = open;
        facts.links.total += 1;
        atEnd(element, () => {
          link = null;
          if (open.hasName) return;
          facts.links.withoutText += 1;
          if (facts.links.examples.length < MAX_EXAMPLES) facts.links.examples.push(open.href);
        });
      },
      text(chunk) {
        if (link && /\S/.test(chunk.text)) link.hasName = true;
      },
    })
    .on("img", {
      element(element) {
        const alternative = element.getAttribute("alt");
        if (link && alternative?.trim()) link.hasName = true;
        const isHidden =
          element.getAttribute("aria-hidden") === "true" || element.getAttribute("role") === "presentation";
        facts.images.total += 1;
        // An empty alt attribute is correct for decoration; a missing one is not.
        if (alternative !== null || isHidden || element.hasAttribute("aria-label")) return;
        facts.images.withoutAlternative += 1;
        if (facts.images.examples.length < MAX_EXAMPLES) facts.images.examples.push(clean(element.getAttribute("src")));
      },
    })
    .on("svg title", {
      text(chunk) {
        if (link && /\S/.test(chunk.text)) link.hasName = true;
      },
    });
}

const UNLABELLED_INPUTS = new Set(["hidden", "submit", "button", "reset", "image"]);

/** A label may come after its field, so missing labels are known only at the end. */
function readFields(rewriter: HTMLRewriter, facts: PageFacts): () => void {
  const labelled = new Set<string>();
  const waiting: { id: string; name: string }[] = [];
  let openLabels = 0;
  rewriter
    .on("label", {
      element(element) {
        const target = element.getAttribute("for");
        if (target && labelled.size < 2000) labelled.add(target);
        openLabels += 1;
        atEnd(element, () => {
          openLabels -= 1;
        });
      },
    })
    .on("input, select, textarea", {
      element(element) {
        if (UNLABELLED_INPUTS.has((element.getAttribute("type") ?? "").toLowerCase())) return;
        facts.fields.total += 1;
        const label = ["aria-label", "aria-labelledby", "title"].some((name) => element.getAttribute(name)?.trim());
        if (label || openLabels > 0 || waiting.length >= 2000) return;
        const id = element.getAttribute("id") ?? "";
        waiting.push({ id, name: clean(element.getAttribute("name") || id || element.tagName) });
      },
    });
  return () => {
    const without = waiting.filter(({ id }) => id === "" || !labelled.has(id));
    facts.fields.unlabelled = without.length;
    facts.fields.examples = without.slice(0, MAX_EXAMPLES).map(({ name }) => name);
  };
}

function readScripts(rewriter: HTMLRewriter, facts: PageFacts): () => void {
  const documents: string[] = [];
  // The tags of head and body are optional, so the head ends where content begins.
  let isHead = true;
  rewriter
    .on("body, header, main, nav, section, article, div, p, h1, h2, h3, img, form", {
      element() {
        isHead = false;
      },
    })
    .on("script", {
      element(element) {
        const type = (element.getAttribute("type") ?? "").toLowerCase();
        if (/json/.test(type)) return;
        facts.scripts.total += 1;
        if (!element.hasAttribute("src")) {
          facts.scripts.inline += 1;
          return;
        }
        const isLater = element.hasAttribute("async") || element.hasAttribute("defer");
        if (isHead && !isLater && element.getAttribute("type") !== "module") facts.scripts.blocking += 1;
      },
    })
    .on('script[type="application/ld+json"]', {
      element() {
        if (documents.length < 20) documents.push("");
      },
      text(chunk) {
        const last = documents.length - 1;
        if ((documents[last]?.length ?? MAX_JSON) < MAX_JSON) documents[last] += chunk.text;
      },
    });
  return () => {
    const types = new Set<string>();
    for (const document of documents) {
      try {
        typesIn(JSON.parse(document), types, 0);
      } catch {
        facts.structured.broken += 1;
      }
    }
    facts.structured.types = [...types].slice(0, 10);
  };
}

function typesIn(value: unknown, types: Set<string>, depth: number): void {
  if (depth > 4 || typeof value !== "object" || value === null || types.size >= 10) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 50)) typesIn(item, types, depth + 1);
    return;
  }
  if ("@type" in value) {
    for (const type of [value["@type"]].flat()) if (typeof type === "string") types.add(clean(type).slice(0, 60));
  }
  if ("@graph" in value) typesIn(value["@graph"], types, depth + 1);
}

function readInsecure(rewriter: HTMLRewriter, facts: PageFacts): void {
  const note = (attribute: string) => ({
    element(element: Element) {
      const address = clean(element.getAttribute(attribute));
      if (/^http:\/\//i.test(address) && facts.insecure.length < 20) facts.insecure.push(address);
    },
  });
  rewriter
    .on("img[src], script[src], iframe[src], video[src], audio[src], source[src], embed[src]", note("src"))
    .on('link[rel="stylesheet"][href]', note("href"));
}
