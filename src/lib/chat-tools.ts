import { words } from "./words.ts";

/* Also stored in conversations, so these names must not change. */

/** Tools that change nothing. */
const READING_TOOLS = words(
  "find_mail read_mail find_people list_snippets list_tasks list_task_lists list_events find_free_slots daily_brief plan_day",
);
export type ReadingTool = (typeof READING_TOOLS)[number];

const WRITING_TOOLS = words(
  "create_task complete_task update_task create_event move_event cancel_event update_event respond_to_invitation update_mail schedule_task draft_mail send_mail delete_draft unsubscribe undo",
);
export type WritingTool = (typeof WRITING_TOOLS)[number];

export const TOOL_NAMES = [...READING_TOOLS, ...WRITING_TOOLS] as const;
export type ToolName = ReadingTool | WritingTool;
