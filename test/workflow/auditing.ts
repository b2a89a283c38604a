import { expect, inject } from "vitest";
import { service } from "../harness.ts";

export const PATH = "/api/workflow/digital-audit";
export const site = inject("siteUrl");
export const client = service();

interface Finding {
  text: string;
  evidence: string;
  severity: string;
}
export interface Section {
  heading: string;
  findings: Finding[];
  recommendations: { text: string }[];
}

/** The audit of a page of the fake site. */
export async function audit(path: string, more: object = {}) {
  const answer = await client.post(PATH, { website: `${site}${path}`, ...more });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

export function findings(body: { report: { sections: Section[] } }): Finding[] {
  return body.report.sections.flatMap((section) => section.findings);
}

export function finding(body: { report: { sections: Section[] } }, text: string): Finding | undefined {
  return findings(body).find((found) => found.text.includes(text));
}
