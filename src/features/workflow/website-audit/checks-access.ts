import type { MeasuredSite } from "../../../providers/site.ts";
import { type Check, type Outcome, outcome, pageChecks, passOrFail, quoted } from "./check.ts";

interface Counts {
  total: number;
  wrong: number;
  examples: string[];
}

/** The credit is the share of elements that are right; null if there are none. */
function shareOutcome(passed: string, failed: string, { total, wrong, examples }: Counts): Outcome | null {
  if (total === 0) return null;
  if (wrong === 0) return outcome(1, passed, `0 of ${total}`);
  const shown = examples.filter((example) => example !== "").map(quoted);
  const evidence = `${wrong} of ${total}${shown.length > 0 ? `, such as ${shown.join(", ")}` : ""}`;
  return outcome((total - wrong) / total, failed, evidence);
}

function headingOrder({ page: { headings } }: MeasuredSite): Outcome | null {
  if (headings.length < 2) return null;
  const at = headings.findIndex(({ level }, index) => index > 0 && level > (headings[index - 1]?.level ?? 0) + 1);
  const heading = headings[at];
  if (!heading) return outcome(1, "No heading level is skipped.", `${headings.length} headings`);
  const evidence = `h${headings[at - 1]?.level} is followed by h${heading.level} ${quoted(heading.text)}`;
  return outcome(0, "The headings skip a level.", evidence);
}

/** Accessibility and sharing. */
export const ACCESS_CHECKS: readonly Check[] = [
  ...pageChecks("Accessibility", {
    viewport: {
      weight: 5,
      severity: "high",
      advice: { text: "Set the viewport to `width=device-width, initial-scale=1`.", impact: "high", effort: "low" },
      measure({ page: { viewport } }) {
        if (!viewport) return outcome(0, "The page is not made for phones.", "no viewport meta tag");
        const isLocked = /user-scalable\s?=\s?(?:no|0)|maximum-scale\s?=\s?1(?:\.0)?\b/i.test(viewport);
        if (isLocked) return outcome(0.5, "The page prevents zooming.", quoted(viewport));
        const fits = /width\s?=\s?device-width/i.test(viewport);
        return passOrFail(fits, "The page fits phones.", "The page does not fit phones.", quoted(viewport));
      },
    },
    language: {
      weight: 4,
      severity: "medium",
      advice: { text: "Set the language in the `lang` attribute of `html`.", impact: "medium", effort: "low" },
      measure({ page: { language } }) {
        const evidence = language ? `lang=${quoted(language)}` : "no lang attribute on html";
        return passOrFail(
          !!language,
          "The page states its language.",
          "The page does not state its language.",
          evidence,
        );
      },
    },
    "image-alternatives": {
      weight: 5,
      severity: "medium",
      advice: {
        text: "Describe each image in `alt`; leave it empty for decoration.",
        impact: "high",
        effort: "medium",
      },
      measure({ page: { images } }) {
        const counts = { ...images, wrong: images.withoutAlternative };
        return shareOutcome("Every image has an alternative text.", "Images have no alternative text.", counts);
      },
    },
    "form-labels": {
      weight: 4,
      severity: "medium",
      advice: { text: "Give each form field a label.", impact: "high", effort: "low" },
      measure({ page: { fields } }) {
        const counts = { ...fields, wrong: fields.unlabelled };
        return shareOutcome("Every form field has a label.", "Form fields have no label.", counts);
      },
    },
    "link-text": {
      weight: 3,
      severity: "medium",
      advice: { text: "Give each link a text, or a label if it shows only an image.", impact: "medium", effort: "low" },
      measure: ({ page: { links } }) =>
        shareOutcome("Every link has a text.", "Links have no text.", { ...links, wrong: links.withoutText }),
    },
    "heading-order": {
      weight: 2,
      severity: "low",
      advice: { text: "Do not skip heading levels.", impact: "low", effort: "low" },
      measure: headingOrder,
    },
    charset: {
      weight: 2,
      severity: "low",
      advice: { text: "Declare UTF-8 in the Content-Type header.", impact: "low", effort: "low" },
      measure({ charset }) {
        if (!charset) {
          return outcome(0, "The page does not declare its charset.", "none in the header or the first 2 KB");
        }
        const isUtf8 = /^utf-?8$/i.test(charset);
        const text = isUtf8 ? "The page is UTF-8." : "The page uses an old charset.";
        return outcome(isUtf8 ? 1 : 0.5, text, `charset ${quoted(charset)}`);
      },
    },
    markup: {
      weight: 2,
      severity: "medium",
      advice: { text: "Fix the HTML: elements are nested incorrectly.", impact: "medium", effort: "medium" },
      measure({ page }) {
        if (!page.isBroken) return null;
        const evidence = "parsing stopped before the end; the counts here are up to that point";
        return outcome(0, "The HTML is broken.", evidence);
      },
    },
  }),
  ...pageChecks("Sharing", {
    "open-graph": {
      weight: 3,
      severity: "low",
      advice: { text: "Add og:title, og:description and og:image for a link card.", impact: "medium", effort: "low" },
      measure({ page: { sharing } }) {
        const found = ["og:title", "og:description", "og:image"].filter((name) => sharing[name]);
        const evidence = found.map((name) => `${name} ${quoted(sharing[name] ?? "")}`).join(", ") || "no og: tags";
        if (found.length === 0) return outcome(0, "Shared links show no card.", evidence);
        const text = found.length === 3 ? "Shared links show a card." : "The card of shared links is incomplete.";
        return outcome(found.length / 3, text, evidence);
      },
    },
    "twitter-card": {
      weight: 1,
      severity: "low",
      advice: { text: "Add a twitter:card tag.", impact: "low", effort: "low" },
      measure({ page: { sharing } }) {
        const card = sharing["twitter:card"];
        const evidence = card ? `twitter:card ${quoted(card)}` : "no twitter:card tag";
        return passOrFail(!!card, "The page has a card for X.", "The page has no card for X.", evidence);
      },
    },
    icon: {
      weight: 1,
      severity: "low",
      advice: { text: "Link an icon in the head.", impact: "low", effort: "low" },
      measure({ page: { hasIcon } }) {
        const evidence = hasIcon ? "an icon link in the head" : "no icon link";
        return passOrFail(hasIcon, "The page has an icon.", "The page has no icon.", evidence);
      },
    },
  }),
];
