import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Context, hasOwnWords, isPerson } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import { isOneOf } from "../../db/bulk.ts";
import { LISTENED } from "../../db/live-tables.ts";
import { keyset, listPage, type Page } from "../../db/page.ts";
import { contacts } from "../../db/schema/contacts.ts";
import { sealForClient, unsealFromClient } from "../../db/sealed.ts";
import { type ExpectedVersions, missedWrite, versionIs, whyMissed } from "../../db/version.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { isOutsideAfter } from "../../lib/outside-words.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import type { Contact, ContactChanges, ContactDeletion, ContactQuery, NewContact } from "./schemas.ts";

export type ContactRow = typeof contacts.$inferSelect;

export function toContact(row: ContactRow): Contact {
  const { sortName: _, place: __, ...contact } = row;
  return {
    ...contact,
    lastAt: row.lastAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function listContacts(ctx: Context, request: ContactQuery): Promise<Page<Contact>> {
  const { q = "", saved } = request;
  const where = saved === undefined ? undefined : eq(contacts.isSaved, saved);
  const list = `contacts ${saved ?? "all"}`;
  if (q === "") return listPage(ctx, request, { list, table: contacts, by: ["sortName", "id"], where }, toContact);
  return searchContacts(ctx, request, where, `${list} ${q}`);
}

/** The index is read from the person who is most likely meant on, and only as far as the page goes. */
async function searchContacts(ctx: Context, request: ContactQuery, where: SQL | undefined, list: string) {
  const match = matchOf(request.q ?? "");
  if (match === null) return { data: [], nextCursor: null };
  const { key, page } = keyset(ctx, list, [contacts.place], "desc");
  const [after] = key(request.cursor) ?? [];
  const found = sql`contacts_search MATCH ${match}`;
  const rows = await ctx.db
    .select(getTableColumns(contacts))
    .from(sql`contacts_search`)
    .innerJoin(contacts, sql`${contacts.id} = contacts_search.rowid & 4294967295`)
    .where(and(found, after === undefined ? undefined : sql`contacts_search.rowid < ${after}`, where))
    .orderBy(desc(sql`contacts_search.rowid`))
    .limit(request.limit + 1);
  return page(rows, request, ({ place }) => [place ?? 0], toContact);
}

/** Each word of the text is the beginning of a word of the contact. Null if the text has no word. */
function matchOf(text: string): string | null {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.length === 0 ? null : words.map((word) => `"${word}"*`).join(" ");
}

export async function getContact(ctx: Context, id: number): Promise<Contact> {
  const [row] = await selectContact(ctx, id);
  if (!row) throw missedWrite(undefined, `contact ${id}`);
  return toContact(row);
}

function selectContact({ db }: Context, id: number) {
  return db.select().from(contacts).where(eq(contacts.id, id));
}

/** The contacts that have one of these addresses. */
export function contactsWith({ db }: Context, addresses: readonly string[]) {
  const has = sql`SELECT contact_id FROM contact_addresses WHERE address IN (SELECT value FROM json_each(${JSON.stringify(addresses)}))`;
  return db.select().from(contacts).where(sql`${contacts.id} IN (${has})`);
}

export async function createContact(ctx: Context, input: NewContact): Promise<Contact> {
  const known = await contactsWith(ctx, input.addresses);
  refuseTaken(isPerson(ctx) ? known.filter(({ isSaved }) => isSaved) : known);
  const [first, ...others] = known;
  if (first) return save(ctx, first, input, others);
  const { db, now } = ctx;
  const [, [row]] = await runBatch(db, [
    areFree(ctx, input.addresses, []),
    db
      .insert(contacts)
      .values({ ...input, isSaved: true, outside: !hasOwnWords(ctx), version: 1, createdAt: now, updatedAt: now })
      .returning(),
  ] as const);
  if (!row) throw new Error("the new contact has no row");
  return toContact(row);
}

export async function updateContact(ctx: Context, id: number, changes: ContactChanges, expected: ExpectedVersions) {
  requirePerson(ctx);
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const [[row], known] = await ctx.db.batch([selectContact(ctx, id), contactsWith(ctx, changes.addresses ?? [])]);
  if (!row) throw missedWrite(undefined, `contact ${id}`);
  const others = known.filter((each) => each.id !== id);
  refuseTaken(others.filter(({ isSaved }) => isSaved));
  return save(ctx, row, changes, others, expected);
}

/** Writes details into a contact, which is saved by it, and takes in others that were added by themselves. */
async function save(
  ctx: Context,
  row: ContactRow,
  changes: ContactChanges,
  others: readonly ContactRow[],
  expected?: ExpectedVersions,
): Promise<Contact> {
  const { db } = ctx;
  const next = { ...row, ...changes };
  const ids = others.map(({ id }) => id);
  const isThis = and(eq(contacts.id, row.id), versionIs(contacts.version, expected));
  const [, , , [saved]] = await runBatch(db, [
    areFree(ctx, next.addresses, [row.id, ...ids]),
    db.update(contacts).set(withCountsOf(ids)).where(isThis),
    db.delete(contacts).where(and(isOneOf(contacts.id, ids), sql`EXISTS (SELECT 1 FROM contacts WHERE ${isThis})`)),
    db
      .update(contacts)
      .set({
        ...changes,
        isSaved: true,
        outside: isOutsideAfter(row.outside, hasOwnWords(ctx), textsOf(row), textsOf(next)),
        version: sql`${contacts.version} + 1`,
        updatedAt: ctx.now,
      })
      .where(isThis)
      .returning(),
  ] as const);
  if (!saved) throw await whyMissed(db, contacts, row.id, expected, `contact ${row.id}`);
  return toContact(saved);
}

/** The counts of a contact together with those of others, which it takes in. */
function withCountsOf(ids: readonly number[]) {
  const of = (sum: string) => sql`(SELECT ${sql.raw(sum)} FROM contacts AS other WHERE ${isOneOf(sql`other.id`, ids)})`;
  return {
    received: sql`${contacts.received} + coalesce(${of("sum(received)")}, 0)`,
    sent: sql`${contacts.sent} + coalesce(${of("sum(sent)")}, 0)`,
    lastAt: sql`nullif(max(coalesce(${contacts.lastAt}, 0), coalesce(${of("max(last_at)")}, 0)), 0)`,
  };
}

export function textsOf({ name, company, notes, phones, addresses }: ContactRow): string[] {
  return [name, company, notes, ...addresses, ...phones.flatMap(({ label, number }) => [label, number])];
}

/** Whether nobody but these contacts has one of the addresses: somebody may have saved one meanwhile. */
function areFree(ctx: Context, addresses: readonly string[], ids: readonly number[]) {
  const taken = sql`SELECT 1 FROM contact_addresses
    WHERE address IN (SELECT value FROM json_each(${JSON.stringify(addresses)})) AND NOT ${isOneOf(sql`contact_id`, ids)}`;
  return assertThat(ctx.db, "addresses_are_free", sql`NOT EXISTS (${taken})`, () => new AppError("contact_exists"));
}

function refuseTaken([taken]: readonly ContactRow[]): void {
  if (!taken) return;
  throw new AppError("contact_exists", `Contact ${taken.id} has one of these addresses.`, {
    details: { contactId: taken.id },
  });
}

/** Returns what `restoreContact` needs: nothing of the contact stays here. */
export async function deleteContact(ctx: Context, id: number, expected: ExpectedVersions): Promise<ContactDeletion> {
  const { db } = ctx;
  requirePerson(ctx);
  const isThis = and(eq(contacts.id, id), versionIs(contacts.version, expected));
  const [[row]] = await runBatch(db, [
    db
      .delete(contacts)
      .where(isThis)
      .returning({ ...getTableColumns(contacts), ...LISTENED }),
  ]);
  if (!row) throw await whyMissed(db, contacts, id, expected, `contact ${id}`);
  const { sortName: _, place: __, listenedUntil: ___, ...kept } = row;
  const deleted: Deleted = { row: kept, until: ctx.now.getTime() + DAY_MS };
  return { id, undo: await sealForClient(ctx, DELETED, JSON.stringify(deleted)) };
}

const DELETED = "deleted contact";

interface Deleted {
  row: Omit<ContactRow, "sortName" | "place">;
  until: number;
}

/** Takes back a deletion. People that were added by themselves since with one of the addresses are taken in. */
export async function restoreContact(ctx: Context, undo: string): Promise<Contact> {
  requirePerson(ctx);
  const { db } = ctx;
  const plain = await unsealFromClient(ctx, DELETED, undo);
  if (plain === null) throw validationFailed({ path: "undo", message: "must be what a deletion returned" });
  const { row, until } = assertType<Deleted>(JSON.parse(plain));
  if (until < ctx.now.getTime()) throw new AppError("not_found", "The contact was deleted more than a day ago.");
  const { id, addresses } = row;
  const others = (await contactsWith(ctx, addresses)).filter((other) => other.id !== id);
  refuseTaken(others.filter(({ isSaved }) => isSaved));
  const ids = others.map((other) => other.id);
  const isDeleted = sql`NOT EXISTS (SELECT 1 FROM contacts WHERE id = ${id})`;
  const times = { lastAt: row.lastAt && new Date(row.lastAt), createdAt: new Date(row.createdAt), updatedAt: ctx.now };
  const [, , , , , [restored]] = await runBatch(db, [
    assertThat(db, "contact_is_deleted", isDeleted, () => new AppError("undo_outdated", `Contact ${id} is there.`)),
    areFree(ctx, addresses, ids),
    db.insert(contacts).values({ ...row, ...times, addresses: [], version: row.version + 1 }),
    db.update(contacts).set(withCountsOf(ids)).where(eq(contacts.id, id)),
    db.delete(contacts).where(isOneOf(contacts.id, ids)),
    db.update(contacts).set({ addresses }).where(eq(contacts.id, id)).returning(),
  ] as const);
  if (!restored) throw new Error("the restored contact has no row");
  return toContact(restored);
}

/** Programs add contacts and change none: with another address in one, the person's next email would go there. */
function requirePerson(ctx: Context): void {
  if (!isPerson(ctx)) throw new AppError("forbidden", "Only a person can change or delete a contact.");
}
