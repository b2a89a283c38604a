import { eq } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { streamCredentials } from "../../../db/schema/stream-captions.ts";
import { CREDENTIAL_PLATFORMS, type CredentialPlatform } from "../../../lib/caption-kinds.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { outsideAddressProblem } from "../../../lib/outside-address.ts";
import { isDiscordWebhook } from "../../../providers/social/discord.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { type CredentialRow, decryptCredential, encryptFields, type Fields, loadRow } from "./encrypted.ts";
import { CREDENTIAL_FIELDS, type Credential, type CredentialChanges, type NewCredential } from "./schemas.ts";

/** Null if no credential is saved. */
export async function credentialOf(ctx: Context, platform: CredentialPlatform): Promise<Fields | null> {
  const row = await loadRow(ctx, platform);
  return row ? (await decryptCredential(ctx, row)).fields : null;
}

export async function listCredentials(ctx: Context): Promise<{ data: Credential[] }> {
  const rows = await ctx.db.select().from(streamCredentials);
  const rowOf = (platform: CredentialPlatform) => rows.find((row) => row.platform === platform);
  return { data: CREDENTIAL_PLATFORMS.map((platform) => toCredential(platform, rowOf(platform))) };
}

/** Never contains a secret or a part of one. */
export function toCredential(platform: CredentialPlatform, row: CredentialRow | undefined): Credential {
  return {
    platform,
    configured: row !== undefined,
    status: row?.status ?? null,
    account: row?.account ?? null,
    checkedAt: row?.checkedAt?.toISOString() ?? null,
    updatedAt: row?.updatedAt.toISOString() ?? null,
  };
}

export async function saveCredential(
  ctx: Context,
  { platform, ...given }: NewCredential,
): Promise<{ created: boolean; credential: Credential }> {
  const fields = present(given);
  checkAddresses(ctx, fields);
  const written = await write(ctx, platform, async () => fields);
  tellOfAddress(ctx, platform, fields);
  return written;
}

/** Whether a request, not validated yet, names no place to send captions to. */
export async function namesNoAddress(
  _: Context,
  { url, webhookUrl }: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  return url === undefined && webhookUrl === undefined;
}

function tellOfAddress(ctx: Context, platform: CredentialPlatform, { url, webhookUrl }: Fields): void {
  const address = url ?? webhookUrl;
  if (address === undefined || !("user" in ctx.actor)) return;
  // Only the host: paths can contain a token.
  const explanation = `Captions for ${platform} are now sent to ${new URL(address).host}.`;
  sendSecurityAlert(ctx, ctx.actor.user, "The address for captions was set", explanation);
}

export async function changeCredential(
  ctx: Context,
  platform: CredentialPlatform,
  changes: CredentialChanges,
): Promise<Credential> {
  const names = CREDENTIAL_FIELDS[platform];
  const given = present(changes);
  const foreign = Object.keys(given).filter((name) => !names.includes(name));
  if (foreign.length > 0) {
    const message = `is not a field of the ${platform} credential, which has ${names.join(", ")}`;
    throw validationFailed(...foreign.map((path) => ({ path, message })));
  }
  if (Object.keys(given).length === 0) {
    throw new AppError("nothing_to_update", `A ${platform} credential has the fields ${names.join(", ")}.`);
  }
  checkAddresses(ctx, given);
  const { credential } = await write(ctx, platform, async (row) => {
    if (!row) throw noCredential(platform);
    return { ...(await decryptCredential(ctx, row)).fields, ...given };
  });
  tellOfAddress(ctx, platform, given);
  return credential;
}

export async function deleteCredential(ctx: Context, platform: CredentialPlatform): Promise<void> {
  const deleted = await ctx.db
    .delete(streamCredentials)
    .where(eq(streamCredentials.platform, platform))
    .returning({ platform: streamCredentials.platform });
  if (deleted.length === 0) throw noCredential(platform);
}

export function noCredential(platform: CredentialPlatform): AppError {
  return new AppError("not_found", `No ${platform} credential is saved. Save one with POST /api/stream/credentials.`);
}

const ATTEMPTS = 10;

/** The encryption is bound to the new version, so that after a concurrent write it is encrypted again. */
async function write(
  ctx: Context,
  platform: CredentialPlatform,
  fieldsFor: (row: CredentialRow | undefined) => Promise<Fields>,
): Promise<{ created: boolean; credential: Credential }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await loadRow(ctx, platform);
    const version = (row?.version ?? 0) + 1;
    const values = {
      sealed: await encryptFields(ctx, platform, version, await fieldsFor(row)),
      status: "unverified" as const,
      account: null,
      checkedAt: null,
      refreshingUntil: null,
      version,
      updatedAt: ctx.now,
    };
    const [written] = await ctx.db
      .insert(streamCredentials)
      .values({ platform, createdAt: ctx.now, ...values })
      .onConflictDoUpdate({
        target: streamCredentials.platform,
        set: values,
        setWhere: eq(streamCredentials.version, version - 1),
      })
      .returning();
    if (written) return { created: !row, credential: toCredential(platform, written) };
  }
  throw new AppError("conflict", "The credential is being changed by other requests. Try again.");
}

function present(given: object): Fields {
  return assertType<Fields>(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
}

/** Throws if a valid request names an address that is not accepted. */
export function checkNamedAddresses(ctx: Context, body: Readonly<Record<string, unknown>>): void {
  checkAddresses(ctx, assertType<Fields>(body));
}

/** The service calls these addresses, so they must not be internal ones. */
function checkAddresses(ctx: Context, { webhookUrl, url }: Fields): void {
  const allowPrivate = ctx.config.ALLOW_PRIVATE_HOSTS;
  const refuse = (path: string, message: string) => {
    throw new AppError("validation_failed", `${path} ${message}.`, { errors: [{ path, message }] });
  };
  for (const [path, address] of Object.entries({ webhookUrl, url })) {
    const problem = address === undefined ? null : outsideAddressProblem(address, { allowPrivate });
    if (problem) refuse(path, problem);
  }
  if (webhookUrl !== undefined && !allowPrivate && !isDiscordWebhook(webhookUrl)) {
    refuse("webhookUrl", "must be a Discord webhook, such as https://discord.com/api/webhooks/<id>/<token>");
  }
}
