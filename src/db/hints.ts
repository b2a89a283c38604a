import type { Config } from "../config.ts";
import { ringHub } from "../lib/hub.ts";
import { remembered } from "../lib/remembered.ts";
import { errorFields, log } from "../log.ts";
import { failedAssertion } from "./assert.ts";
import { type Database, hasWrite, intercept, type Result } from "./client.ts";
import { LISTENED_UNTIL, LIVE_TABLES } from "./live-tables.ts";

const ANY_WRITE = "(?:insert\\s+(?:or\\s+\\w+\\s+)?into|replace\\s+into|update(?:\\s+or\\s+\\w+)?|delete\\s+from)";
const tables = (names: readonly string[]) => `["\`]?(?:${names.join("|")})\\b`;

/** A write that live clients should learn of at once: of such a table, or one that ends a credential. */
const IS_LIVE = new RegExp(
  [
    `${ANY_WRITE}\\s+${tables(LIVE_TABLES)}`,
    `delete\\s+from\\s+${tables(["sessions", "users"])}`,
    `(?:update|delete\\s+from)\\s+${tables(["api_keys"])}`,
  ].join("|"),
  "i",
);

const isLive = remembered((query) => IS_LIVE.test(query));

/** The same database, which calls `wake` after every write that concerns live clients. */
export function withHints(base: Database, wake: () => void): Database {
  return intercept(base, async (statements, send) => {
    if (!hasWrite(statements) || !statements.some(({ query }) => isLive(query))) return send();
    try {
      const results = await send();
      const hasWritten = results.some(({ meta }) => meta.rows_written > 0);
      if (hasWritten && results.some((result, at) => isLive(statements[at]?.query ?? "") && isHeard(result))) wake();
      return results;
    } catch (error) {
      // Otherwise the write may have been made before its answer was lost.
      if (!failedAssertion(error)) wake();
      throw error;
    }
  });
}

/** Whether a statement changed something, and does not say that nobody listens. */
function isHeard({ results: [row], meta }: Result): boolean {
  if (!row) return meta.rows_written > 0;
  return !(LISTENED_UNTIL in row) || Number(row[LISTENED_UNTIL] ?? 0) >= Date.now();
}

/**
 * Wakes the live clients, and returns at once. Calls that come while a hint is on its way become one more hint. Without
 * the hub, or when it fails, clients find the change by themselves within half a minute.
 */
export function hubBell({ bindings: { HUB } }: Config, execution: Pick<ExecutionContext, "waitUntil">): () => void {
  if (!HUB) return () => {};
  let isRinging = false;
  let isOwed = false;
  const ring = async () => {
    do {
      isOwed = false;
      await ringHub(HUB).catch((error) => log("warn", "hub_not_reached", errorFields(error)));
    } while (isOwed);
    isRinging = false;
  };
  return () => {
    isOwed = true;
    if (isRinging) return;
    isRinging = true;
    execution.waitUntil(ring());
  };
}
