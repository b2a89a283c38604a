import { wordSet } from "../../../lib/words.ts";
import type { Act, Wish } from "./model.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** Acts that change something, by how much harm a mistake does. */
const GROUPS = {
  add: wordSet("add_task add_event make_tasks"),
  change: wordSet(
    "move later earlier length longer shorter until rename place invite uninvite priority undate to_list repeat no_repeat done reopen remind note accept decline maybe undo redo",
  ),
  remove: wordSet("remove"),
  email: wordSet("star unstar archive inbox mark_read mark_unread tag untag snooze unsubscribe"),
  write: wordSet("reply forward send write"),
};
export type Group = keyof typeof GROUPS;

/** Whether these change something depends on what they answer. */
const OPEN = wordSet("pick answer other yes no");

export const isOpen = (act: Act) => OPEN.has(act);

/** What kind of change an act is; null if it changes nothing. */
export function groupOf(act: Act): Group | null {
  for (const [group, acts] of Object.entries(GROUPS)) if (acts.has(act)) return group as Group;
  return null;
}

/** How sure the reader is that this part of a message wants this change now. */
export const sureness = ({ share, change }: Pick<Wish, "share" | "change">) => share * change;

/** Whether to act on this wish without asking. An act that changes nothing needs no certainty. */
export function isSure(wish: Pick<Wish, "act" | "share" | "change">): boolean {
  const group = groupOf(wish.act);
  return group === null || sureness(wish) >= THRESHOLDS[group];
}
