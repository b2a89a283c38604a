import type { MeasuredSite } from "../../../providers/site.ts";
import type { Level, Severity } from "../schemas.ts";

export const SECTIONS = ["Delivery", "Security", "Search engines", "Accessibility", "Sharing"] as const;
export type SectionName = (typeof SECTIONS)[number];

/** `credit` is the earned share of the check's weight, from 0 to 1. */
export interface Outcome {
  credit: number;
  text: string;
  evidence: string;
}

interface CheckDetails {
  /** Share of the score. */
  weight: number;
  /** How serious it is if nothing is earned. */
  severity: Exclude<Severity, "good" | "info">;
  advice: { text: string; impact: Level; effort: Level };
  /** Null if it does not apply or could not be measured: then it does not count. */
  measure(site: MeasuredSite): Outcome | null;
}

export interface Check extends CheckDetails {
  id: string;
  section: SectionName;
  /** Reads the HTML, which means nothing if the site returned an error page. */
  readsPage: boolean;
}

/** Checks that read the HTML of the page. */
export function pageChecks(section: SectionName, checks: Record<string, CheckDetails>): Check[] {
  return Object.entries(checks).map(([id, details]) => ({ id, section, readsPage: true, ...details }));
}

/** Checks that read only status, headers and files beside the page. */
export function responseChecks(section: SectionName, checks: Record<string, CheckDetails>): Check[] {
  return pageChecks(section, checks).map((check) => ({ ...check, readsPage: false }));
}

export function outcome(credit: number, text: string, evidence: string): Outcome {
  return { credit, text, evidence };
}

export function passOrFail(isPassed: boolean, passed: string, failed: string, evidence: string): Outcome {
  return outcome(isPassed ? 1 : 0, isPassed ? passed : failed, evidence);
}

const MAX_QUOTE = 120;

/** Text of the page, shortened, in quotation marks. */
export function quoted(text: string): string {
  const characters = [...text];
  return `“${characters.length > MAX_QUOTE ? `${characters.slice(0, MAX_QUOTE - 1).join("")}…` : text}”`;
}

export function kilobytes(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
