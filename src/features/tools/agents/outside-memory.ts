import type { Connection, Context } from "../../../context.ts";
import { noteOutsideOfKey } from "../../api-keys/service.ts";
import { noteOutsideOfGrant } from "../../connections/credential.ts";
import type { Effect } from "./agent-tool.ts";

/** For how long after text by other people a connection may only propose. */
const MEMORY_MS = 30 * 60 * 1000;
/** Not written more often than this, so that most answers cost no write. The memory lasts that much longer. */
const PRECISION_MS = 60 * 1000;

/** Whether a change is only proposed, by what the connection was given to read and by the person's setting. */
export function mustPropose({ now }: Context, { outsideAt, rule }: Connection, effect: Effect): boolean {
  if (outsideAt === null || now.getTime() - outsideAt.getTime() > MEMORY_MS + PRECISION_MS) return false;
  // A draft is a proposal itself: it waits for the person, who reads and sends it.
  return effect === "changes" ? rule !== "never" : effect === "creates" && rule === "every_write";
}

/** Remembers that the answer has text by other people. To be awaited before the answer is sent. */
export async function rememberOutside(ctx: Context, { outsideAt }: Connection): Promise<void> {
  if (outsideAt && ctx.now.getTime() - outsideAt.getTime() < PRECISION_MS) return;
  const { actor, bookkeeping } = ctx;
  if (actor.kind === "grant") await noteOutsideOfGrant(bookkeeping, actor.grant.id, ctx.now);
  if (actor.kind === "api_key") await noteOutsideOfKey(bookkeeping, actor.key.id, ctx.now);
}
