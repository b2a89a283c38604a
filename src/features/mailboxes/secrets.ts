import { and, asc, eq, gt } from "drizzle-orm";
import * as z from "zod";
import type { Context } from "../../context.ts";
import { mailboxes } from "../../db/schema/mailboxes.ts";
import { openValue, type SealedStore, type SealedValue, sealValue } from "../../db/sealed.ts";
import { AppError } from "../../lib/errors.ts";
import type { MailboxAuth } from "../../providers/mailbox/types.ts";

type SecretRow = Pick<typeof mailboxes.$inferSelect, "id" | "username" | "secret">;

/** How to log in. Another way than a password gets a kind of its own. */
const Login = z.object({ kind: z.literal("password"), password: z.string() });

/** Bound to the mailbox, so that the secret of another row cannot be sent to its servers. */
export function sealPassword(ctx: Context, id: number, password: string): Promise<string> {
  const login: z.infer<typeof Login> = { kind: "password", password };
  return sealValue(ctx, purposeOf(id), JSON.stringify(login));
}

/** What the mail client logs in with. */
export async function authOf(ctx: Context, row: SecretRow): Promise<MailboxAuth> {
  const plain = await openValue(ctx, toValue(ctx, row));
  if (plain === null) {
    const detail = "ENCRYPTION_KEY has changed since the password of this mailbox was saved. Enter the password again.";
    throw new AppError("misconfigured", detail);
  }
  return { username: row.username, ...Login.parse(JSON.parse(plain)) };
}

export const mailboxSecrets: SealedStore = {
  kind: "mailboxes",
  async list(ctx, after, limit) {
    const { id, username, secret } = mailboxes;
    const rows = await ctx.db
      .select({ id, username, secret })
      .from(mailboxes)
      .where(gt(id, after))
      .orderBy(asc(id))
      .limit(limit);
    return {
      values: rows.map((row) => toValue(ctx, row)),
      next: rows.length < limit ? null : (rows.at(-1)?.id ?? null),
    };
  },
};

function toValue(ctx: Context, { id, secret: sealed }: SecretRow): SealedValue {
  return {
    purpose: purposeOf(id),
    sealed,
    async replace(fresh) {
      const isSame = and(eq(mailboxes.id, id), eq(mailboxes.secret, sealed));
      const set = ctx.bookkeeping.update(mailboxes).set({ secret: fresh });
      return (await set.where(isSame).returning({ id: mailboxes.id })).length > 0;
    },
  };
}

const purposeOf = (id: number) => `mailbox ${id}`;
