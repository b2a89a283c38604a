import type { MeasuredSite } from "../../../providers/site.ts";
import type { AuditInput, Finding, Recommendation, Report, Section } from "../schemas.ts";
import { SEVERITIES, type Severity } from "../schemas.ts";
import { type Check, type Outcome, SECTIONS, type SectionName } from "./check.ts";
import { ACCESS_CHECKS } from "./checks-access.ts";
import { SEARCH_CHECKS } from "./checks-search.ts";
import { TRANSPORT_CHECKS } from "./checks-transport.ts";

/** Details of the business from the request. */
export type Business = Omit<AuditInput, "website">;

export const CHECKS: readonly Check[] = [...TRANSPORT_CHECKS, ...SEARCH_CHECKS, ...ACCESS_CHECKS];

/** Maximum score of a page that returns an error. */
const MAX_SCORE_OF_ERROR = 20;
const MAX_STEPS = 5;
/** How much more a check of a goal's section counts in the next steps. */
const GOAL_FACTOR = 1.5;

interface CheckResult extends Outcome {
  check: Check;
}

/** A model may reword the summary and the next steps later; all other parts are final. */
export function siteReport(site: MeasuredSite, business: Business): Report {
  const isError = site.status < 200 || site.status >= 300;
  const results = CHECKS.flatMap((check) => {
    const outcome = isError && check.readsPage ? null : check.measure(site);
    return outcome ? [{ check, ...outcome }] : [];
  });
  const score = scoreOf(results, isError);
  const sections = SECTIONS.map((heading) => sectionOf(heading, results, business)).filter(
    ({ findings }) => findings.length > 0,
  );
  const { host } = new URL(site.url);
  const name = business.company ? `${business.company} (${host})` : host;
  return {
    title: `Digital audit of ${name}`,
    summary: summaryOf(name, results, score, isError),
    score,
    scoreBasis: "measured",
    sections: [...sections, ...goalSection(results, business), ...observationSection(business)],
    nextSteps: nextSteps(results, business),
  };
}

/** The earned share of the weight of all checks that apply, in percent. */
export function scoreOf(
  results: readonly { check: Pick<Check, "weight">; credit: number }[],
  isError: boolean,
): number {
  const all = results.reduce((sum, { check }) => sum + check.weight, 0);
  const earned = results.reduce((sum, { check, credit }) => sum + check.weight * credit, 0);
  const score = all === 0 ? 0 : Math.round((100 * earned) / all);
  return isError ? Math.min(score, MAX_SCORE_OF_ERROR) : score;
}

function sectionOf(heading: SectionName, results: readonly CheckResult[], business: Business): Section {
  const own = results.filter(({ check }) => check.section === heading).sort(byLoss);
  const findings = own.map((result) => ({
    text: result.text,
    evidence: result.evidence,
    severity: severityOf(result),
  }));
  const recommendations = own.filter(({ credit }) => credit < 1).map(({ check }) => adviceOf(check, business));
  return { heading, findings, recommendations };
}

function byLoss(a: CheckResult, b: CheckResult): number {
  return lossOf(b) - lossOf(a);
}

function lossOf({ check, credit }: CheckResult): number {
  return check.weight * (1 - credit);
}

/** A half-passed check is one level less severe. */
function severityOf({ check, credit }: CheckResult): Severity {
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

function adviceOf(check: Check, { industry }: Business): Recommendation {
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

/** The checks that cost the most points, those of the goals' sections first. */
function nextSteps(results: readonly CheckResult[], business: Business): string[] {
  const wanted = new Set(business.goals.map(areaOf));
  const weighed = (outcome: CheckResult) => lossOf(outcome) * (wanted.has(outcome.check.section) ? GOAL_FACTOR : 1);
  const open = results.filter(({ credit }) => credit < 1).sort((a, b) => weighed(b) - weighed(a));
  if (open.length === 0) return ["Repeat the audit after the next change to the site."];
  return open.slice(0, MAX_STEPS).map(({ check }) => adviceOf(check, business).text);
}

function summaryOf(name: string, results: readonly CheckResult[], score: number, isError: boolean): string {
  const passed = results.filter(({ credit }) => credit >= 1).length;
  const sentences = [`${name} scores ${score} of 100: ${passed} of ${results.length} checks pass.`];
  if (isError) sentences.push("The page returned an error, so only its delivery and headers were checked.");
  const worst = results
    .filter(({ credit }) => credit < 1)
    .sort(byLoss)
    .slice(0, 3);
  if (worst.length > 0)
    sentences.push(`The biggest problems: ${worst.map(({ text }) => lowerFirst(text)).join("; ")}.`);
  else sentences.push("No check found a problem.");
  return sentences.join(" ");
}

function lowerFirst(sentence: string): string {
  const plain = sentence.replace(/\.$/, "");
  return /^(?:HTTP|X-|[A-Z]{2})/.test(plain) ? plain : plain.charAt(0).toLowerCase() + plain.slice(1);
}

/** How many checks pass for each goal. */
function goalSection(results: readonly CheckResult[], { goals }: Business): Section[] {
  if (goals.length === 0) return [];
  const findings = goals.map((goal): Finding => {
    const area = areaOf(goal);
    const own = results.filter(({ check }) => check.section === area);
    const passed = own.filter(({ credit }) => credit >= 1).length;
    if (area === null || own.length === 0) {
      return { text: `Goal: ${goal}`, evidence: "cannot be measured on the page", severity: "info" };
    }
    const evidence = `${area}: ${passed} of ${own.length} checks pass`;
    return { text: `Goal: ${goal}`, evidence, severity: passed === own.length ? "good" : "info" };
  });
  return [{ heading: "Goals", findings, recommendations: [] }];
}

const PROBLEM =
  /\b(?:no|not|never|missing|lacks?|slow|old|outdated|broken|bad|poor|low|fails?|error|hard|difficult|without|manual\w*|don't|doesn't|isn't|aren't|can't|few|complain\w*|unclear|inconsistent|weak|nobody)\b/i;

/** Observations are quoted as stated, never as measured. */
export function observationSection({ observations }: Business): Section[] {
  if (observations.length === 0) return [];
  const findings = observations.map((text) => statedFinding(text, "info"));
  return [{ heading: "Observations", findings, recommendations: [] }];
}

export function statedFinding(text: string, severity: "good" | "info"): Finding {
  return { text, evidence: "stated in the request, not measured", severity: isProblem(text) ? "medium" : severity };
}

export function isProblem(observation: string): boolean {
  return PROBLEM.test(observation);
}
