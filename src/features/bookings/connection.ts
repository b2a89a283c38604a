import { and, eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertExists } from "../../db/assert.ts";
import { bookingConnection } from "../../db/schema/bookings.ts";
import { openValue, type SealedStore, type SealedValue, sealValue } from "../../db/sealed.ts";
import { AppError } from "../../lib/errors.ts";
import { type BookingAccount, PACE, type Pace } from "../../providers/bookings/provider.ts";
import { bookingProviderOf } from "../../providers/bookings/registry.ts";
import { sendSecurityAlert } from "../notifications/security-alerts.ts";
import { selectLastRun, toRun } from "./runs.ts";

export type ConnectionRow = typeof bookingConnection.$inferSelect;

const CONNECTION_ID = 1;
export const theConnection = eq(bookingConnection.id, CONNECTION_ID);

/** For each write of a page that was read by this connection: it may have been removed since, or got another key. */
export function whileConnected({ db }: Context, { keyUpdatedAt }: ConnectionRow) {
  const isSame = and(theConnection, eq(bookingConnection.keyUpdatedAt, keyUpdatedAt));
  return () => assertExists(db, bookingConnection, isSame, connectionChanged);
}

function connectionChanged(): AppError {
  const detail = "The booking provider was disconnected, or got another key, while its bookings were read.";
  return new AppError("bookingsvc_not_configured", detail);
}

export async function getConnection(ctx: Context) {
  const [[row], [lastRun]] = await ctx.db.batch([
    ctx.db.select().from(bookingConnection).where(theConnection),
    selectLastRun(ctx),
  ]);
  return {
    status: row?.status ?? ("not_configured" as const),
    baseUrl: bookingProviderOf(ctx.config).baseUrl,
    account: row?.account ?? null,
    webhookConfigured: Boolean(row?.webhookSecret),
    keyUpdatedAt: row?.keyUpdatedAt.toISOString() ?? null,
    lastSync: lastRun ? toRun(lastRun) : null,
  };
}

/** Checks the key with the provider and saves it. If the provider cannot be reached, the key is saved as unverified. */
export async function connect(ctx: Context, input: { apiKey: string; webhookSecret?: string }) {
  const account = await checkKey(ctx, input.apiKey);
  const apiKey = await sealValue(ctx, purposeOf("apiKey"), input.apiKey);
  const values = {
    apiKey,
    status: account ? ("connected" as const) : ("unverified" as const),
    account,
    keyUpdatedAt: ctx.now,
    // A new key may belong to another account, so the next sync starts from the beginning.
    watermark: null,
    resumeAt: null,
    firstWalkAt: null,
    fullResumeAt: null,
    lastFullAt: null,
    outageReportedAt: null,
    ...(input.webhookSecret !== undefined && {
      webhookSecret: await sealValue(ctx, purposeOf("webhookSecret"), input.webhookSecret),
    }),
  };
  await ctx.db
    .insert(bookingConnection)
    .values({ id: CONNECTION_ID, ...values })
    .onConflictDoUpdate({ target: bookingConnection.id, set: values });
  if ("user" in ctx.actor) {
    const explanation = "Bookings of its account are now written into the calendar.";
    sendSecurityAlert(ctx, ctx.actor.user, "The booking provider was connected", explanation);
  }
  return getConnection(ctx);
}

/** No retries, because a person waits and an unchecked key is saved anyway. */
const ONE_TRY = { ...PACE, attempts: 1 };

async function checkKey(ctx: Context, apiKey: string) {
  try {
    return await bookingProviderOf(ctx.config).open(apiKey, ONE_TRY).account();
  } catch (error) {
    if (error instanceof AppError && error.code === "provider_unauthorized") {
      throw new AppError("invalid_api_key", "The booking provider rejected this key. Nothing was saved.", {
        errors: [{ path: "apiKey", message: "was rejected by the booking provider" }],
      });
    }
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Deletes the key. Synced events stay in the calendar. */
export async function disconnect(ctx: Context): Promise<void> {
  await ctx.db.delete(bookingConnection).where(theConnection);
}

export async function listEventTypes(ctx: Context) {
  const [row] = await ctx.db.select().from(bookingConnection).where(theConnection);
  return { data: await (await openAccount(ctx, row)).eventTypes() };
}

/** The account at the provider. */
export async function openAccount(ctx: Context, row: ConnectionRow | undefined, pace?: Pace): Promise<BookingAccount> {
  if (!row) throw notConfigured();
  return bookingProviderOf(ctx.config).open(await opened(ctx, "apiKey", row.apiKey), pace);
}

export async function webhookSecretOf(ctx: Context, row: ConnectionRow | undefined): Promise<string | null> {
  return row?.webhookSecret ? opened(ctx, "webhookSecret", row.webhookSecret) : null;
}

export function notConfigured(): AppError {
  return new AppError("bookingsvc_not_configured", "Save an API key with POST /api/bookingsvc/settings first.");
}

type SecretColumn = "apiKey" | "webhookSecret";

function purposeOf(column: SecretColumn): string {
  return column === "apiKey" ? "bookingsvc api key" : "bookingsvc webhook secret";
}

async function opened(ctx: Context, column: SecretColumn, sealed: string): Promise<string> {
  const plain = await openValue(ctx, toValue(ctx, column, sealed));
  if (plain !== null) return plain;
  const detail = "ENCRYPTION_KEY has changed since the provider's key was saved. Save the key again.";
  throw new AppError("misconfigured", detail);
}

function toValue(ctx: Context, column: SecretColumn, sealed: string): SealedValue {
  return {
    purpose: purposeOf(column),
    sealed,
    async replace(fresh) {
      const isSame = and(theConnection, eq(bookingConnection[column], sealed));
      const set = ctx.bookkeeping.update(bookingConnection).set({ [column]: fresh });
      return (await set.where(isSame).returning({ id: bookingConnection.id })).length > 0;
    },
  };
}

export const bookingSecrets: SealedStore = {
  kind: "bookingsvc",
  async list(ctx) {
    const [row] = await ctx.db.select().from(bookingConnection).where(theConnection);
    const columns = ["apiKey", "webhookSecret"] as const;
    const values = columns.flatMap((column) => {
      const sealed = row?.[column];
      return sealed ? [toValue(ctx, column, sealed)] : [];
    });
    return { values, next: null };
  },
};
