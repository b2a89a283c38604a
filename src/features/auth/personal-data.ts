import { eq } from "drizzle-orm";
import { signedInSession, signedInUser } from "../../context.ts";
import { onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { sessions } from "../../db/schema/auth.ts";
import { selectPendingEmail } from "./email-tokens.ts";
import { toSession } from "./sessions/list.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "account",
    pages: onePage(async (ctx) => {
      const { createdAt, ...user } = signedInUser(ctx);
      const [pending] = await selectPendingEmail(ctx, user.id, ctx.now);
      return [{ ...user, pendingEmail: pending?.email ?? null, createdAt: createdAt.toISOString() }];
    }),
  },
  {
    name: "sessions",
    pages: tablePages(sessions, {
      where: (ctx) => eq(sessions.userId, signedInUser(ctx).id),
      map: (row, ctx) => toSession(row, signedInSession(ctx).session.id),
    }),
  },
];
