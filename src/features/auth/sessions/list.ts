import { and, eq, gt, ne } from "drizzle-orm";
import { type Context, signedInSession, signedInUser } from "../../../context.ts";
import { assertExists, runBatch } from "../../../db/assert.ts";
import { listPage, type PageRequest } from "../../../db/page.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";

type SessionRow = typeof sessions.$inferSelect;

export function listSessions(ctx: Context, request: PageRequest) {
  const { user, session } = signedInSession(ctx);
  const list = `sessions:${user.id}`;
  const where = and(eq(sessions.userId, user.id), gt(sessions.expiresAt, ctx.now));
  const paged = { list, table: sessions, by: ["createdAt", "id"], order: "desc", where } as const;
  return listPage(ctx, request, paged, (row) => toSession(row, session.id));
}

export function toSession(row: SessionRow, currentId: string) {
  const { id, ip, userAgent } = row;
  return {
    id,
    current: id === currentId,
    ip,
    userAgent,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

export async function endSession(ctx: Context, id: string): Promise<void> {
  const user = signedInUser(ctx);
  const mine = and(eq(sessions.id, id), eq(sessions.userId, user.id));
  await runBatch(ctx.db, [
    assertExists(ctx.db, sessions, mine, () => new AppError("not_found", "You have no session with this id.")),
    audit(ctx, "session.ended", { userId: user.id, details: { sessionId: id } }),
    ctx.db.delete(sessions).where(mine),
  ]);
}

export async function endOtherSessions(ctx: Context): Promise<{ sessionsEnded: number }> {
  const { user, session } = signedInSession(ctx);
  const [ended] = await ctx.db.batch([
    ctx.db
      .delete(sessions)
      .where(and(eq(sessions.userId, user.id), ne(sessions.id, session.id)))
      .returning({ id: sessions.id }),
    audit(ctx, "session.others_ended", { userId: user.id }),
  ]);
  return { sessionsEnded: ended.length };
}
