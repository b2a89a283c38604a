import { type Level, SEVERITIES, type Severity } from "../../../lib/website-audit-kinds.ts";
import type { MeasuredSite } from "../../../providers/site.ts";
import { type Check, type Outcome, SECTIONS, type SectionName } from "./check.ts";
import { ACCESS_CHECKS } from "./checks-access.ts";
import { SEARCH_CHECKS } from "./checks-search.ts";
import { TRANSPORT_CHECKS } from "./checks-transport.ts";

export interface Finding {
  text: string;
  evidence: string;
  severity: Severity;
}

export interface Recommendation {
  text: string;
  impact: Level;
  effort: Level;
}

export interface Section {
  heading: string;
  findings: Finding[];
  recommendations: Recommendation[];
}

export interface Report {
  title: string;
  summary: string;
  score: number;
  scoreBasis: "measured" | "stated";
  sections: Section[];
  nextSteps: string[];
}

/** What the caller tells of the business. */
export interface Brief {
  company: string | null;
  industry: string | null;
  goals: string[];
  observations: string[];
}

/** The one table the score is made from: each check with its weight, severity and advice. */
export const CHECKS: readonly Check[] = [...TRANSPORT_CHECKS, ...SEARCH_CHECKS, ...ACCESS_CHECKS];

/** A page that answers with an error earns no more than this, however well its headers are set. */
const MAX_SCORE_OF_ERROR = 20;
const MAX_STEPS = 5;
/** How much more a check counts in the next steps when a goal is about its section. */
const GOAL_FACTOR = 1.5;

interface Judged extends Outcome {
  check: Check;
}

/** The report on a measured site. Everything but the summary and the wording of the steps is final. */
export function siteReport(site: MeasuredSite, brief: Brief): Report {
  const isError = site.status < 200 || site.status >= 300;
  const judged = CHECKS.flatMap((check) => {
    const outcome = isError && check.ofPage ? null : check.measure(site);
    return outcome ? [{ check, ...outcome }] : [];
  });
  const score = scoreOf(judged, isError);
  const sections = SECTIONS.map((heading) => sectionOf(heading, judged, brief)).filter(
    ({ findings }) => findings.length > 0,
  );
  const steps = nextSteps(judged, brief);
  const { host } = new URL(site.url);
  const name = brief.company ? `${brief.company} (${host})` : host;
  return {
    title: `Digital audit of ${name}`,
    summary: summaryOf(name, judged, score, isError),
    score,
    scoreBasis: "measured",
    sections: [...sections, ...goalSection(judged, brief), ...observationSection(brief)],
    nextSteps: steps,
  };
}

/** The earned share of all the weight that applies, in whole points of a hundred. */
export function scoreOf(judged: readonly { check: Pick<Check, "weight">; credit: number }[], isError: boolean): number {
  const all = judged.reduce((sum, { check }) => sum + check.weight, 0);
  const earned = judged.reduce((sum, { check, credit }) => sum + check.weight * credit, 0);
  const score = all === 0 ? 0 : Math.round((100 * earned) / all);
  return isError ? Math.min(score, MAX_SCORE_OF_ERROR) : score;
}

function sectionOf(heading: SectionName, judged: readonly Judged[], brief: Brief): Section {
  const own = judged.filter(({ check }) => check.section === heading).sort(byLoss);
  return {
    heading,
    findings: own.map((outcome) => ({
      text: outcome.text,
      evidence: outcome.evidence,
      severity: severityOf(outcome),
    })),
    recommendations: own.filter(({ credit }) => credit < 1).map(({ check }) => adviceOf(check, brief)),
  };
}

function byLoss(a: Judged, b: Judged): number {
  return lossOf(b) - lossOf(a);
}

function lossOf({ check, credit }: Judged): number {
  return check.weight * (1 - credit);
}

/** Half done is one step milder. */
function severityOf({ check, credit }: Judged): Severity {
  if (credit >= 1) return "good";
  if (credit < 0.5) return check.severity;
  return SEVERITIES[Math.max(SEVERITIES.indexOf("low"), SEVERITIES.indexOf(check.severity) - 1)] ?? "low";
}

const BUSINESS_TYPES: readonly (readonly [industry: RegExp, type: string])[] = [
  [/restaurant|café|cafe|bakery|catering|food/i, "Restaurant"],
  [/law|legal|attorney|notary/i, "LegalService"],
  [/dent/i, "Dentist"],
  [/doctor|medic|clinic|health|physio/i, "MedicalBusiness"],
  [/hotel|lodging|hostel|travel/i, "LodgingBusiness"],
  [/shop|retail|store|e-?commerce/i, "Store"],
  [/real estate|property/i, "RealEstateAgent"],
  [/account|tax|bookkeep/i, "AccountingService"],
  [/software|saas|app\b|technology/i, "SoftwareApplication"],
  [/education|school|university|training/i, "EducationalOrganization"],
];

function adviceOf(check: Check, { industry }: Brief): Recommendation {
  if (check.id !== "structured-data" || !industry) return { ...check.advice };
  const type = BUSINESS_TYPES.find(([words]) => words.test(industry))?.[1] ?? "Organization";
  return { ...check.advice, text: `Describe the business in JSON-LD with the schema.org type ${type}.` };
}

const GOAL_AREAS: readonly (readonly [goal: RegExp, section: SectionName])[] = [
  [/\b(?:seo|search|rank\w*|traffic|visib\w*|found|google|organic|visitors?)\b/i, "Search engines"],
  [/\b(?:secur\w*|trust\w*|privacy|gdpr|safe\w*|complian\w*)\b/i, "Security"],
  [/\b(?:speed|fast\w*|perform\w*|slow|load\w*|convers\w*|conver\w*|sales|leads?|bounce)\b/i, "Delivery"],
  [/\b(?:accessib\w*|inclus\w*|wcag|mobile|phones?|usab\w*|ux)\b/i, "Accessibility"],
  [/\b(?:social|shar\w*|brand\w*|awareness|followers?|instagram|linkedin)\b/i, "Sharing"],
];

function areaOf(goal: string): SectionName | null {
  return GOAL_AREAS.find(([words]) => words.test(goal))?.[1] ?? null;
}

/** What loses the most points, with the goals' sections in front. */
function nextSteps(judged: readonly Judged[], brief: Brief): string[] {
  const wanted = new Set(brief.goals.map(areaOf));
  const weighed = (outcome: Judged) => lossOf(outcome) * (wanted.has(outcome.check.section) ? GOAL_FACTOR : 1);
  const open = judged.filter(({ credit }) => credit < 1).sort((a, b) => weighed(b) - weighed(a));
  if (open.length === 0) return ["Repeat the audit after the next change to the site."];
  return open.slice(0, MAX_STEPS).map(({ check }) => adviceOf(check, brief).text);
}

function summaryOf(name: string, judged: readonly Judged[], score: number, isError: boolean): string {
  const passed = judged.filter(({ credit }) => credit >= 1).length;
  const said = [`${name} scores ${score} of 100: ${passed} of ${judged.length} checks pass.`];
  if (isError) said.push("The page answered with an error, so only its delivery and headers were judged.");
  const worst = judged
    .filter(({ credit }) => credit < 1)
    .sort(byLoss)
    .slice(0, 3);
  if (worst.length > 0) said.push(`What costs the most: ${worst.map(({ text }) => lowered(text)).join("; ")}.`);
  else said.push("Nothing that was measured is in need of work.");
  return said.join(" ");
}

function lowered(sentence: string): string {
  const plain = sentence.replace(/\.$/, "");
  return /^(?:HTTP|X-|[A-Z]{2})/.test(plain) ? plain : plain.charAt(0).toLowerCase() + plain.slice(1);
}

/** How each goal stands, as far as a page can tell. */
function goalSection(judged: readonly Judged[], { goals }: Brief): Section[] {
  if (goals.length === 0) return [];
  const findings = goals.map((goal): Finding => {
    const area = areaOf(goal);
    const own = judged.filter(({ check }) => check.section === area);
    const passed = own.filter(({ credit }) => credit >= 1).length;
    if (area === null || own.length === 0) {
      return { text: `Goal: ${goal}`, evidence: "not something the page itself shows", severity: "info" };
    }
    const evidence = `${area}: ${passed} of ${own.length} checks pass`;
    return { text: `Goal: ${goal}`, evidence, severity: passed === own.length ? "good" : "info" };
  });
  return [{ heading: "Goals", findings, recommendations: [] }];
}

const TROUBLE =
  /\b(?:no|not|never|missing|lacks?|slow|old|outdated|broken|bad|poor|low|fails?|error|hard|difficult|without|manual\w*|don't|doesn't|isn't|aren't|can't|few|complain\w*|unclear|inconsistent|weak|nobody)\b/i;

/** Observations are the caller's: quoted, never judged as if they had been measured. */
export function observationSection({ observations }: Brief): Section[] {
  if (observations.length === 0) return [];
  const findings = observations.map(
    (text): Finding => ({
      text,
      evidence: "stated in the request, not measured",
      severity: isTrouble(text) ? "medium" : "info",
    }),
  );
  return [{ heading: "Observations", findings, recommendations: [] }];
}

export function isTrouble(observation: string): boolean {
  return TROUBLE.test(observation);
}
