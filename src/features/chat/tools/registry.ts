import { CALENDAR_TOOLS } from "./calendar.ts";
import { AGENT_EMAIL_TOOLS, EMAIL_TOOLS } from "./emails.ts";
import { INVITATION_TOOLS } from "./invitations.ts";
import { PLAN_TOOLS } from "./plan.ts";
import { TASK_TOOLS } from "./tasks.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [
  ...EMAIL_TOOLS,
  ...TASK_TOOLS,
  ...CALENDAR_TOOLS,
  ...INVITATION_TOOLS,
  ...PLAN_TOOLS,
];

/** Also those that only agents are offered: what they propose is applied as any other proposal. */
const byName: ReadonlyMap<string, Tool> = new Map([...TOOLS, ...AGENT_EMAIL_TOOLS].map((tool) => [tool.name, tool]));

export function toolByName(name: string): Tool | undefined {
  return byName.get(name);
}
