import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { assertExists, failedAssertion, runBatch } from "../../../db/assert.ts";
import { anyOf } from "../../../db/bulk.ts";
import { forwardEmails } from "../../../db/forwarding.ts";
import { emails } from "../../../db/schema/emails.ts";
import { emailRules } from "../../../db/schema/emails-sorting.ts";
import { missedWrite } from "../../../db/version.ts";
import { assertType } from "../../../lib/cast.ts";
import type { TimeReading } from "../../../lib/date-habits.ts";
import type { QueueMessageOf } from "../../../lib/queue-messages.ts";
import { MAX_TAGS } from "../../../lib/tags.ts";
import { DAY_MS, MINUTE_MS } from "../../../lib/time-zone.ts";
import { readOwnerReading } from "../../people/owners.ts";
import { insertEmailTasks } from "../../tasks/from-email.ts";
import { tasksFrom } from "../store.ts";
import { type RuleOutcome, runRules, withinScopes } from "./actions.ts";
import type { Rule } from "./schemas.ts";
import { type RuleRow, toRule } from "./service.ts";
import { factsOf, needsText, type StoredEmail, selectStored, textOf } from "./stored.ts";

/** Emails of a step, and steps of a message: tasks take a statement for each email, and a message has 49. */
const PLAIN = { page: 100, steps: 4 };
const WITH_TASKS = { page: 10, steps: 2 };
/** A step that has not been taken by then was lost. */
const OVERDUE_MS = 10 * MINUTE_MS;

/** Starts a run over the stored emails, unless one is under way. */
export async function startRun(ctx: Context, id: number): Promise<Rule> {
  const isThis = eq(emailRules.id, id);
  const [, [row]] = await runBatch(ctx.db, [
    ctx.db
      .update(emailRules)
      .set({
        runBelow: sql`(SELECT coalesce(max(id), 0) + 1 FROM emails)`,
        runStartedAt: ctx.now,
        runDueAt: new Date(ctx.now.getTime() + OVERDUE_MS),
        runSeen: 0,
        runMatched: 0,
      })
      .where(and(isThis, sql`run_due_at IS NULL`)),
    ctx.db.select().from(emailRules).where(isThis),
    ...withinScopes(ctx, isThis),
  ] as const);
  if (!row) throw missedWrite(undefined, `rule ${id}`);
  announce(ctx, row);
  return toRule(row);
}

function announce(ctx: Context, { id, runBelow }: Pick<RuleRow, "id" | "runBelow">): Promise<boolean> {
  return ctx.enqueue([{ kind: "email.rule", id, below: runBelow ?? 0 }]);
}

/** For the queue: takes the next steps of a run. A message that comes twice finds that its step was taken. */
export async function continueRun(ctx: Context, message: Omit<QueueMessageOf<"email.rule">, "kind">): Promise<void> {
  let { below } = message;
  for (let taken = 0; ; taken++) {
    const step = await takeStep(ctx, message.id, below);
    if (!step || step.next === 0) return;
    below = step.next;
    if (taken + 1 >= step.most || ctx.signal?.aborted) break;
  }
  await announce(ctx, { id: message.id, runBelow: below });
}

/** For the cron: has lost steps taken. Without a queue it takes one itself. */
export async function continueRuns(ctx: Context): Promise<number> {
  const due = await ctx.db
    .select()
    .from(emailRules)
    .where(lte(emailRules.runDueAt, ctx.now))
    .orderBy(asc(emailRules.runDueAt))
    .limit(10);
  const [first] = due;
  const areSent = await Promise.all(due.map((row) => announce(ctx, row)));
  if (first?.runBelow && !areSent.every(Boolean)) await takeStep(ctx, first.id, first.runBelow);
  return due.length;
}

/**
 * Looks at the next emails, and changes those that match, in one batch with the progress of the run: so each email is
 * changed once. Returns where the next step begins, 0 at the end, and how many steps a message may take; null if another
 * took this step or the run was ended.
 */
async function takeStep(ctx: Context, id: number, below: number): Promise<{ next: number; most: number } | null> {
  const isAtStep = and(eq(emailRules.id, id), eq(emailRules.runBelow, below));
  const [rule] = await ctx.db.select().from(emailRules).where(isAtStep);
  if (!rule) return null;
  const { page, steps } = rule.actions.makeTask ? WITH_TASKS : PLAIN;
  const rows = await selectStored(ctx, { below, limit: page });
  const next = rows.length < page ? 0 : (rows.at(-1)?.id ?? 0);
  const matched: Matched[] = [];
  for (const row of rows) {
    const text = needsText(rule, row) ? await textOf(ctx, row) : undefined;
    const outcome = runRules([rule], factsOf(row, text));
    if (outcome.applied.length === 0) continue;
    matched.push({ row, outcome, body: outcome.makesTask ? (text ?? (await textOf(ctx, row))) : "" });
  }
  const forTasks = matched.some(({ outcome }) => outcome.makesTask);
  // As when an email arrives: the queue runs for nobody whose time zone it could be.
  const reading = forTasks ? await readOwnerReading(ctx) : undefined;
  try {
    await runBatch(ctx.db, [
      assertExists(ctx.db, emailRules, isAtStep),
      ctx.db
        .update(emailRules)
        .set({
          runBelow: next,
          runDueAt: next === 0 ? null : new Date(ctx.now.getTime() + OVERDUE_MS),
          runSeen: sql`run_seen + ${rows.length}`,
          runMatched: sql`run_matched + ${matched.length}`,
        })
        .where(isAtStep),
      ...changesOf(ctx, rule, matched, reading),
    ]);
  } catch (error) {
    if (failedAssertion(error)) return null;
    throw error;
  }
  return { next, most: steps };
}

interface Matched {
  row: StoredEmail;
  outcome: RuleOutcome;
  /** Only if it becomes a task. */
  body: string;
}

/** The statements that do to the emails what the rule says. Doubtful emails are only moved to the trash. */
function changesOf(
  ctx: Context,
  rule: RuleRow,
  matched: readonly Matched[],
  reading: TimeReading | undefined,
): BatchItem<"sqlite">[] {
  const groups = new Map<string, Matched[]>();
  for (const each of matched) {
    const key = JSON.stringify(each.outcome);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { outcome } = first;
    const isFresh = ({ row }: Matched) => !row.appliedRules?.some((applied) => applied.id === rule.id);
    const fresh = group.filter(isFresh).map(({ row }) => row.id);
    const forTasks = outcome.makesTask ? group.filter(({ row }) => !row.signIn) : [];
    return [
      // Before the update, which would make all of them known.
      ...(outcome.forwardTo.length > 0 ? [forwardEmails(ctx, anyOf(fresh), outcome.forwardTo)] : []),
      ...(reading ? forTasks.map((each) => insertTasks(ctx, each, reading)) : []),
      updateMatched(
        ctx,
        rule,
        group.map(({ row }) => row.id),
        outcome,
      ),
    ];
  });
}

/** Each part of an email becomes a task once, so a second run makes no second one. */
function insertTasks(ctx: Context, { row, body }: Matched, reading: TimeReading) {
  const email = { ...row, body, from: { name: row.fromName, email: row.fromEmail } };
  return insertEmailTasks(ctx, row.id, tasksFrom(email, "at_least_one", reading));
}

function updateMatched(ctx: Context, rule: RuleRow, ids: readonly number[], outcome: RuleOutcome) {
  const { set, tags, deleteAfterDays } = outcome;
  const columns = Object.entries(set).map(
    ([name, value]) => [emails[assertType<keyof typeof set>(name)], value] as const,
  );
  const added = JSON.stringify(tags);
  const missing = sql`EXISTS (SELECT 1 FROM json_each(${added}) WHERE value NOT IN (SELECT value FROM json_each(emails.tags)))`;
  const deleteAt = sql`received_at + ${(deleteAfterDays ?? 0) * DAY_MS}`;
  const mark = JSON.stringify({ id: rule.id, name: rule.name });
  const isKnown = sql`EXISTS (SELECT 1 FROM json_each(coalesce(emails.applied_rules, '[]')) WHERE value ->> 'id' = ${rule.id})`;
  const isOther = [
    ...(tags.length > 0 ? [sql`(${missing} AND json_array_length(emails.tags) < ${MAX_TAGS})`] : []),
    ...columns.map(([column, value]) => sql`${column} IS NOT ${sql.param(value, column)}`),
    ...(deleteAfterDays ? [sql`delete_at IS NOT ${deleteAt}`] : []),
    sql`NOT ${isKnown}`,
  ];
  return ctx.db
    .update(emails)
    .set({
      ...(tags.length > 0 && { tags: withTags(added) }),
      ...set,
      ...(deleteAfterDays && { deleteAt }),
      appliedRules: sql`iif(${isKnown}, applied_rules, json_insert(coalesce(applied_rules, '[]'), '$[#]', json(${mark})))`,
      version: sql`${emails.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(sql`${emails.id} IN ${anyOf(ids)} AND (${sql.join(isOther, sql` OR `)})`);
}

/** The tags of an email and these, as many as it may have. */
function withTags(added: string) {
  return sql`(SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(emails.tags)
    UNION ALL
    SELECT value FROM json_each(${added}) WHERE value NOT IN (SELECT value FROM json_each(emails.tags))
    LIMIT ${MAX_TAGS}))`;
}
