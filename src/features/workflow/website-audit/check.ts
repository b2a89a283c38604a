import type { Level, Severity } from "../../../lib/website-audit-kinds.ts";
import type { MeasuredSite } from "../../../providers/site.ts";

export const SECTIONS = ["Delivery", "Security", "Search engines", "Accessibility", "Sharing"] as const;
export type SectionName = (typeof SECTIONS)[number];

/** What a check found: how much of its weight is earned (0 to 1), in words, with what was measured. */
export interface Outcome {
  credit: number;
  text: string;
  evidence: string;
}

/** One thing that is measured on every site. */
export interface Check {
  id: string;
  section: SectionName;
  /** Its share of the score. */
  weight: number;
  /** How bad it is when nothing of it is earned. */
  severity: Exclude<Severity, "good" | "info">;
  /** Null when it does not apply to this site, or could not be measured: then it counts for nothing. */
  measure(site: MeasuredSite): Outcome | null;
  advice: { text: string; impact: Level; effort: Level };
  /** Read from the page, and so meaningless when the site answered with an error page. */
  ofPage: boolean;
}

const MAX_SHOWN = 120;

/** A text of the page, as evidence shows it. */
export function shown(text: string): string {
  const characters = [...text];
  return `“${characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN - 1).join("")}…` : text}”`;
}

export function kilobytes(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KB`;
}
