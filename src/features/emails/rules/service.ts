import { and, eq, sql } from "drizzle-orm";
import { type Context, requireScopes } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { assertOwnEndpoint } from "../../../db/forwarding.ts";
import { listPage, type Page, type PageRequest } from "../../../db/page.ts";
import { emailRules } from "../../../db/schema/emails-sorting.ts";
import { deleteVersion, type ExpectedVersions, missedWrite, versionIs } from "../../../db/version.ts";
import { AppError } from "../../../lib/errors.ts";
import { neededScopes, withinScopes } from "./actions.ts";
import type { NewRule, Rule, RuleChanges } from "./schemas.ts";

export const MAX_RULES = 200;

export type RuleRow = typeof emailRules.$inferSelect;

export function toRule(row: RuleRow): Rule {
  const { runBelow, runStartedAt, runDueAt, runSeen, runMatched, ...rule } = row;
  return {
    ...rule,
    run: runStartedAt && {
      status: runBelow === 0 ? "done" : "running",
      startedAt: runStartedAt.toISOString(),
      seen: runSeen,
      matched: runMatched,
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function listRules(ctx: Context, request: PageRequest): Promise<Page<Rule>> {
  return listPage(ctx, request, { list: "email rules", table: emailRules, by: ["position", "id"] }, toRule);
}

export async function getRule(ctx: Context, id: number): Promise<Rule> {
  const [row] = await ctx.db.select().from(emailRules).where(eq(emailRules.id, id));
  if (!row) throw missedWrite(undefined, `rule ${id}`);
  return toRule(row);
}

export async function createRule(ctx: Context, input: NewRule): Promise<Rule> {
  requireScopes(ctx, neededScopes(input.actions));
  const tooMany = () => new AppError("rule_limit_reached", `There are ${MAX_RULES} rules. Delete one first.`);
  const [, [created]] = await runBatch(ctx.db, [
    assertThat(ctx.db, "rules_have_room", sql`(SELECT count(*) FROM email_rules) < ${MAX_RULES}`, tooMany),
    ctx.db
      .insert(emailRules)
      .values({
        ...input,
        position: input.position ?? sql`(SELECT coalesce(max(position), 0) + 1 FROM email_rules)`,
        version: 1,
        createdAt: ctx.now,
        updatedAt: ctx.now,
      })
      .returning(),
    ...checkWebhook(ctx, input.actions),
  ] as const);
  if (!created) throw new Error("the new rule has no row");
  return toRule(created);
}

function checkWebhook(ctx: Context, actions: Rule["actions"] | undefined) {
  return actions?.forwardTo === undefined ? [] : [assertOwnEndpoint(ctx, actions.forwardTo, "actions.forwardTo")];
}

/** No run is, or was, under way. */
const NO_RUN = { runBelow: null, runStartedAt: null, runDueAt: null, runSeen: 0, runMatched: 0 };

export async function updateRule(
  ctx: Context,
  id: number,
  changes: RuleChanges,
  expected: ExpectedVersions,
): Promise<Rule> {
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const isOther = Boolean(changes.match ?? changes.conditions ?? changes.actions);
  const isThis = eq(emailRules.id, id);
  const mayDoMore = isOther || changes.enabled === true;
  const [[updated], [current]] = await runBatch(ctx.db, [
    ctx.db
      .update(emailRules)
      .set({ ...changes, ...(isOther && NO_RUN), version: sql`${emailRules.version} + 1`, updatedAt: ctx.now })
      .where(and(isThis, versionIs(emailRules.version, expected)))
      .returning(),
    ctx.db.select({ version: emailRules.version }).from(emailRules).where(isThis),
    ...checkWebhook(ctx, changes.actions),
    ...(mayDoMore ? withinScopes(ctx, isThis) : []),
  ] as const);
  if (!updated) throw missedWrite(current, `rule ${id}`);
  return toRule(updated);
}

export function deleteRule({ db }: Context, id: number, expected: ExpectedVersions): Promise<void> {
  return deleteVersion(db, emailRules, id, expected, `rule ${id}`);
}
