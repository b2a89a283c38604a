import { and, asc, eq, ne, type SQL, sql } from "drizzle-orm";
import { type Account, type Condition, type Context, signedInUser } from "../../../context.ts";
import { assertExists, assertThat, runBatch } from "../../../db/assert.ts";
import { listPage, type Page, type PageRequest } from "../../../db/page.ts";
import { identities } from "../../../db/schema/emails-writing.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../../db/version.ts";
import { domainOf, sameAddress } from "../../../lib/addresses.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { mailerOf, requireMailer } from "../../../providers/mail.ts";
import { audit } from "../../audit/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { isAddressOfOther } from "../../people/account.ts";
import type { NewSenderIdentity, SenderIdentity, SenderIdentityChanges } from "./schemas.ts";

export type IdentityRow = typeof identities.$inferSelect;

const MAX_IDENTITIES = 50;

export function toIdentity({ userId, signatureText, ...row }: IdentityRow): SenderIdentity {
  return {
    ...row,
    signature: signatureText,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** Limits a query to the signed-in person's identity: to others it does not exist. */
function mine(ctx: Context, id: number): SQL | undefined {
  return and(eq(identities.id, id), eq(identities.userId, signedInUser(ctx).id));
}

export function listIdentities(ctx: Context, request: PageRequest): Promise<Page<SenderIdentity>> {
  const where = eq(identities.userId, signedInUser(ctx).id);
  return listPage(ctx, request, { list: "identities", table: identities, by: ["id"], where }, toIdentity);
}

/** All identities of a person: there are few. For a batch. */
export function selectIdentities(ctx: Context, userId: number) {
  return ctx.db.select().from(identities).where(eq(identities.userId, userId)).orderBy(asc(identities.id));
}

/** Whether a request, not validated yet, leaves the replies to the person's emails going where they go. */
export async function keepsReplies(
  ctx: Context,
  { address = null, replyTo = null }: Readonly<Record<string, unknown>>,
  id?: string,
): Promise<boolean | Condition> {
  if (address === null && replyTo === null) return true;
  if (id === undefined) return false;
  const [row] = /^\d{1,15}$/.test(id)
    ? await ctx.db
        .select()
        .from(identities)
        .where(mine(ctx, Number(id)))
    : [];
  const sql = "(SELECT version FROM identities WHERE id = ?) IS ?";
  const isSame = { sql, values: [id, row?.version ?? null] };
  // A missing identity changes nothing.
  if (!row) return isSame;
  const given = typeof replyTo === "object" && replyTo && "email" in replyTo ? replyTo.email : replyTo;
  return (given === null || given === row.replyTo?.email) && (address === null || address === row.address) && isSame;
}

function tellOfReplies(ctx: Context, before: IdentityRow | null, { address, replyTo }: IdentityRow): void {
  const place = replyTo?.email ?? address;
  if (place === null || place === (before?.replyTo?.email ?? before?.address ?? null)) return;
  const explanation = `Replies to emails that you send with it go to ${place}.`;
  sendSecurityAlert(ctx, signedInUser(ctx), "The address of a sender identity was set", explanation);
}

export async function createIdentity(ctx: Context, input: NewSenderIdentity): Promise<SenderIdentity> {
  const user = signedInUser(ctx);
  const { signature, isDefault, ...fields } = input;
  const hasOthers = sql`EXISTS (SELECT 1 FROM identities WHERE user_id = ${user.id})`;
  const isDefaultNow = isDefault ?? sql`NOT ${hasOthers}`;
  const hasRoom = sql`(SELECT count(*) FROM identities WHERE user_id = ${user.id}) < ${MAX_IDENTITIES}`;
  const full = () => new AppError("conflict", `You have ${MAX_IDENTITIES} identities. Delete one first.`);
  const results = await runBatch(ctx.db, [
    assertThat(ctx.db, "identities_have_room", hasRoom, full),
    ...mayUse(ctx, user, input.address),
    ...(isDefault ? [unsetDefault(ctx, user.id)] : []),
    audit(ctx, "identity.created", { userId: user.id, details: { address: input.address } }),
    ctx.db
      .insert(identities)
      .values({
        ...fields,
        userId: user.id,
        signatureText: signature,
        isDefault: sql`${isDefaultNow}`,
        version: 1,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      })
      .returning(),
  ]);
  const row = lastRow(results);
  tellOfReplies(ctx, null, row);
  return toIdentity(row);
}

export async function updateIdentity(
  ctx: Context,
  id: number,
  input: SenderIdentityChanges,
  expected: ExpectedVersions,
): Promise<SenderIdentity> {
  if (changedNames(input).length === 0) throw new AppError("nothing_to_update");
  const { signature, ...changes } = input;
  const set = { ...changes, signatureText: signature };
  const user = signedInUser(ctx);
  const results = await runBatch(ctx.db, [
    ctx.db.select().from(identities).where(mine(ctx, id)),
    assertExists(ctx.db, identities, and(mine(ctx, id), versionIs(identities.version, expected)), missed(ctx, id)),
    ...mayUse(ctx, user, changes.address ?? null),
    ...(changes.isDefault ? [unsetDefault(ctx, user.id, id)] : []),
    audit(ctx, "identity.changed", { userId: user.id, details: { id, fields: changedNames(input).join(" ") } }),
    ctx.db
      .update(identities)
      .set({ ...set, version: sql`${identities.version} + 1`, updatedAt: ctx.now })
      .where(mine(ctx, id))
      .returning(),
  ]);
  const [before = null] = assertType<IdentityRow[]>(results[0]);
  const row = lastRow(results);
  tellOfReplies(ctx, before, row);
  return toIdentity(row);
}

export async function deleteIdentity(ctx: Context, id: number, expected: ExpectedVersions): Promise<void> {
  await runBatch(ctx.db, [
    assertExists(ctx.db, identities, and(mine(ctx, id), versionIs(identities.version, expected)), missed(ctx, id)),
    audit(ctx, "identity.deleted", { userId: signedInUser(ctx).id, details: { id } }),
    ctx.db.delete(identities).where(mine(ctx, id)),
  ]);
}

function changedNames(input: SenderIdentityChanges): string[] {
  return Object.entries(input).flatMap(([name, value]) => (value === undefined ? [] : [name]));
}

function missed(ctx: Context, id: number) {
  return async () => {
    const [current] = await ctx.db.select({ version: identities.version }).from(identities).where(mine(ctx, id));
    return missedWrite(current, `identity ${id}`);
  };
}

function lastRow(results: readonly unknown[]): IdentityRow {
  const [row] = assertType<IdentityRow[]>(results.at(-1));
  if (!row) throw new Error("the identity has no row");
  return row;
}

function unsetDefault(ctx: Context, userId: number, except = 0) {
  const isOther = and(eq(identities.userId, userId), eq(identities.isDefault, true), ne(identities.id, except));
  return ctx.db
    .update(identities)
    .set({ isDefault: false, version: sql`${identities.version} + 1`, updatedAt: ctx.now })
    .where(isOther);
}

/**
 * The platform sends from any address of a domain that has Email Routing, so this decides who may use which: nobody may
 * write in the name of another account, and only the owner as any other address of the domain. Returns the assertions
 * for the batch that stores the address.
 */
function mayUse(ctx: Context, user: Account, address: string | null) {
  if (address === null) return [];
  const refusal = (message: string) => validationFailed({ path: "address", message });
  const mailer = mailerOf(ctx.config);
  if (!mailer || !isSendable(address, mailer.sender.email)) {
    const elsewhere = () => {
      const { sender } = requireMailer(ctx.config);
      return refusal(`must be at ${domainOf(sender.email)}, the domain this service sends from`);
    };
    if (user.role !== "owner") throw elsewhere();
    // A mailbox of the owner sends what is from its address.
    const isOfMailbox = sql`EXISTS (SELECT 1 FROM mailboxes WHERE address = ${address.toLowerCase()})`;
    return [assertThat(ctx.db, "address_is_of_a_mailbox", isOfMailbox, elsewhere)];
  }
  const { sender } = mailer;
  if (sameAddress(address, sender.email)) return [];
  const isOwnAddress = sameAddress(address, user.email) && user.emailVerified;
  if (!isOwnAddress && user.role !== "owner") {
    throw refusal("must be the address of the service or your own verified address; only the owner may use others");
  }
  const isFree = sql`NOT ${isAddressOfOther(address, user.id)}`;
  return [assertThat(ctx.db, "address_is_free", isFree, () => refusal("is the address of another account"))];
}

/** Whether the service can send from this address. */
export function isSendable(address: string, serviceAddress: string): boolean {
  return domainOf(address) === domainOf(serviceAddress);
}
