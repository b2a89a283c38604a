import type { AgentTool } from "./agents/agent-tool.ts";
import { FINDING_TOOLS } from "./agents/finding.ts";
import { proposeReply } from "./agents/propose-reply.ts";
import { CALENDAR_TOOLS } from "./calendar.ts";
import { EMAIL_CHANGE_TOOLS } from "./email-changes.ts";
import { EMAIL_WRITING_TOOLS } from "./email-writing.ts";
import { EMAIL_TOOLS } from "./emails.ts";
import { EVENT_CHANGE_TOOLS } from "./event-changes.ts";
import { EVENT_DETAIL_TOOLS } from "./event-details.ts";
import { INVITATION_TOOLS } from "./invitations.ts";
import { PEOPLE_TOOLS } from "./people.ts";
import { PLAN_TOOLS } from "./plan.ts";
import { SNIPPET_TOOLS } from "./snippets.ts";
import { TASK_CHANGE_TOOLS } from "./task-changes.ts";
import { TASK_TOOLS } from "./tasks.ts";
import type { Tool } from "./tool.ts";
import { UNDO_TOOLS } from "./undo.ts";

/** What the assistant can do, in the order in which models and agents read it. */
export const TOOLS: readonly Tool[] = [
  ...EMAIL_TOOLS,
  ...PEOPLE_TOOLS,
  ...SNIPPET_TOOLS,
  ...TASK_TOOLS,
  ...CALENDAR_TOOLS,
  ...TASK_CHANGE_TOOLS,
  ...EVENT_CHANGE_TOOLS,
  ...EMAIL_CHANGE_TOOLS,
  ...EMAIL_WRITING_TOOLS,
  ...EVENT_DETAIL_TOOLS,
  ...INVITATION_TOOLS,
  ...PLAN_TOOLS,
  ...UNDO_TOOLS,
];

const byName: ReadonlyMap<string, Tool> = new Map(TOOLS.map((tool) => [tool.name, tool]));

export function toolByName(name: string): Tool | undefined {
  return byName.get(name);
}

/** The tools that agents have, as they see them. Some have the shape that their clients ask for, and no use in the chat. */
export const AGENT_TOOLS: readonly AgentTool[] = [
  ...FINDING_TOOLS,
  ...TOOLS.flatMap(({ name, scopes, agents }) => (agents ? [{ name, scopes, ...agents }] : [])),
  proposeReply,
];

export function agentToolByName(name: unknown): AgentTool | undefined {
  return AGENT_TOOLS.find((tool) => tool.name === name);
}
