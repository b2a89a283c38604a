import type { MeasuredSite } from "../../../providers/site.ts";
import { type Check, type Outcome, shown } from "./check.ts";

/** How much of a number of things is as it should be; null when there are none. */
function shareOutcome(
  good: string,
  bad: string,
  counts: { total: number; wrong: number; examples: string[] },
): Outcome | null {
  const { total, wrong, examples } = counts;
  if (total === 0) return null;
  if (wrong === 0) return { credit: 1, text: good, evidence: `0 of ${total}` };
  const such = examples.filter((example) => example !== "").map(shown);
  return {
    credit: (total - wrong) / total,
    text: bad,
    evidence: `${wrong} of ${total}${such.length > 0 ? `, such as ${such.join(", ")}` : ""}`,
  };
}

function skippedLevel({ page }: MeasuredSite): Outcome | null {
  if (page.headings.length < 2) return null;
  const at = page.headings.findIndex(
    ({ level }, index) => index > 0 && level > (page.headings[index - 1]?.level ?? 0) + 1,
  );
  const heading = page.headings[at];
  if (!heading)
    return { credit: 1, text: "The headings go down step by step.", evidence: `${page.headings.length} headings` };
  const before = page.headings[at - 1]?.level;
  return {
    credit: 0,
    text: "The headings skip a level.",
    evidence: `h${before} is followed by h${heading.level} ${shown(heading.text)}`,
  };
}

/** Accessibility and sharing. */
export const ACCESS_CHECKS: readonly Check[] = [
  {
    id: "viewport",
    section: "Accessibility",
    weight: 5,
    severity: "high",
    ofPage: true,
    advice: {
      text: "Set `width=device-width, initial-scale=1` as the viewport, and let people zoom.",
      impact: "high",
      effort: "low",
    },
    measure({ page: { viewport } }) {
      if (!viewport) return { credit: 0, text: "The page is not made for phones.", evidence: "no viewport meta" };
      const isLocked = /user-scalable\s?=\s?(?:no|0)|maximum-scale\s?=\s?1(?:\.0)?\b/i.test(viewport);
      if (isLocked) return { credit: 0.5, text: "The page keeps people from zooming.", evidence: shown(viewport) };
      const fits = /width\s?=\s?device-width/i.test(viewport);
      return {
        credit: fits ? 1 : 0,
        text: fits ? "The page fits phones." : "The page does not fit phones.",
        evidence: shown(viewport),
      };
    },
  },
  {
    id: "language",
    section: "Accessibility",
    weight: 4,
    severity: "medium",
    ofPage: true,
    advice: { text: "Name the language in the `lang` attribute of `html`.", impact: "medium", effort: "low" },
    measure: ({ page: { language } }) =>
      language
        ? { credit: 1, text: "The page names its language.", evidence: `lang=${shown(language)}` }
        : { credit: 0, text: "The page does not name its language.", evidence: "no lang attribute on html" },
  },
  {
    id: "image-alternatives",
    section: "Accessibility",
    weight: 5,
    severity: "medium",
    ofPage: true,
    advice: {
      text: "Describe each image in its `alt` attribute; leave it empty for decoration.",
      impact: "high",
      effort: "medium",
    },
    measure: ({ page: { images } }) =>
      shareOutcome("Every image has an alternative.", "Images have no alternative.", {
        ...images,
        wrong: images.withoutAlternative,
      }),
  },
  {
    id: "form-labels",
    section: "Accessibility",
    weight: 4,
    severity: "medium",
    ofPage: true,
    advice: { text: "Give each form field a label.", impact: "high", effort: "low" },
    measure: ({ page: { fields } }) =>
      shareOutcome("Every form field has a label.", "Form fields have no label.", {
        ...fields,
        wrong: fields.unlabelled,
      }),
  },
  {
    id: "link-text",
    section: "Accessibility",
    weight: 3,
    severity: "medium",
    ofPage: true,
    advice: {
      text: "Give each link a text, or a label when it only shows a picture.",
      impact: "medium",
      effort: "low",
    },
    measure: ({ page: { links } }) =>
      shareOutcome("Every link has a text.", "Links have no text.", { ...links, wrong: links.withoutText }),
  },
  {
    id: "heading-order",
    section: "Accessibility",
    weight: 2,
    severity: "low",
    ofPage: true,
    advice: { text: "Let headings go down one level at a time.", impact: "low", effort: "low" },
    measure: skippedLevel,
  },
  {
    id: "charset",
    section: "Accessibility",
    weight: 2,
    severity: "low",
    ofPage: true,
    advice: { text: "Declare UTF-8 in the Content-Type header.", impact: "low", effort: "low" },
    measure: ({ charset }) => {
      if (!charset)
        return {
          credit: 0,
          text: "The page does not declare its charset.",
          evidence: "none in the header or the first 2 KB",
        };
      const isUtf8 = /^utf-?8$/i.test(charset);
      return {
        credit: isUtf8 ? 1 : 0.5,
        text: isUtf8 ? "The page is UTF-8." : "The page uses an old charset.",
        evidence: `charset ${shown(charset)}`,
      };
    },
  },
  {
    id: "markup",
    section: "Accessibility",
    weight: 2,
    severity: "medium",
    ofPage: true,
    advice: {
      text: "Correct the markup: elements are nested where they cannot be.",
      impact: "medium",
      effort: "medium",
    },
    measure: ({ page }) =>
      page.isBroken
        ? {
            credit: 0,
            text: "The markup is broken.",
            evidence: "it could not be followed to its end; the counts here are from before that",
          }
        : null,
  },
  {
    id: "open-graph",
    section: "Sharing",
    weight: 3,
    severity: "low",
    ofPage: true,
    advice: {
      text: "Add og:title, og:description and og:image, so that shared links show a card.",
      impact: "medium",
      effort: "low",
    },
    measure({ page: { sharing } }) {
      const wanted = ["og:title", "og:description", "og:image"];
      const there = wanted.filter((name) => sharing[name]);
      const text =
        there.length === 3
          ? "Shared links show a card."
          : there.length > 0
            ? "The card of shared links is incomplete."
            : "Shared links show no card.";
      return {
        credit: there.length / 3,
        text,
        evidence:
          there.length > 0 ? there.map((name) => `${name} ${shown(sharing[name] ?? "")}`).join(", ") : "no og: tags",
      };
    },
  },
  {
    id: "twitter-card",
    section: "Sharing",
    weight: 1,
    severity: "low",
    ofPage: true,
    advice: { text: "Add a twitter:card tag.", impact: "low", effort: "low" },
    measure: ({ page: { sharing } }) =>
      sharing["twitter:card"]
        ? {
            credit: 1,
            text: "The page names its card for X.",
            evidence: `twitter:card ${shown(sharing["twitter:card"])}`,
          }
        : { credit: 0, text: "The page names no card for X.", evidence: "no twitter:card tag" },
  },
  {
    id: "icon",
    section: "Sharing",
    weight: 1,
    severity: "low",
    ofPage: true,
    advice: { text: "Name an icon in the head.", impact: "low", effort: "low" },
    measure: ({ page }) =>
      page.hasIcon
        ? { credit: 1, text: "The page names its icon.", evidence: "an icon link in the head" }
        : { credit: 0, text: "The page names no icon.", evidence: "no icon link" },
  },
];
