import type { emailDrafts } from "../../../db/schema/emails-writing.ts";
import { htmlToText } from "../../../lib/html-text.ts";
import { snippetOf } from "../../../lib/text.ts";
import type { Draft } from "./schemas.ts";

export type DraftRow = typeof emailDrafts.$inferSelect;

export function toDraft(row: DraftRow): Draft {
  return {
    ...row,
    delivery: "draft",
    snippet: snippetOf(row.body || htmlToText((row.html ?? "").slice(0, 20_000))),
    sendAt: row.sendAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
