import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type Context, requireScopes } from "../../context.ts";
import { runBatch } from "../../db/assert.ts";
import { compiledSelect, compiledWrite } from "../../db/compiled-query.ts";
import { forwardEmails } from "../../db/forwarding.ts";
import { LISTENED } from "../../db/live-tables.ts";
import { NEXT_EMAIL_ID } from "../../db/next-id.ts";
import { emails, type WrittenDraft } from "../../db/schema/emails.ts";
import { missedWrite } from "../../db/version.ts";
import { tasksIn } from "../../engine/email/intelligence.ts";
import { signInOf } from "../../engine/email/sign-in.ts";
import type { Address } from "../../lib/addresses.ts";
import { senderProof } from "../../lib/authentication-results.ts";
import { assertType } from "../../lib/cast.ts";
import type { TimeReading } from "../../lib/date-habits.ts";
import { dueOfMoment } from "../../lib/due.ts";
import { isAsideStatus, type StoredSignIn } from "../../lib/email-kinds.ts";
import { AppError } from "../../lib/errors.ts";
import { limitReferences, messageKey } from "../../lib/message-id.ts";
import { inboxTag, MAX_TAGS } from "../../lib/tags.ts";
import { firstCharacters, snippetOf } from "../../lib/text.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { errorFields, log } from "../../log.ts";
import { deleteObjects } from "../files/objects.ts";
import { readingFor } from "../people/reading.ts";
import { type EmailTask, insertEmailTasks } from "../tasks/from-email.ts";
import { settleThread } from "./answered.ts";
import { type Content, type PlacedContent, placeContent, type StoredMessage } from "./content.ts";
import { endFollowUps } from "./follow-up.ts";
import { rememberSenders } from "./known-senders.ts";
import { IS_VERIFIED } from "./proof.ts";
import { type EmailRow, emailColumns, type ReadableEmail, shownRow, toEngineInput } from "./record.ts";
import type { NewEmail } from "./schemas.ts";
import { indexContent } from "./search-index.ts";
import { isInThread, joinThread, messageIdsOf, threadOf, threadOfReplies } from "./threads/join.ts";

type Head = "messageId" | "inReplyTo" | "references" | "to" | "cc" | "replyTo" | "subject";
type Flags =
  | "direction"
  | "source"
  | "kind"
  | "authentication"
  | "delivery"
  | "attachments"
  | "tags"
  | "status"
  | "isRead"
  | "isStarred"
  | "receivedAt";

/** An email to store, from whatever source. `raw`: the whole message, as an object that is already written. */
export type EmailToStore = Pick<EmailRow, Head | Flags> &
  Partial<
    Pick<
      EmailRow,
      "bcc" | "sendAt" | "followUpAt" | "snoozedUntil" | "identityId" | "list" | "appliedRules" | "deleteAt" | "signIn"
    >
  > &
  Content & { from: Address; raw?: StoredMessage; writtenAs?: WrittenDraft | undefined };

/** `at_least_one`: a task for each request, or one for the whole email if it has none. */
type TaskMode = NewEmail["createTasks"] | "at_least_one";

export interface StoreOptions {
  createTasks?: TaskMode;
  /** The inbox it arrived in. */
  deliveredTo?: string;
  reading?: TimeReading;
  /** The raw message of an email that is not created stays: the caller needs it, or deletes it. */
  keepsRaw?: boolean;
  /** The caller sends the message to analyze it after this. */
  owesAnalysis?: boolean;
  /** The person wrote it, whatever its direction: it answers the emails before it. */
  isOwn?: boolean;
  /** The caller says where it goes, also if its thread is muted. */
  isPlaced?: boolean;
  /** Ids of the webhooks that get the email, if this creates it. */
  forwardTo?: readonly number[];
  /** Further statements of the same batch, before the email is stored: assertions, and what it replaces. */
  first?(ctx: Context): readonly BatchItem<"sqlite">[];
  /** The same after it is stored. `id` is that of the email that this batch creates, or else NULL. */
  alongside?(ctx: Context, id: SQL): readonly BatchItem<"sqlite">[];
}

/**
 * Stores an email once, adds it to its thread and creates its tasks, in one batch. Of parallel deliveries with the same
 * Message-ID one creates the email; the others return the stored one. Long content is written to the file store first.
 * The objects of an email that is not created are deleted: of a duplicate, and of a request that is refused.
 */
export async function storeEmail(
  ctx: Context,
  email: EmailToStore,
  options: StoreOptions = {},
): Promise<{ row: EmailRow; created: boolean }> {
  const { raw } = email;
  const content = await placeContent(ctx, email);
  const objects = [content.contentKey, raw?.key].flatMap((key) => key ?? []);
  try {
    const stored = await storeRow(ctx, email, content, options);
    if (!stored.created) await dropObjects(ctx, options.keepsRaw ? objects.filter((key) => key !== raw?.key) : objects);
    // The caller has just stored it and need not read it again.
    const row = stored.created ? { ...stored.row, body: email.body, html: email.html } : stored.row;
    return { ...stored, row };
  } catch (error) {
    // Any other error may have come after the commit: then the email has its objects, or the nightly job finds them.
    if (error instanceof AppError) await dropObjects(ctx, objects);
    throw error;
  }
}

/** Objects that no row names. What fails is left to the nightly job. */
async function dropObjects(ctx: Context, keys: readonly string[]): Promise<void> {
  await deleteObjects(ctx, keys).catch(() => {});
}

async function storeRow(
  ctx: Context,
  { raw, ...email }: EmailToStore,
  content: PlacedContent,
  options: StoreOptions,
): Promise<{ row: EmailRow; created: boolean }> {
  const { createTasks = "none", deliveredTo, reading = readingFor(ctx), forwardTo = [], first = () => [] } = options;
  const key = messageKey(email.messageId);
  const references = limitReferences(email.references);
  const named = [...new Set([email.inReplyTo ?? "", ...[...references].reverse()].map(messageKey))].filter(Boolean);
  // An email with a forged address joins no conversation.
  const known = senderProof(email.authentication) === "failed" ? [] : named;
  const signIn = email.signIn === undefined ? findSignIn(email) : email.signIn;
  const row = {
    ...email,
    ...content,
    rawKey: raw?.key ?? null,
    rawSize: raw?.size ?? null,
    deliveryError: null,
    deliveredTo: deliveredTo ?? null,
    references,
    fromName: email.from.name,
    fromEmail: email.from.email,
    snippet: snippetOf(email.body),
    hasAttachments: email.attachments.some(({ inline }) => !inline),
    // A trigger would set it with a second write.
    isAside: isAsideStatus(email.status),
    signIn,
    analysisDueAt: options.owesAnalysis ? ctx.now : null,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const tasks = findTasks(ctx, { ...email, signIn }, createTasks, reading);
  const extras: BatchItem<"sqlite">[] = [];
  // Only for the email that this batch creates: one that arrives again must not restore tasks that were deleted.
  const created = () =>
    sql`(SELECT id FROM emails WHERE message_key = ${key} AND version = 1 AND created_at = ${ctx.now.getTime()})`;
  if (tasks.length > 0) extras.push(insertEmailTasks(ctx, created(), tasks));
  if (forwardTo.length > 0) extras.push(forwardEmails(ctx, created(), forwardTo));
  if (email.direction === "outbound") {
    extras.push(
      ...rememberSenders(
        ctx,
        [...email.to, ...email.cc, ...(email.bcc ?? [])].map((recipient) => recipient.email),
      ),
    );
  }
  // An email that is yet to leave answers nothing before it has.
  const isAnswer = options.isOwn || (email.direction === "outbound" && email.delivery === null);
  if (isAnswer && known.length > 0) extras.push(settleThread(ctx, created(), row));
  if (known.length > 0) extras.push(...endFollowUps(ctx, created(), row));
  if (deliveredTo) extras.push(...addInboxTag(ctx, sql`message_key = ${key}`, email, deliveredTo));
  extras.push(...(options.alongside?.(ctx, created()) ?? []));
  if (content.contentKey !== null) extras.push(indexContent(ctx, content.contentKey, email));
  const stranger = email.source === "inbound" && !options.isOwn ? email.from.email : undefined;
  const before = [...first(ctx), ...joinThread(ctx, key, known, stranger)];
  // A new email of a muted thread goes to the archive.
  const whereMuted = options.isPlaced || email.status !== "inbox" ? email.status : "archived";
  const insert =
    known.length > 0
      ? insertEmail(ctx.db, row, { messageIds: messageIdsOf(key, known), whereMuted })
      : insertFirstEmail(ctx.db, row, { ownKey: key, whereMuted });
  // A new email of a new thread is what was given: reading it would be a third of the database's work.
  if (before.length + extras.length === 0) {
    const [made] = await insert;
    if (made && !made.hasThreadCount) return { row: asRead({ ...row, ...made, threadCount: 1 }), created: true };
    const [stored] = await selectByKey(ctx.db, { key });
    if (made) return { row: stored ?? asRead({ ...row, ...made, threadCount: 1 }), created: true };
    // If another request has deleted the email that was there, this one can be stored now.
    return stored ? { row: stored, created: false } : storeRow(ctx, { ...email, raw }, content, options);
  }
  // `insert` is a type of its own, so the type of the batch covers only what all have.
  const [start = insert, ...rest] = [...before, insert, ...extras, selectByKey(ctx.db, { key })];
  const results = await runBatch(ctx.db, [start, ...rest]);
  const [made] = assertType<{ id: number }[]>(results[before.length]);
  const [stored] = assertType<EmailRow[]>(results.at(-1));
  if (!stored) throw new Error("the stored email has no row");
  return { row: stored, created: made !== undefined };
}

/** What an email signs its reader in with. One that is imported is of the past. */
export function findSignIn(
  email: Pick<EmailToStore, "from" | "subject" | "body" | "html" | "receivedAt" | "source">,
): StoredSignIn | null {
  const { from, subject, body, html, receivedAt, source } = email;
  const found = signInOf({ from: from.email, subject, body, html });
  if (!found) return null;
  const { kind, code, minutes } = found;
  if (minutes === null) return { kind, code, expiresAt: null };
  const lifetime = source === "import" ? 0 : minutes * MINUTE_MS;
  return { kind, code, expiresAt: new Date(receivedAt.getTime() + lifetime).toISOString() };
}

/** An email that was just stored, as it would be read. */
function asRead(made: Partial<EmailRow>): EmailRow {
  const row: Record<string, unknown> = { ...BLANK };
  for (const name of COLUMN_NAMES) row[name] = made[name] ?? null;
  return assertType<EmailRow>(row);
}

const COLUMN_NAMES = assertType<(keyof EmailRow)[]>(Object.keys(emailColumns));
/** Copying a complete object is several times faster than adding members one by one. */
const BLANK = Object.fromEntries(COLUMN_NAMES.map((name) => [name, null]));

/**
 * The statements that give a sent email the Message-ID it left with, for the batch that marks it. Replies to it may have
 * arrived before. If an email has that Message-ID already, such as our own copy of it, this one keeps the one it has.
 */
export function renameMessage(ctx: Context, from: string, to: string): BatchItem<"sqlite">[] {
  const [before, after] = [messageKey(from), messageKey(to)];
  if (!after || before === after) return [];
  const isThis = sql`message_key = ${before}`;
  return [
    ...joinThread(ctx, after, [before]),
    ctx.db
      .update(emails)
      .set({ messageId: to })
      .where(sql`${isThis} AND NOT EXISTS (SELECT 1 FROM emails WHERE message_key = ${after})`),
  ];
}

/** Stores an email in a thread, unless there is one with its Message-ID. */
const insertIn = (thread: SQL) =>
  compiledWrite(({ db }, row: NewRow) => {
    const { id, threadId, hasThreadCount, status } = emails;
    return db
      .insert(emails)
      .values({
        ...row,
        id: NEXT_EMAIL_ID,
        threadId: sql`coalesce(${thread}, ${NEXT_EMAIL_ID})`,
        // Triggers would set it with a second write.
        hasThreadCount: sql`EXISTS (SELECT 1 FROM emails WHERE ${isInThread(sql`(${thread})`)})`,
        status: sql`iif(EXISTS (SELECT 1 FROM muted_threads WHERE thread_id = ${thread}), ${sql.placeholder("whereMuted")}, ${row.status})`,
      })
      .onConflictDoNothing()
      .returning({ id, threadId, hasThreadCount, status, ...LISTENED });
  });
const insertEmail = insertIn(threadOf(sql.placeholder("messageIds")));
/** The same for an email that refers to no other. */
const insertFirstEmail = insertIn(threadOfReplies(sql.placeholder("ownKey")));

type NewRow = Omit<typeof emails.$inferInsert, "id" | "threadId" | "hasThreadCount">;

const HAS_KEY = sql`message_key = ${sql.placeholder("key")}`;
const selectByKey = compiledSelect(({ db }) => db.select(emailColumns).from(emails).where(HAS_KEY));

/**
 * An email to two inboxes arrives twice: the second time it only gets the tag of the second inbox. Another email with
 * its Message-ID changes nothing about it: one of another sender, a copy of an email of ours, or one that is proved less or better.
 */
function addInboxTag(
  ctx: Context,
  isThis: SQL,
  { from, authentication }: EmailToStore,
  deliveredTo: string,
): BatchItem<"sqlite">[] {
  const isProvedAlike =
    senderProof(authentication) === "verified"
      ? IS_VERIFIED
      : sql`authentication IS ${authentication && JSON.stringify(authentication)}`;
  const isSame = sql`lower(from_email) = lower(${from.email}) AND direction = 'inbound' AND ${isProvedAlike}`;
  return inboxTag(deliveredTo).map((tag) =>
    ctx.db
      .update(emails)
      .set({ tags: sql`json_insert(tags, '$[#]', ${tag})`, version: sql`version + 1`, updatedAt: ctx.now })
      .where(
        and(
          isThis,
          isSame,
          sql`json_array_length(tags) < ${MAX_TAGS}`,
          sql`NOT EXISTS (SELECT 1 FROM json_each(emails.tags) WHERE value = ${tag})`,
        ),
      ),
  );
}

const TITLE_CHARACTERS = 200;
type EmailWithTasks = ReadableEmail & { tags: readonly string[] };

/** Tasks can be created later, so an email is stored even if the engine fails on it. */
function findTasks(ctx: Context, email: EmailWithTasks, mode: TaskMode, reading: TimeReading): EmailTask[] {
  try {
    return tasksFrom(email, mode, reading);
  } catch (error) {
    log("error", "tasks_not_read", { requestId: ctx.requestId, ...errorFields(error) });
    return [];
  }
}

/** The tasks that an email asks for. */
export function tasksFrom(email: EmailWithTasks, mode: TaskMode, reading: TimeReading): EmailTask[] {
  const { subject, body, tags } = email;
  if (mode === "none" || email.signIn) return [];
  const title = firstCharacters(subject.trim(), TITLE_CHARACTERS) || "Email without a subject";
  const whole = [{ title, description: snippetOf(body), quote: null, dueAt: null, tags }];
  if (mode === "every") return whole;
  const items = tasksIn(toEngineInput(email, reading)).map((item) => ({
    title: item.text,
    description: "",
    quote: item.quote.text,
    ...(item.dueAt ? dueOfMoment(item.dueAt, reading.timeZone) : { dueAt: null }),
    tags,
  }));
  return items.length === 0 && mode === "at_least_one" ? whole : items;
}

const selectEmail = compiledSelect(({ db }) =>
  db
    .select(emailColumns)
    .from(emails)
    .where(eq(emails.id, sql.placeholder("id"))),
);

export async function requireEmail(ctx: Context, id: number): Promise<EmailRow> {
  const [row] = await selectEmail(ctx.db, { id });
  requireScopes(ctx, ["emails:read"]);
  if (!row) throw missedWrite(undefined, `email ${id}`);
  return shownRow(ctx, row);
}

/** The sender of an email; undefined if it does not exist. */
export async function findSender(ctx: Context, id: number): Promise<string | undefined> {
  const [row] = await ctx.db.select({ email: emails.fromEmail }).from(emails).where(eq(emails.id, id));
  return row?.email;
}
