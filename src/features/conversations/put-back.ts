import type { Context } from "../../context.ts";
import type { Also, Replaced, Row } from "../../db/put-back.ts";
import type { ChatUndo } from "../../db/schema/chat.ts";
import { eventSnapshot, putEventBack } from "../calendar/events/put-back.ts";
import { draftSnapshot, emailSnapshot, putDraftBack, putEmailBack } from "../emails/put-back.ts";
import { putTaskBack, taskSnapshot } from "../tasks/put-back.ts";

/** A write, and how to take it back. */
export interface Undoable {
  id: string;
  tool: string;
  title: string;
  undo: ChatUndo | null;
}

export type Where = Pick<ChatUndo, "kind" | "id" | "occurrence">;

const momentOf = (occurrence: string | undefined) => (occurrence === undefined ? undefined : new Date(occurrence));

export function snapshotOf(ctx: Context, { kind, id, occurrence }: Where): Promise<Row & { version: number }> {
  switch (kind) {
    case "task":
      return taskSnapshot(ctx, id);
    case "event":
      return eventSnapshot(ctx, id, momentOf(occurrence));
    case "email":
      return emailSnapshot(ctx, id);
    case "draft":
      return draftSnapshot(ctx, id);
  }
}

/** Puts the record back as it was, in one batch with `also`. Throws `undo_outdated` if it has changed since. */
export function putBack(ctx: Context, undo: ChatUndo, also: Also): Promise<Replaced> {
  switch (undo.kind) {
    case "task":
      return putTaskBack(ctx, undo, also);
    case "event":
      return putEventBack(ctx, { ...undo, occurrence: momentOf(undo.occurrence) }, also);
    case "email":
      return putEmailBack(ctx, undo, also);
    case "draft":
      return putDraftBack(ctx, undo, also);
  }
}
