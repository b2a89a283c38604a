import { and, eq } from "drizzle-orm";
import * as z from "zod";
import type { Context } from "../../../context.ts";
import { streamCredentials } from "../../../db/schema/stream-captions.ts";
import type { CredentialPlatform } from "../../../lib/caption-kinds.ts";
import { seal, unseal } from "../../../lib/encryption.ts";
import { AppError } from "../../../lib/errors.ts";

export type CredentialRow = typeof streamCredentials.$inferSelect;
export type Fields = Record<string, string>;

/** A credential opened for use. Its version says which one it is: what is learnt of it is written for that one only. */
export interface OpenCredential {
  platform: CredentialPlatform;
  version: number;
  fields: Fields;
}

const FieldsJson = z.record(z.string(), z.string());

export async function openCredential(ctx: Context, platform: CredentialPlatform): Promise<OpenCredential | null> {
  const [row] = await ctx.db.select().from(streamCredentials).where(eq(streamCredentials.platform, platform));
  return row ? opened(ctx, row) : null;
}

export async function opened(ctx: Context, { platform, version, sealed }: CredentialRow): Promise<OpenCredential> {
  const plain = await unseal(ctx.config.secret("ENCRYPTION_KEY"), purpose(platform, version), sealed);
  if (plain === null) {
    throw new AppError("misconfigured", `ENCRYPTION_KEY is not the one the ${platform} credential was sealed with.`);
  }
  return { platform, version, fields: FieldsJson.parse(JSON.parse(plain)) };
}

export function sealFields(ctx: Context, platform: CredentialPlatform, version: number, fields: Fields) {
  return seal(ctx.config.secret("ENCRYPTION_KEY"), purpose(platform, version), JSON.stringify(fields));
}

/** Bound to platform and version: an older value put back in the row does not open. */
function purpose(platform: CredentialPlatform, version: number): string {
  return `stream credential ${platform} ${version}`;
}

/** The row, as long as it still holds this very credential. */
export function sameCredential({ platform, version }: OpenCredential) {
  return and(eq(streamCredentials.platform, platform), eq(streamCredentials.version, version));
}

export async function markInvalid(ctx: Context, credential: OpenCredential): Promise<void> {
  await ctx.db
    .update(streamCredentials)
    .set({ status: "invalid", checkedAt: ctx.now })
    .where(sameCredential(credential));
}
