import type { Level } from "../../../lib/website-audit-kinds.ts";
import { type Brief, type Finding, isTrouble, observationSection, type Report, type Section } from "./report.ts";

/** What a company's presence is made of, and the words an observation speaks of it in. */
interface Area {
  heading: string;
  words: RegExp;
  question: string;
  advice: { text: string; impact: Level; effort: Level };
}

const AREAS: readonly Area[] = [
  {
    heading: "Website",
    words: /\b(?:web ?sites?|home ?page|landing pages?|site|domain)\b/i,
    question: "Is there a website that loads fast, works on phones and says what the company offers?",
    advice: { text: "Give the address of the website to have it measured.", impact: "high", effort: "low" },
  },
  {
    heading: "Search visibility",
    words: /\b(?:seo|google|search|rank\w*|maps|business profile|listing)\b/i,
    question: "Is the company found by its name and by what it offers?",
    advice: {
      text: "Claim the business profile in the search engines and keep its hours and address right.",
      impact: "high",
      effort: "low",
    },
  },
  {
    heading: "Enquiries and booking",
    words: /\b(?:enquir\w*|inquir\w*|contact|forms?|leads?|book\w*|appointments?|calls?|phone|chat)\b/i,
    question: "Can a visitor ask or book in one step, and is each enquiry answered in a day?",
    advice: {
      text: "Offer one clear way to ask or book, and measure how soon it is answered.",
      impact: "high",
      effort: "medium",
    },
  },
  {
    heading: "Mail and newsletters",
    words: /\b(?:e-?mails?|newsletters?|mailing|spf|dkim|dmarc)\b/i,
    question: "Is mail sent from the company's own domain, with SPF, DKIM and DMARC?",
    advice: { text: "Set SPF, DKIM and DMARC for the domain.", impact: "medium", effort: "low" },
  },
  {
    heading: "Social media",
    words: /\b(?:social|instagram|facebook|linkedin|tiktok|youtube|twitter|posts?|followers?)\b/i,
    question: "Are the channels that customers use kept up to date?",
    advice: {
      text: "Keep the one or two channels that customers use, and close or link the rest.",
      impact: "medium",
      effort: "medium",
    },
  },
  {
    heading: "Reviews",
    words: /\b(?:reviews?|ratings?|testimonials?|stars?|reputation)\b/i,
    question: "Are reviews asked for and answered?",
    advice: { text: "Ask for a review after each job, and answer every one.", impact: "medium", effort: "low" },
  },
  {
    heading: "Measurement",
    words: /\b(?:analytics|measur\w*|track\w*|kpis?|metrics?|dashboards?|statistics|conversion rates?)\b/i,
    question: "Is it known how many visitors become customers?",
    advice: { text: "Measure visits, enquiries and sales in one place.", impact: "high", effort: "medium" },
  },
  {
    heading: "Security and data",
    words: /\b(?:secur\w*|passwords?|backups?|gdpr|privacy|two-factor|2fa|mfa|phishing|data)\b/i,
    question: "Are accounts protected by a second factor, and is there a tested backup?",
    advice: { text: "Turn on two-factor sign-in everywhere, and test a backup.", impact: "high", effort: "low" },
  },
];

/**
 * A checklist for a company of which no page was measured. The score is the share of the checklist that the
 * given observations say is in order: what nobody stated earns nothing.
 */
export function companyReport(brief: Brief): Report {
  const name = brief.company ?? "the company";
  const judged = AREAS.map((area) => judgeArea(area, brief.observations));
  const inOrder = judged.filter(({ state }) => state === "good").length;
  const troubled = judged.filter(({ state }) => state === "trouble");
  const unknown = judged.filter(({ state }) => state === "unknown");
  const isNamed = (text: string) => AREAS.some(({ words }) => words.test(text));
  const rest = { ...brief, observations: brief.observations.filter((text) => !isNamed(text)) };
  const steps = [...troubled, ...unknown].map(({ area }) => area.advice.text);
  return {
    title: `Digital audit of ${name}`,
    summary:
      `Nothing was measured: no website was given. Of ${AREAS.length} areas, ${inOrder} are in order by what was stated, ` +
      `${troubled.length} have a stated problem, and ${unknown.length} are open questions.`,
    score: Math.round((100 * inOrder) / AREAS.length),
    scoreBasis: "stated",
    sections: [...judged.map(({ section }) => section), ...goalSection(brief), ...observationSection(rest)],
    nextSteps: steps.length > 0 ? steps.slice(0, 5) : ["Give the address of the website to have it measured."],
  };
}

function judgeArea(area: Area, observations: readonly string[]) {
  const stated = observations.filter((text) => area.words.test(text));
  const findings = stated.map((text): Finding => {
    const severity = isTrouble(text) ? "medium" : "good";
    return { text, evidence: "stated in the request, not measured", severity };
  });
  const state = stated.length === 0 ? "unknown" : stated.some(isTrouble) ? "trouble" : "good";
  if (state === "unknown")
    findings.push({ text: area.question, evidence: "not measured, and nothing was stated", severity: "info" });
  const section: Section = {
    heading: area.heading,
    findings,
    recommendations: state === "good" ? [] : [{ ...area.advice }],
  };
  return { area, state, section };
}

function goalSection({ goals }: Brief): Section[] {
  if (goals.length === 0) return [];
  const findings = goals.map((goal): Finding => {
    const area = AREAS.find(({ words }) => words.test(goal));
    return {
      text: `Goal: ${goal}`,
      evidence: area ? `see ${area.heading}` : "no area of the checklist speaks of it",
      severity: "info",
    };
  });
  return [{ heading: "Goals", findings, recommendations: [] }];
}
