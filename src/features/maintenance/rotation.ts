import type { Context } from "../../context.ts";
import { resealValue, type SealedStore } from "../../db/sealed.ts";
import { validationFailed } from "../../lib/errors.ts";
import { log } from "../../log.ts";
import { aiKeys } from "../ai-keys/credentials.ts";
import { countPasswords } from "../auth/password/peppers.ts";
import { totpSecrets } from "../auth/two-factor/totp-secret.ts";
import { bookingSecrets } from "../bookings/connection.ts";
import { mailboxSecrets } from "../mailboxes/secrets.ts";
import { credentialFields } from "../stream/credentials/encrypted.ts";
import { webhookSecrets } from "../webhooks/secrets.ts";

/** Every place where sealed values are stored. A test checks that whatever seals is here. */
const STORES: readonly SealedStore[] = [
  totpSecrets,
  webhookSecrets,
  bookingSecrets,
  credentialFields,
  aiKeys,
  mailboxSecrets,
];

/** A store is asked for as many rows, of which each has one or two values: far below D1's 1,000 statements a request. */
const ROWS_A_CALL = 100;

/** Seals part of the stored values again with the current ENCRYPTION_KEY, and says where the next call goes on. */
export async function rotatePart(ctx: Context, { after }: { after?: string }) {
  const { index, position } = readPosition(after);
  const values = [];
  let next: string | null = null;
  let room = ROWS_A_CALL;
  for (let at = index; at < STORES.length && next === null; at++) {
    const store = STORES[at];
    if (!store) break;
    const page = await store.list(ctx, at === index ? position : 0, room);
    values.push({ kind: store.kind, ...(await resealPage(ctx, page.values)) });
    room -= page.values.length;
    if (page.next !== null) next = `${store.kind}.${page.next}`;
    else if (room <= 0 && at + 1 < STORES.length) next = `${STORES[at + 1]?.kind}.0`;
  }
  const resealed = values.reduce((sum, part) => sum + part.resealed, 0);
  if (resealed > 0) log("info", "values_resealed", { requestId: ctx.requestId, resealed });
  return { values, passwords: await countPasswords(ctx), next };
}

async function resealPage(ctx: Context, values: Awaited<ReturnType<SealedStore["list"]>>["values"]) {
  const counts = { resealed: 0, alreadyCurrent: 0, waiting: 0, unreadable: 0 };
  for (const value of values) counts[await resealValue(ctx, value)] += 1;
  return counts;
}

function readPosition(after: string | undefined): { index: number; position: number } {
  if (after === undefined) return { index: 0, position: 0 };
  const [, kind, digits] = /^(\w+)\.(\d{1,15})$/.exec(after) ?? [];
  const index = STORES.findIndex((store) => store.kind === kind);
  if (index < 0) throw validationFailed({ path: "after", message: "must be `next` of the previous response" });
  return { index, position: Number(digits) };
}
