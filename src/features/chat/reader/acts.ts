import { words } from "../../../lib/words.ts";

/** What a part of a message may want. */
export const ACTS = words(
  "add_task add_event move later earlier length longer shorter until rename place invite uninvite priority undate to_list repeat no_repeat done reopen remove remind note accept decline maybe read summarise star unstar archive inbox mark_read mark_unread tag untag snooze reply forward send make_tasks unsubscribe write ask_day ask_free ask_tasks ask_mail ask_about plan help pick answer other yes no undo redo talk quiet other_world",
);
export type Act = (typeof ACTS)[number];
