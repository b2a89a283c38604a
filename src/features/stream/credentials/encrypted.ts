import { and, eq } from "drizzle-orm";
import * as z from "zod";
import type { Context } from "../../../context.ts";
import { streamCredentials } from "../../../db/schema/stream-captions.ts";
import { openValue, type SealedStore, type SealedValue, sealValue } from "../../../db/sealed.ts";
import type { CredentialPlatform } from "../../../lib/caption-kinds.ts";
import { AppError } from "../../../lib/errors.ts";

export type CredentialRow = typeof streamCredentials.$inferSelect;
export type Fields = Record<string, string>;

/** A decrypted credential. What a call reveals about it is stored only if the row still has this version. */
export interface OpenCredential {
  platform: CredentialPlatform;
  version: number;
  fields: Fields;
}

const FieldsJson = z.record(z.string(), z.string());

export async function loadRow(ctx: Context, platform: CredentialPlatform): Promise<CredentialRow | undefined> {
  const [row] = await ctx.db.select().from(streamCredentials).where(eq(streamCredentials.platform, platform));
  return row;
}

export async function decryptCredential(ctx: Context, row: CredentialRow): Promise<OpenCredential> {
  const credential = await openCredential(ctx, row);
  if (credential) return credential;
  throw new AppError("misconfigured", `The ${row.platform} credential was encrypted with another ENCRYPTION_KEY.`);
}

/** Null if it was encrypted with another key. Throws only if this service has no key at all. */
export async function openCredential(ctx: Context, row: CredentialRow): Promise<OpenCredential | null> {
  const { platform, version } = row;
  const plain = await openValue(ctx, toValue(ctx, row));
  return plain === null ? null : { platform, version, fields: FieldsJson.parse(JSON.parse(plain)) };
}

export function encryptFields(ctx: Context, platform: CredentialPlatform, version: number, fields: Fields) {
  return sealValue(ctx, purpose(platform, version), JSON.stringify(fields));
}

export const credentialFields: SealedStore = {
  kind: "stream",
  async list(ctx) {
    const rows = await ctx.db.select().from(streamCredentials);
    return { values: rows.map((row) => toValue(ctx, row)), next: null };
  },
};

function toValue(ctx: Context, { platform, version, sealed }: CredentialRow): SealedValue {
  return {
    purpose: purpose(platform, version),
    sealed,
    async replace(fresh) {
      const isSame = and(eq(streamCredentials.platform, platform), eq(streamCredentials.sealed, sealed));
      const set = ctx.bookkeeping.update(streamCredentials).set({ sealed: fresh });
      return (await set.where(isSame).returning({ version: streamCredentials.version })).length > 0;
    },
  };
}

/** Bound to platform and version, so that an older value copied into the row cannot be decrypted. */
function purpose(platform: CredentialPlatform, version: number): string {
  return `stream credential ${platform} ${version}`;
}

/** Matches the row only while it holds this credential. */
export function sameCredential({ platform, version }: OpenCredential) {
  return and(eq(streamCredentials.platform, platform), eq(streamCredentials.version, version));
}

export async function markInvalid(ctx: Context, credential: OpenCredential): Promise<void> {
  await ctx.db
    .update(streamCredentials)
    .set({ status: "invalid", checkedAt: ctx.now })
    .where(sameCredential(credential));
}
