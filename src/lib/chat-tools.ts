import { words } from "./words.ts";

/** Also stored in conversations, so these names must not change. */
export const TOOL_NAMES = words(
  "find_mail read_mail list_tasks list_task_lists create_task complete_task update_task list_events create_event move_event cancel_event update_event respond_to_invitation find_free_slots daily_brief update_mail plan_day schedule_task draft_mail send_mail delete_draft unsubscribe undo",
);
export type ToolName = (typeof TOOL_NAMES)[number];
