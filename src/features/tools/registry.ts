import { CALENDAR_TOOLS } from "./calendar.ts";
import { EMAIL_WRITING_TOOLS } from "./email-writing.ts";
import { EMAIL_TOOLS } from "./emails.ts";
import { EVENT_DETAIL_TOOLS } from "./event-details.ts";
import { INVITATION_TOOLS } from "./invitations.ts";
import { PLAN_TOOLS } from "./plan.ts";
import { TASK_TOOLS } from "./tasks.ts";
import type { Tool } from "./tool.ts";
import { UNDO_TOOLS } from "./undo.ts";

export const TOOLS: readonly Tool[] = [
  ...EMAIL_TOOLS,
  ...EMAIL_WRITING_TOOLS,
  ...TASK_TOOLS,
  ...CALENDAR_TOOLS,
  ...EVENT_DETAIL_TOOLS,
  ...INVITATION_TOOLS,
  ...PLAN_TOOLS,
  ...UNDO_TOOLS,
];

const byName: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

export function toolByName(name: string): Tool | undefined {
  return byName.get(name);
}
