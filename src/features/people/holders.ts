import { sql } from "drizzle-orm";
import type { Actor, Context } from "../../context.ts";

/** Whom a signed address is for: a session, an API key or, in open mode, anyone. Not a secret. */
export function holderOf(actor: Actor): string {
  if (actor.kind === "session") return `s${actor.session.id}`;
  return actor.kind === "api_key" ? `k${actor.key.id}` : "";
}

/** A signed address works only while what it was given to does: a session that was not ended, a key that was not revoked. */
export async function mayStillRead({ db, now }: Pick<Context, "db" | "now">, holder: string): Promise<boolean> {
  if (holder === "") return true;
  const [kind, id] = [holder[0], holder.slice(1)];
  const [row] = await db.all<{ found: number }>(
    kind === "s"
      ? sql`SELECT EXISTS (SELECT 1 FROM sessions WHERE id = ${id} AND expires_at > ${now.getTime()}) AS found`
      : sql`SELECT EXISTS (SELECT 1 FROM api_keys WHERE id = ${Number(id)}
          AND (expires_at IS NULL OR expires_at > ${now.getTime()})) AS found`,
  );
  return row?.found === 1;
}
