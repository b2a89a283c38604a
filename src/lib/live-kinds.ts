import type { DataScope } from "./api-key-scopes.ts";
import { words } from "./words.ts";

interface LiveKind {
  /** What an API key needs to read such records; null for those that only a signed-in person reads. */
  scope: DataScope | null;
  /** Whether its ids are numbers. */
  isNumbered: boolean;
}

/** The records whose changes live clients learn of. Triggers write them (`LIVE` in `db/triggers/told.ts`, and `live.sql`). */
export const LIVE_KINDS: Record<string, LiveKind> = {
  email: { scope: "emails:read", isNumbered: true },
  draft: { scope: "emails:read", isNumbered: true },
  task: { scope: "tasks:read", isNumbered: true },
  list: { scope: "tasks:read", isNumbered: true },
  event: { scope: "calendar:read", isNumbered: true },
  sync: { scope: "calendar:read", isNumbered: false },
  stream: { scope: "stream:read", isNumbered: true },
  milestone: { scope: "stream:read", isNumbered: true },
  caption: { scope: "stream:read", isNumbered: true },
  proposal: { scope: "ai:use", isNumbered: false },
  delivery: { scope: null, isNumbered: false },
  reminder: { scope: "tasks:read", isNumbered: true },
};

export const LIVE_TYPES = words(
  "email.received email.created email.analyzed email.sent email.updated email.deleted draft.created draft.updated draft.deleted task.created task.completed task.updated task.deleted list.created list.updated list.deleted event.created event.cancelled event.updated event.deleted sync.created sync.updated sync.completed sync.failed stream.created stream.live stream.ended stream.updated stream.deleted milestone.created milestone.reached milestone.updated milestone.deleted caption.created caption.posted caption.failed caption.updated caption.deleted proposal.created proposal.applied proposal.dismissed proposal.updated proposal.deleted delivery.created delivery.delivered delivery.failed delivery.updated reminder.fired reminder.snoozed reminder.dismissed reminder.updated",
);

export type LiveType = (typeof LIVE_TYPES)[number];
