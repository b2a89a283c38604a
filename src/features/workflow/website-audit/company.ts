import type { Finding, Level, Report, Section } from "../schemas.ts";
import { type Business, isProblem, observationSection, statedFinding } from "./report.ts";

/** A part of a company's digital presence, and the words that an observation about it uses. */
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
    advice: { text: "Send the address of the website to have it measured.", impact: "high", effort: "low" },
  },
  {
    heading: "Search visibility",
    words: /\b(?:seo|google|search|rank\w*|maps|business profile|listing)\b/i,
    question: "Do people find the company by its name and by what it offers?",
    advice: { text: "Claim and maintain the company's search engine profile.", impact: "high", effort: "low" },
  },
  {
    heading: "Enquiries and booking",
    words: /\b(?:enquir\w*|inquir\w*|contact|forms?|leads?|book\w*|appointments?|calls?|phone|chat)\b/i,
    question: "Can a visitor ask or book in one step, and is each enquiry answered within a day?",
    advice: { text: "Offer one clear way to ask or book; measure reply times.", impact: "high", effort: "medium" },
  },
  {
    heading: "Email and newsletters",
    words: /\b(?:e-?mails?|newsletters?|mailing|spf|dkim|dmarc)\b/i,
    question: "Is email sent from the company's own domain, with SPF, DKIM and DMARC?",
    advice: { text: "Set SPF, DKIM and DMARC for the domain.", impact: "medium", effort: "low" },
  },
  {
    heading: "Social media",
    words: /\b(?:social|instagram|facebook|linkedin|tiktok|youtube|twitter|posts?|followers?)\b/i,
    question: "Are the channels that customers use kept up to date?",
    advice: { text: "Keep the channels customers use; close or link the rest.", impact: "medium", effort: "medium" },
  },
  {
    heading: "Reviews",
    words: /\b(?:reviews?|ratings?|testimonials?|stars?|reputation)\b/i,
    question: "Does the company ask for reviews and reply to them?",
    advice: { text: "Ask for a review after each job, and reply to every review.", impact: "medium", effort: "low" },
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
 * A checklist for a company without a website. The score is the share of the checklist that the observations say is in
 * order: an area without an observation earns nothing.
 */
export function companyReport(business: Business): Report {
  const name = business.company ?? "the company";
  const results = AREAS.map((area) => checkArea(area, business.observations));
  const inOrder = results.filter(({ state }) => state === "good").length;
  const withProblem = results.filter(({ state }) => state === "problem");
  const unknown = results.filter(({ state }) => state === "unknown");
  const isNamed = (text: string) => AREAS.some(({ words }) => words.test(text));
  const rest = { ...business, observations: business.observations.filter((text) => !isNamed(text)) };
  const steps = [...withProblem, ...unknown].map(({ area }) => area.advice.text);
  return {
    title: `Digital audit of ${name}`,
    summary:
      `Nothing was measured, because no website was given. Of ${AREAS.length} areas, ${inOrder} are in order as stated, ` +
      `${withProblem.length} have a stated problem, and ${unknown.length} are open questions.`,
    score: Math.round((100 * inOrder) / AREAS.length),
    scoreBasis: "stated",
    sections: [...results.map(({ section }) => section), ...goalSection(business), ...observationSection(rest)],
    nextSteps: steps.length > 0 ? steps.slice(0, 5) : ["Send the address of the website to have it measured."],
  };
}

function checkArea(area: Area, observations: readonly string[]) {
  const stated = observations.filter((text) => area.words.test(text));
  const findings = stated.map((text) => statedFinding(text, "good"));
  const state = stated.length === 0 ? "unknown" : stated.some(isProblem) ? "problem" : "good";
  if (state === "unknown") {
    findings.push({ text: area.question, evidence: "not measured, nothing stated", severity: "info" });
  }
  const recommendations = state === "good" ? [] : [{ ...area.advice }];
  return { area, state, section: { heading: area.heading, findings, recommendations } };
}

function goalSection({ goals }: Business): Section[] {
  if (goals.length === 0) return [];
  const findings = goals.map((goal): Finding => {
    const area = AREAS.find(({ words }) => words.test(goal));
    return {
      text: `Goal: ${goal}`,
      evidence: area ? `see ${area.heading}` : "not part of the checklist",
      severity: "info",
    };
  });
  return [{ heading: "Goals", findings, recommendations: [] }];
}
