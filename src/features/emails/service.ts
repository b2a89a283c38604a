import { and, eq, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { runBatch } from "../../db/assert.ts";
import { LISTENED } from "../../db/live-tables.ts";
import { emails } from "../../db/schema/emails.ts";
import { deleteVersion, type ExpectedVersions, versionIs, whyMissed } from "../../db/version.ts";

import { kindByText } from "../../engine/email/kind.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { htmlToText } from "../../lib/html-text.ts";
import { inboxTag } from "../../lib/tags.ts";
import { cutToBytes } from "../../lib/text.ts";
import { lowerBound } from "../../lib/time-zone.ts";
import { cancelEmailTasks, requireTaskWriting } from "../tasks/from-email.ts";
import { type Content, contentOf } from "./content.ts";
import { followUpChanges } from "./follow-up.ts";
import { type EmailRow, emailColumns, toEmail } from "./record.ts";
import type { Email, EmailChanges, NewEmail } from "./schemas.ts";
import { snoozeChanges } from "./snooze.ts";
import { learnFromMove } from "./spam.ts";
import { requireEmail, storeEmail } from "./store.ts";

/** Together with its HTML, a body must fit a row of 2 MB, also as the stored response of an Idempotency-Key. */
const MAX_DERIVED_BYTES = 400_000;

export async function createEmail(ctx: Context, input: NewEmail): Promise<{ email: Email; created: boolean }> {
  const isOutbound = input.direction === "outbound";
  const { createTasks, receivedAt = ctx.now, isRead = isOutbound } = input;
  if (createTasks !== "none") requireTaskWriting(ctx);
  const body = input.body ?? cutToBytes(htmlToText(input.html ?? ""), MAX_DERIVED_BYTES);
  const kind = input.kind ?? (isOutbound ? "person" : kindByText({ ...input, content: body }));
  const box = kind === "spam_like" ? "spam" : "inbox";
  const email = {
    ...input,
    messageId: input.messageId ?? `<${crypto.randomUUID()}@personal-operations-assistant.invalid>`,
    body,
    tags: input.tags?.length ? input.tags : inboxTag(input.to[0]?.email),
    kind,
    authentication: null,
    delivery: null,
    status: input.status ?? (isOutbound ? "archived" : box),
    isRead,
    receivedAt: lowerBound(() => timeZoneOf(ctx), receivedAt),
  };
  const { row, created } = await storeEmail(ctx, email, { createTasks, isPlaced: input.status !== undefined });
  return { email: toEmail(ctx, row, await contentOf(ctx, row)), created };
}

export async function getEmail(ctx: Context, id: number): Promise<Email> {
  const row = await requireEmail(ctx, id);
  return toEmail(ctx, row, await contentOf(ctx, row));
}

const changedEmail = { ...emailColumns, ...LISTENED };
const NEXT_VERSION = sql`${emails.version} + 1`;

export async function updateEmail(
  ctx: Context,
  id: number,
  { snoozedUntil, snoozeText, timeZone, tasks, replyNeeded, followUpDays, ...flags }: EmailChanges,
  expected: ExpectedVersions,
): Promise<Email> {
  checkTasks(flags.status, tasks);
  const snooze = snoozeChanges(ctx, { snoozedUntil, snoozeText, timeZone, status: flags.status });
  const followUp = followUpChanges(ctx, id, followUpDays);
  const changes = { ...flags, replyNeeded: replyNeeded ?? undefined, ...snooze, ...followUp.set };
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const set = { ...changes, version: NEXT_VERSION, updatedAt: ctx.now };
  const isThis = sql`${and(eq(emails.id, id), versionIs(emails.version, expected))}`;
  const update = ctx.db.update(emails).set(set).where(isThis).returning(changedEmail);
  // First, while the email still is where it was and has the expected version.
  const before = [
    ...followUp.checks,
    ...(tasks === "cancel" ? [cancelEmailTasks(ctx, sql`(SELECT id FROM emails WHERE ${isThis})`)] : []),
    ...learnFromMove(ctx, isThis, flags.status),
  ];
  const [start = update, ...rest] = [...before, update];
  const [row] = assertType<EmailRow[]>((await runBatch(ctx.db, [start, ...rest])).at(-1));
  if (!row) throw await whyMissed(ctx.db, emails, id, expected, `email ${id}`);
  return toEmail(ctx, row, await contentAfterChange(ctx, row));
}

/** The change is made, whether or not the file store responds: the client must know. */
async function contentAfterChange(ctx: Context, row: EmailRow): Promise<Content> {
  try {
    return await contentOf(ctx, row);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = "The change is saved, but the text of the email cannot be read right now. Read the email later.";
    throw new AppError("unavailable", detail, { retryAfter: 5 });
  }
}

/** The tasks of an email that stays are not to be dropped by a slip. */
export function checkTasks(status: string | undefined, tasks: EmailChanges["tasks"]): void {
  if (tasks !== "cancel" || status === "trash") return;
  throw validationFailed({ path: "tasks", message: "can be cancel only together with status: trash" });
}

export function deleteEmail({ db }: Context, id: number, expected: ExpectedVersions): Promise<void> {
  return deleteVersion(db, emails, id, expected, `email ${id}`);
}
