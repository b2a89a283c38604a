import { and, eq, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Context, requireScopes, timeZoneOf } from "../../../context.ts";
import { assertExists, assertThat, runBatch } from "../../../db/assert.ts";
import { listPage, type Page } from "../../../db/page.ts";
import { emailDrafts, identities } from "../../../db/schema/emails-writing.ts";
import { deleteVersion, type ExpectedVersions, missedWrite, versionIs } from "../../../db/version.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { forwardSubject, replySubject } from "../../../lib/reply-subject.ts";
import { lowerBound } from "../../../lib/time-zone.ts";
import { mailerOf } from "../../../providers/mail.ts";
import { requireShown, seesSignIn } from "../record.ts";
import { replyAllTo } from "../sending/compose.ts";
import { type Desk, FOR_A_PERSON, readDesk } from "../sending/letter.ts";
import { eachOnce, repliedTo } from "../sending/recipients.ts";
import { copiedAttachments, copyAttachments, giveCopies } from "../uploads/copies.ts";
import { attachToDraft } from "../uploads/service.ts";
import { type DraftRow, draftColumns, toDraft } from "./record.ts";
import type { Draft, DraftChanges, DraftsQuery, NewDraft } from "./schemas.ts";

/** A person has a few; this stops a program that has gone wrong. */
const MAX_DRAFTS = 10_000;

export function listDrafts(ctx: Context, { emailId, ...request }: DraftsQuery): Promise<Page<Draft>> {
  const where =
    emailId === undefined ? undefined : or(eq(emailDrafts.inReplyTo, emailId), eq(emailDrafts.forwardOf, emailId));
  const { attachments } = draftColumns;
  const by = ["updatedAt", "id"] as const;
  const paged = { list: "drafts", table: emailDrafts, also: { attachments }, by, order: "desc", where } as const;
  return listPage(ctx, request, paged, (row) => toDraft(ctx, row));
}

export async function requireDraft(ctx: Context, id: number): Promise<DraftRow> {
  const [row] = await selectDraft(ctx, sql`${id}`);
  requireScopes(ctx, ["emails:read"]);
  if (!row) throw missedWrite(undefined, `draft ${id}`);
  return row;
}

export function selectDraft(ctx: Context, id: SQL) {
  return ctx.db.select(draftColumns).from(emailDrafts).where(sql`${emailDrafts.id} = ${id}`);
}

/** The id of the draft that this batch has inserted. */
export const NEW_DRAFT = sql`(SELECT seq FROM sqlite_sequence WHERE name = 'email_drafts')`;

export async function getDraft(ctx: Context, id: number): Promise<Draft> {
  return toDraft(ctx, await requireDraft(ctx, id));
}

/** A draft with what it answers or forwards, before it is written. */
async function prepareDraft(ctx: Context, { replyAll, includeAttachments: _, ...input }: NewDraft) {
  const { inReplyTo = null, forwardOf = null } = input;
  if (inReplyTo !== null && forwardOf !== null) {
    throw validationFailed({ path: "forwardOf", message: "must not be given together with inReplyTo" });
  }
  const { attachmentIds = [], quote = true } = input;
  const desk = inReplyTo || forwardOf ? await readDesk(ctx, inReplyTo ?? forwardOf, attachmentIds) : null;
  if (desk && !desk.original) {
    throw validationFailed({ path: inReplyTo ? "inReplyTo" : "forwardOf", message: "is not the id of a stored email" });
  }
  const suggested = suggest(ctx, desk, { isReply: inReplyTo !== null, replyAll });
  const recipients = eachOnce({
    to: input.to ?? suggested.to,
    cc: input.cc ?? suggested.cc,
    bcc: input.bcc ?? [],
  });
  const row = {
    ...recipients,
    subject: input.subject ?? suggested.subject,
    body: input.body ?? "",
    html: input.html ?? null,
    identityId: input.identityId ?? null,
    inReplyTo,
    forwardOf,
    sendAt: timeOf(ctx, input.sendAt) ?? null,
    followUpDays: input.followUpDays ?? null,
    quote,
    signature: input.signature ?? true,
    signIn: desk?.original?.signIn ?? null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  return { row, desk };
}

/** What `createDraft` would write, and which files it would attach to it. */
export async function previewDraft(ctx: Context, input: NewDraft) {
  const { row, desk } = await prepareDraft(ctx, input);
  const original = desk?.original ?? null;
  const isWithFiles = row.forwardOf !== null && original && input.includeAttachments;
  const copies = isWithFiles ? await copiedAttachments(ctx, original, row.quote) : [];
  return { draft: row, original, files: [...(desk?.uploads ?? []), ...copies].map(({ name }) => name) };
}

export async function createDraft(ctx: Context, input: NewDraft): Promise<Draft> {
  const { row, desk } = await prepareDraft(ctx, input);
  const { attachmentIds = [], includeAttachments } = input;
  // Now, so that the person sees them and can remove some.
  const copies =
    row.forwardOf !== null && desk?.original && includeAttachments
      ? await copyAttachments(ctx, desk.original, { attached: desk.uploads, html: null, quote: row.quote })
      : [];
  const hasRoom = sql`(SELECT count(*) FROM (SELECT 1 FROM email_drafts LIMIT ${MAX_DRAFTS})) < ${MAX_DRAFTS}`;
  const full = () => new AppError("conflict", `There are ${MAX_DRAFTS} drafts. Delete some first.`);
  const results = await runBatch(ctx.db, [
    assertThat(ctx.db, "drafts_have_room", hasRoom, full),
    ...ownIdentity(ctx, row.identityId),
    ctx.db.insert(emailDrafts).values(row),
    ...(attachmentIds.length > 0 ? attachToDraft(ctx, NEW_DRAFT, attachmentIds) : []),
    ...giveCopies(ctx, copies, NEW_DRAFT),
    selectDraft(ctx, NEW_DRAFT),
  ]);
  return toDraft(ctx, lastRow(results));
}

/** Recipients and subject of a reply or forward, which the person can change. */
function suggest(ctx: Context, desk: Desk | null, { isReply, replyAll }: { isReply: boolean; replyAll: boolean }) {
  const original = desk?.original;
  if (!original) return { to: [], cc: [], subject: "" };
  if (!isReply) return { to: [], cc: [], subject: forwardSubject(original.subject) };
  const mailer = mailerOf(ctx.config);
  const cc = replyAll ? replyAllTo(desk, mailer?.sender.email ?? "") : [];
  return { to: repliedTo(original), cc, subject: replySubject(original.subject) };
}

export async function updateDraft(
  ctx: Context,
  id: number,
  { sendAt, attachmentIds, ...changes }: DraftChanges,
  expected: ExpectedVersions,
): Promise<Draft> {
  const set = { ...changes, sendAt: timeOf(ctx, sendAt) };
  if (attachmentIds === undefined && Object.values(set).every((value) => value === undefined))
    throw new AppError("nothing_to_update");
  // A program could lead what it may not see to an address of its own.
  const isShown = seesSignIn(ctx) ? undefined : isNull(emailDrafts.signIn);
  const isThis = and(eq(emailDrafts.id, id), versionIs(emailDrafts.version, expected), isShown);
  const results = await runBatch(ctx.db, [
    assertExists(ctx.db, emailDrafts, isThis, () => missed(ctx, id)),
    ...ownIdentity(ctx, changes.identityId ?? null),
    ctx.db
      .update(emailDrafts)
      .set({ ...set, version: sql`${emailDrafts.version} + 1`, updatedAt: ctx.now })
      .where(eq(emailDrafts.id, id)),
    ...(attachmentIds ? attachToDraft(ctx, sql`${id}`, attachmentIds) : []),
    selectDraft(ctx, sql`${id}`),
  ]);
  return toDraft(ctx, lastRow(results));
}

export function deleteDraft({ db }: Context, id: number, expected: ExpectedVersions): Promise<void> {
  return deleteVersion(db, emailDrafts, id, expected, `draft ${id}`);
}

export async function missed(ctx: Context, id: number): Promise<AppError> {
  const [current] = await ctx.db
    .select({ version: emailDrafts.version, signIn: emailDrafts.signIn })
    .from(emailDrafts)
    .where(eq(emailDrafts.id, id));
  if (current) requireShown(ctx, current, FOR_A_PERSON);
  return missedWrite(current, `draft ${id}`);
}

function timeOf(ctx: Context, given: DraftChanges["sendAt"]): Date | null | undefined {
  return given === null ? null : lowerBound(() => timeZoneOf(ctx), given);
}

/** Nobody writes as somebody else, not even in a draft. */
function ownIdentity(ctx: Context, identityId: number | null) {
  if (identityId === null) return [];
  const userId = "user" in ctx.actor ? ctx.actor.user.id : 0;
  const isOwn = and(eq(identities.id, identityId), eq(identities.userId, userId));
  const refusal = () => validationFailed({ path: "identityId", message: "is not the id of one of your identities" });
  return [assertExists(ctx.db, identities, isOwn, refusal)];
}

function lastRow(results: readonly unknown[]): DraftRow {
  const [row] = assertType<DraftRow[]>(results.at(-1));
  if (!row) throw new Error("the draft has no row");
  return row;
}
