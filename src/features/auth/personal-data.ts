import { eq } from "drizzle-orm";
import { signedInSession, signedInUser } from "../../context.ts";
import { onePage, type PersonalData, walk } from "../../db/personal-data.ts";
import { sessions } from "../../db/schema/auth.ts";
import { selectPendingEmail } from "./email-tokens.ts";
import { toSession } from "./sessions/list.ts";

const account: PersonalData = {
  name: "account",
  pages(ctx) {
    const { createdAt, ...user } = signedInUser(ctx);
    const pending = selectPendingEmail(ctx, user.id, ctx.now);
    return onePage(
      pending.then(([found]) => [{ ...user, pendingEmail: found?.email ?? null, createdAt: createdAt.toISOString() }]),
    );
  },
};

const openSessions: PersonalData = {
  name: "sessions",
  async *pages(ctx) {
    const { user, session } = signedInSession(ctx);
    const pages = walk<typeof sessions.$inferSelect>(
      sessions.id,
      ({ id }) => id,
      (where, order, limit) => ctx.db.select().from(sessions).where(where).orderBy(order).limit(limit),
      { where: eq(sessions.userId, user.id) },
    );
    for await (const rows of pages) yield rows.map((row) => toSession(row, session.id));
  },
};

export const personalData: readonly PersonalData[] = [account, openSessions];
