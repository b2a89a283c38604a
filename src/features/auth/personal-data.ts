import { eq } from "drizzle-orm";
import { signedInSession, signedInUser } from "../../context.ts";
import { onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { sessions } from "../../db/schema/auth.ts";
import { users } from "../../db/schema/users.ts";
import { assertType } from "../../lib/cast.ts";
import { words } from "../../lib/words.ts";
import { selectPendingEmail } from "./email-tokens.ts";
import { toSession } from "./sessions/list.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "account",
    pages: onePage(async (ctx) => {
      const { createdAt, habits: _, ...user } = signedInUser(ctx);
      const [pending] = await selectPendingEmail(ctx, user.id, ctx.now);
      return [{ ...user, pendingEmail: pending?.email ?? null, createdAt: createdAt.toISOString() }];
    }),
    archive: {
      table: users,
      where: (ctx) => eq(users.id, signedInUser(ctx).id),
      leaveOut: words("passwordHash pepperId passwordChangedAt totpSecret totpEnabledAt totpLastStep"),
      replaces: true,
      isLast: true,
      // Address, role and credentials stay those of the account that imports.
      write: (ctx, rows) =>
        rows.map(({ name, timeZone, createdAt }) =>
          ctx.db
            .update(users)
            .set(assertType<Partial<typeof users.$inferInsert>>({ name, timeZone, createdAt }))
            .where(eq(users.id, signedInUser(ctx).id)),
        ),
    },
  },
  {
    name: "sessions",
    pages: tablePages(sessions, {
      where: (ctx) => eq(sessions.userId, signedInUser(ctx).id),
      map: (row, ctx) => toSession(row, signedInSession(ctx).session.id),
    }),
    archive: { notImported: "Sign-ins end with the service that they belong to." },
  },
];
