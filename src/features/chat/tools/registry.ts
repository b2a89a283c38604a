import { CALENDAR_TOOLS } from "./calendar.ts";
import { MAIL_TOOLS } from "./emails.ts";
import { TASK_TOOLS } from "./tasks.ts";
import type { Tool } from "./tool.ts";

/** Everything the assistant can do, for both engines. */
export const TOOLS: readonly Tool[] = [...MAIL_TOOLS, ...TASK_TOOLS, ...CALENDAR_TOOLS];

const byName: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

export function toolNamed(name: string): Tool | undefined {
  return byName.get(name);
}
