import { and, asc, eq, gt, sql } from "drizzle-orm";
import { type Context, hasOwnWords, isPerson } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import { inParts, isOneOf, selectColumns } from "../../db/bulk.ts";
import { contacts } from "../../db/schema/contacts.ts";
import { isEmailAddress } from "../../lib/addresses.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { isOutsideAfter } from "../../lib/outside-words.ts";
import { collapseSpace } from "../../lib/text.ts";
import { type Card, readCards, writeCards } from "../../lib/vcard.ts";
import { type ContactImport, MAX_CONTACT_ENTRIES, MAX_CONTACT_NAME, MAX_CONTACT_NOTES } from "./schemas.ts";
import { type ContactRow, contactsWith, textsOf } from "./service.ts";

const MAX_CARDS = 5000;
/** Cards that are looked up and written together. */
const AT_ONCE = 500;

export async function exportContacts(ctx: Context): Promise<string> {
  const rows: ContactRow[] = [];
  for (let last = 0; ; last = rows.at(-1)?.id ?? last) {
    const page = await ctx.db
      .select()
      .from(contacts)
      .where(and(gt(contacts.id, last), eq(contacts.isSaved, true)))
      .orderBy(asc(contacts.id))
      .limit(1000);
    rows.push(...page);
    if (page.length < 1000) break;
  }
  return writeCards(rows.map((row) => ({ ...row, id: `contact-${row.id}`, updatedAt: row.updatedAt.toISOString() })));
}

export async function importContacts(ctx: Context, file: string): Promise<ContactImport> {
  const read = readCards(file);
  if (read.length === 0) throw validationFailed({ path: "", message: "The file has no vCard" });
  if (read.length > MAX_CARDS) {
    throw validationFailed({ path: "", message: `The file has ${read.length} cards; at most ${MAX_CARDS} are read` });
  }
  const usable = read
    .flatMap((card) => (card ? [fitting(card)] : []))
    .filter(({ name, addresses }) => name !== "" || addresses.length > 0);
  const cards = joined(usable);
  const result = { created: 0, updated: 0, unchanged: 0, skipped: read.length - usable.length };
  for (let start = 0; start < cards.length; start += AT_ONCE) {
    const done = await importSome(ctx, cards.slice(start, start + AT_ONCE));
    result.created += done.created;
    result.updated += done.updated;
    result.unchanged += done.unchanged;
  }
  return result;
}

/** With what the fields of a contact hold. */
function fitting(card: Card): Card {
  return {
    name: collapseSpace(card.name).slice(0, MAX_CONTACT_NAME),
    addresses: [...new Set(card.addresses.filter(isEmailAddress))].slice(0, MAX_CONTACT_ENTRIES),
    company: card.company.slice(0, 200),
    phones: card.phones.filter(({ number }) => number.length <= 50).slice(0, MAX_CONTACT_ENTRIES),
    notes: card.notes.slice(0, MAX_CONTACT_NOTES),
  };
}

/** Cards that share an address and a name are about one person. An address belongs to the first card that has it. */
function joined(cards: readonly Card[]): Card[] {
  const places = new Map<string, number>();
  const result: Card[] = [];
  for (const card of cards) {
    const sought = card.addresses.length > 0 ? card.addresses : soughtBy(card);
    const found = sought.flatMap((key) => places.get(key) ?? []);
    const at = found.find((index) => isNamedLike(result[index], card)) ?? result.length;
    const addresses = card.addresses.filter((address) => (places.get(address) ?? at) === at);
    const known = result[at];
    const whole = known ? additions(known, { ...card, addresses }) : { ...card, addresses };
    if (whole.name === "" && whole.addresses.length === 0) continue;
    result[at] = whole;
    for (const key of [...whole.addresses, ...foundBy(whole)]) if (!places.has(key)) places.set(key, at);
  }
  return result;
}

function isNamedLike(one: Card | undefined, { name }: Card): boolean {
  return !one || one.name === "" || name === "" || one.name.toLowerCase() === name.toLowerCase();
}

/**
 * A card without an address is about the person who has its name and one of its numbers, or its name if one of the two
 * has no number.
 */
function soughtBy({ name, phones }: Card): string[] {
  const key = name.toLowerCase();
  if (phones.length === 0) return [`${key}\n`];
  return [...phones.map(({ number }) => `${key}\n${number}`), `${key}\nnone`];
}

/** What `soughtBy` finds a card by. */
function foundBy({ name, phones }: Card): string[] {
  const key = name.toLowerCase();
  return [`${key}\n`, ...phones.map(({ number }) => `${key}\n${number}`), ...(phones.length ? [] : [`${key}\nnone`])];
}

/** What a card adds: whatever the contact does not have and has room for. Nothing is replaced. */
function additions(contact: Card, card: Card): Card {
  const numbers = new Set(contact.phones.map(({ number }) => number));
  return {
    name: contact.name || card.name,
    addresses: [...new Set([...contact.addresses, ...card.addresses])].slice(0, MAX_CONTACT_ENTRIES),
    company: contact.company || card.company,
    phones: [...contact.phones, ...card.phones.filter(({ number }) => !numbers.has(number))].slice(
      0,
      MAX_CONTACT_ENTRIES,
    ),
    notes: contact.notes || card.notes,
  };
}

interface Merge {
  card: Card;
  /** The contact that gets it; undefined for a new one. */
  into: ContactRow | undefined;
  /** Contacts that were added by themselves and are about the same person. */
  absorbed: ContactRow[];
}

async function importSome(ctx: Context, cards: readonly Card[]) {
  const known = await knownBy(ctx, cards);
  const merges = mergesOf(ctx, cards, known);
  const rows = merges.map((merge) => rowOf(ctx, merge)).filter((row) => row !== null);
  const pairs = merges.flatMap(({ into, absorbed }) => absorbed.map(({ id }) => [into?.id, id]));
  if (rows.length > 0) await write(ctx, cards, known, rows, pairs);
  const created = merges.filter(({ into }) => !into).length;
  return { created, updated: rows.length - created, unchanged: merges.length - rows.length };
}

/** The contacts that a card may be about: by an address, or by the name if a card has no address. */
async function knownBy(ctx: Context, cards: readonly Card[]): Promise<ContactRow[]> {
  const names = cards.flatMap(({ name, addresses }) => (addresses.length === 0 ? [name] : []));
  const isNamed = sql`${contacts.sortName} IN (SELECT lower(value) FROM json_each(${JSON.stringify(names)}))`;
  const [byAddress, byName] = await ctx.db.batch([
    contactsWith(
      ctx,
      cards.flatMap(({ addresses }) => addresses),
    ),
    ctx.db
      .select()
      .from(contacts)
      .where(and(isNamed, eq(contacts.isSaved, true))),
  ]);
  return [...new Map([...byAddress, ...byName].map((row) => [row.id, row])).values()];
}

function mergesOf(ctx: Context, cards: readonly Card[], known: readonly ContactRow[]): Merge[] {
  const owners = new Map(known.flatMap((row) => row.addresses.map((address) => [address, row])));
  const named = new Map(known.flatMap((row) => (row.isSaved ? foundBy(row).map((key) => [key, row]) : [])));
  const taken = new Set<number>();
  return cards.map((card) => {
    const about =
      card.addresses.length > 0
        ? card.addresses.flatMap((address) => owners.get(address) ?? [])
        : soughtBy(card)
            .flatMap((key) => named.get(key) ?? [])
            .slice(0, 1);
    const free = [...new Set(about)].filter(({ id }) => !taken.has(id));
    const into = free.find(({ isSaved }) => isSaved) ?? free[0];
    const whole = new Set(into ? additions(into, card).addresses : card.addresses);
    const absorbed = isPerson(ctx)
      ? free.filter((row) => row !== into && !row.isSaved && row.addresses.every((address) => whole.has(address)))
      : [];
    const own = new Set([into, ...absorbed]);
    for (const row of own) if (row) taken.add(row.id);
    // An address of another contact stays there.
    const addresses = card.addresses.filter((address) => !owners.has(address) || own.has(owners.get(address)));
    return { card: { ...card, addresses }, into, absorbed };
  });
}

/** The row to write; null if it adds nothing. The name that a person saved stays; one that came by email does not. */
function rowOf(ctx: Context, { card, into, absorbed }: Merge) {
  const isOwn = hasOwnWords(ctx);
  if (!into) return { ...card, id: null, outside: !isOwn };
  // Programs only add contacts.
  if (!isPerson(ctx)) return null;
  const next = additions(into.isSaved ? into : { ...into, name: card.name || into.name }, card);
  const changed = { ...into, ...next };
  const isSame =
    into.isSaved && absorbed.length === 0 && JSON.stringify(textsOf(changed)) === JSON.stringify(textsOf(into));
  if (isSame) return null;
  return { ...next, id: into.id, outside: isOutsideAfter(into.outside, isOwn, textsOf(into), textsOf(changed)) };
}

type ImportedRow = NonNullable<ReturnType<typeof rowOf>>;

/** In one batch, which fails if somebody changes one of these contacts meanwhile: the person tries again. */
async function write(
  ctx: Context,
  cards: readonly Card[],
  known: readonly ContactRow[],
  rows: readonly ImportedRow[],
  pairs: readonly unknown[],
): Promise<void> {
  const { db } = ctx;
  const ids = known.map(({ id }) => id);
  const addresses = JSON.stringify(cards.flatMap((card) => card.addresses));
  const versions = known.reduce((sum, { version }) => sum + version, 0);
  const isAsRead = sql`(SELECT coalesce(sum(version), 0) FROM contacts WHERE ${isOneOf(sql`id`, ids)}) = ${versions}
    AND NOT EXISTS (SELECT 1 FROM contact_addresses WHERE address IN (SELECT value FROM json_each(${addresses}))
      AND NOT ${isOneOf(sql`contact_id`, ids)})`;
  const changed = () =>
    new AppError("version_conflict", "A contact of the file was changed meanwhile. Import it again.");
  const absorbed = sql`FROM json_each(${JSON.stringify(pairs)}) AS pair JOIN contacts AS other ON other.id = pair.value ->> 1
    WHERE pair.value ->> 0 = contacts.id`;
  const upsert = (some: readonly ImportedRow[]) =>
    db
      .insert(contacts)
      .select(
        sql`${selectColumns(contacts, {
          id: sql`value ->> 'id'`,
          name: sql`value ->> 'name'`,
          addresses: sql`value -> 'addresses'`,
          isSaved: sql`1`,
          outside: sql`value ->> 'outside'`,
          company: sql`value ->> 'company'`,
          phones: sql`value -> 'phones'`,
          notes: sql`value ->> 'notes'`,
          received: sql`0`,
          sent: sql`0`,
          version: sql`1`,
          createdAt: sql`${ctx.now.getTime()}`,
          updatedAt: sql`${ctx.now.getTime()}`,
        })} FROM json_each(${JSON.stringify(some)}) WHERE 1`,
      )
      .onConflictDoUpdate({
        target: contacts.id,
        set: {
          ...Object.fromEntries(
            ["name", "addresses", "isSaved", "outside", "company", "phones", "notes", "updatedAt"].map((key) => [
              key,
              sql.raw(`excluded.${contacts[key as keyof typeof contacts.$inferSelect].name}`),
            ]),
          ),
          version: sql`${contacts.version} + 1`,
        },
      });
  await runBatch(db, [
    assertThat(db, "contacts_are_as_read", isAsRead, changed),
    db
      .update(contacts)
      .set({
        received: sql`${contacts.received} + coalesce((SELECT sum(other.received) ${absorbed}), 0)`,
        sent: sql`${contacts.sent} + coalesce((SELECT sum(other.sent) ${absorbed}), 0)`,
        lastAt: sql`nullif(max(coalesce(${contacts.lastAt}, 0), coalesce((SELECT max(other.last_at) ${absorbed}), 0)), 0)`,
      })
      .where(sql`${contacts.id} IN (SELECT value ->> 0 FROM json_each(${JSON.stringify(pairs)}))`),
    db.delete(contacts).where(sql`${contacts.id} IN (SELECT value ->> 1 FROM json_each(${JSON.stringify(pairs)}))`),
    ...inParts(rows, (row) => row).map(upsert),
  ]);
}
