import { and, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { isOneOf } from "../../db/bulk.ts";
import { reminders } from "../../db/schema/reminders.ts";
import { PERSONAL_CHANNELS, type PersonalChannel } from "../../lib/channels.ts";
import type { QueueMessageOf } from "../../lib/queue-messages.ts";
import type { ReminderDelivery } from "../../lib/reminder-kinds.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { SENDERS } from "../notifications/channels/index.ts";
import { selectDevices } from "../notifications/channels/push.ts";
import { isHeard, selectListeners } from "../notifications/channels/webhook.ts";
import type { Reach } from "../notifications/notice.ts";
import { LATE_MS } from "./moments.ts";
import { type Person, selectPeople } from "./people.ts";
import { finderOf, type ReminderRow, selectRecords } from "./records.ts";
import { type Occasion, reminderNotice, type Subject } from "./wording.ts";

/** A Worker may have six open connections, and the database needs one. */
const AT_ONCE = 5;
/** Longer than a try can take: one without a result by then died with its Worker. */
const LEASE_MS = 3 * MINUTE_MS;
/** The waits after all channels have failed. */
const AGAIN_MS = [MINUTE_MS, 5 * MINUTE_MS];
const CUT_OFF = "The service stopped while it was being sent. It may have left.";

/** A reminder that is to be sent now. */
interface Job extends Reach {
  row: ReminderRow;
  person: Person;
  subject: Subject;
  occasion: Occasion;
  /** The channels that are left, in order. */
  channels: PersonalChannel[];
  log: ReminderDelivery[];
  /** A channel has failed in this run, and one of those that have may work later. */
  hasFailed: boolean;
  mayRetry: boolean;
}

/** What becomes of a row. */
interface Result {
  id: number;
  log: readonly ReminderDelivery[];
  /** The end of the claim: if the row has another time by now, somebody has snoozed or dismissed it. */
  lease: number | null;
  deliverAt: number | null;
  dismissed?: true;
  /** A snooze is over, and no channel was claimed, with which it would have fired again. */
  isAgain?: boolean;
  rounds?: number;
}

/**
 * Sends reminders that are due. Each try is claimed in the database before it is made, with its channel: a message that
 * comes twice does nothing, and after a Worker that died the same channel is not tried again. The next one is, because
 * nobody knows whether the person was reached.
 */
export async function deliverReminders(ctx: Context, { ids }: Pick<QueueMessageOf<"reminder.deliver">, "ids">) {
  const now = Date.now();
  const people = selectPeople(ctx);
  const [rows, devices, listeners, taskRows, eventRows, ...persons] = await ctx.db.batch([
    ctx.db
      .select()
      .from(reminders)
      .where(and(isOneOf(reminders.id, ids), isNotNull(reminders.deliverAt), lte(reminders.deliverAt, new Date(now)))),
    selectDevices(ctx, sql`(SELECT user_id FROM reminders WHERE ${isOneOf(reminders.id, ids)})`),
    selectListeners(ctx),
    ...selectRecords(ctx, ids),
    ...people.statements,
  ]);
  const personOf = new Map(people.read(...persons).map((person) => [person.id, person]));
  const find = finderOf(taskRows, eventRows);
  let results: Result[] = [];
  const jobs: Job[] = [];
  for (const row of rows) {
    const log: ReminderDelivery[] = [...row.deliveries];
    if (row.sending) log.push({ channel: row.sending, outcome: "unknown", at: now, detail: CUT_OFF });
    const person = personOf.get(row.userId);
    const found = find(row);
    const settle = (rest: Partial<Result>) =>
      results.push({ id: row.id, log, lease: timeOf(row), deliverAt: null, isAgain: row.state === "snoozed", ...rest });
    if ("obsolete" in found || !person) {
      const detail = "obsolete" in found ? found.obsolete : "You have turned reminders off.";
      log.push({ channel: null, outcome: "skipped", at: now, detail });
      settle({ dismissed: true });
      continue;
    }
    const type = row.kind === "task" ? "task.due" : "event.starting";
    if (row.channel === "webhook" && isHeard(listeners, row.userId, type)) {
      log.push({ channel: "webhook", outcome: "sent", at: now, detail: "Handed to your webhooks." });
      settle({});
      continue;
    }
    const reach = { person, devices: devices.filter(({ userId }) => userId === row.userId) };
    const channels = await usable(ctx, channelsLeft(row, person, log), reach, log);
    if (channels.length === 0) settle({});
    else
      jobs.push({
        ...reach,
        row,
        subject: found.subject,
        occasion: occasionOf(row, now),
        channels,
        log,
        hasFailed: false,
        mayRetry: false,
      });
  }
  while (jobs.length > 0 && !ctx.signal?.aborted) {
    const claimed = await writeAndClaim(ctx, results, jobs.splice(0, AT_ONCE));
    const tried = await Promise.all(claimed.map((job) => tryFirst(ctx, job)));
    jobs.push(...tried.flatMap((each) => ("row" in each ? [each] : [])));
    results = tried.flatMap((each) => ("row" in each ? [] : [each]));
  }
  // Asked to stop between two channels: what is left of these is due at once.
  const left = jobs.filter(({ hasFailed }) => hasFailed);
  results.push(...left.map(({ row, log }) => ({ id: row.id, log, lease: timeOf(row), deliverAt: Date.now() })));
  if (results.length > 0) await resultStatement(ctx, results);
}

const timeOf = ({ deliverAt }: ReminderRow) => deliverAt?.getTime() ?? null;

/** After a snooze, the time that counts is the end of the snooze. */
function occasionOf({ id, state, at, late, deliverAt }: ReminderRow, now: number): Occasion {
  const until = state === "snoozed" ? deliverAt?.getTime() : undefined;
  if (until === undefined) return { reminderId: id, at: at.getTime(), late };
  return { reminderId: id, at: until, late: until < now - LATE_MS };
}

/** The channel that the reminder asks for, then the others of the person, without those that were tried this round. */
function channelsLeft(row: ReminderRow, { channels }: Person, log: readonly ReminderDelivery[]): PersonalChannel[] {
  const first = PERSONAL_CHANNELS.filter((channel) => channel === row.channel);
  const tried = new Set<string | null>(log.slice(row.roundFrom).map(({ channel }) => channel));
  return [...new Set([...first, ...channels])].filter((channel) => !tried.has(channel));
}

/** Drops the channels up to the first that can be used, and notes why. */
async function usable(
  ctx: Context,
  channels: readonly PersonalChannel[],
  reach: Reach,
  log: ReminderDelivery[],
): Promise<PersonalChannel[]> {
  for (const [index, channel] of channels.entries()) {
    const detail = await SENDERS[channel].whyUnusable(ctx, reach);
    if (detail === null) return channels.slice(index);
    log.push({ channel, outcome: "skipped", at: Date.now(), detail });
  }
  return [];
}

/** Writes the results so far, and claims the first try of each job. Returns the jobs that nobody else has claimed. */
async function writeAndClaim(ctx: Context, results: readonly Result[], group: readonly Job[]): Promise<Job[]> {
  const lease = Date.now() + LEASE_MS;
  const claim = claimStatement(ctx, group, lease);
  const [claimed] = results.length > 0 ? await ctx.db.batch([claim, resultStatement(ctx, results)]) : [await claim];
  const own = new Set(claimed.map(({ id }) => id));
  const leased = group.filter(({ row }) => own.has(row.id));
  for (const { row } of leased) row.deliverAt = new Date(lease);
  return leased;
}

/** Rows as the table `given`, to update others from: each is read once, however many columns it gives. */
function givenRows(rows: readonly object[], names: readonly string[]): SQL {
  const columns = names.map((name) => sql.raw(`value ->> '${name}' AS "${name}"`));
  return sql`(SELECT ${sql.join(columns, sql`, `)} FROM json_each(${JSON.stringify(rows)})) AS given`;
}

/** A claim that comes second fails, because the delivery is due at another time then. A snoozed reminder fires again. */
function claimStatement(ctx: Context, group: readonly Job[], lease: number) {
  const now = Date.now();
  const claims = group.map(({ row, channels, log }) => ({ id: row.id, was: timeOf(row), channel: channels[0], log }));
  const isSnoozed = sql`state = 'snoozed'`;
  return ctx.db
    .update(reminders)
    .set({
      sending: sql<PersonalChannel>`given.channel`,
      deliveries: sql`given.log`,
      deliverAt: new Date(lease),
      firedAt: sql`iif(${isSnoozed}, ${now}, fired_at)`,
      late: sql`iif(${isSnoozed}, deliver_at < ${now - LATE_MS}, late)`,
      version: sql`version + (${isSnoozed})`,
      state: sql`'fired'`,
    })
    .from(givenRows(claims, ["id", "was", "channel", "log"]))
    .where(sql`${reminders.id} = given.id AND deliver_at = given.was`)
    .returning({ id: reminders.id });
}

/** Tries the channel that was claimed. Returns what becomes of the row or, if it failed, the job with those left. */
async function tryFirst(ctx: Context, job: Job): Promise<Result | Job> {
  const { row, log } = job;
  const [channel, ...others] = job.channels;
  const notice = reminderNotice(job.person, job.subject, job.occasion, Date.now(), ctx.baseUrl);
  const tried = channel && (await SENDERS[channel].send(ctx, job, notice));
  if (channel && tried) log.push({ channel, at: Date.now(), outcome: tried.outcome, detail: tried.detail });
  const result = { id: row.id, log, lease: timeOf(row) };
  if (tried?.outcome === "sent") return { ...result, deliverAt: null };
  const channels = await usable(ctx, others, job, log);
  const mayRetry = job.mayRetry || tried?.isTemporary === true;
  if (channels.length > 0) return { ...job, channels, mayRetry, hasFailed: true };
  const wait = mayRetry ? AGAIN_MS[row.rounds] : undefined;
  if (wait === undefined) return { ...result, deliverAt: null };
  return { ...result, deliverAt: Date.now() + wait, rounds: row.rounds + 1 };
}

/** Stores the log of each row. When it is due again changes only if nobody has snoozed or dismissed it meanwhile. */
function resultStatement(ctx: Context, results: readonly Result[]) {
  const isOurs = sql.raw("deliver_at IS given.lease");
  const isDismissed = sql`(${isOurs} AND given.dismissed IS NOT NULL)`;
  const isAgain = sql`(${isOurs} AND coalesce(given."isAgain", 0) AND given.dismissed IS NULL)`;
  return ctx.db
    .update(reminders)
    .set({
      deliveries: sql`given.log`,
      sending: sql`NULL`,
      deliverAt: sql`iif(${isOurs}, given."deliverAt", deliver_at)`,
      state: sql`CASE WHEN ${isDismissed} THEN 'dismissed' WHEN ${isAgain} THEN 'fired' ELSE state END`,
      firedAt: sql`iif(${isAgain}, ${Date.now()}, fired_at)`,
      version: sql`version + (${isDismissed} AND state <> 'dismissed' OR ${isAgain})`,
      rounds: sql`coalesce(given.rounds, reminders.rounds)`,
      roundFrom: sql`iif(given.rounds IS NULL, round_from, json_array_length(given.log))`,
    })
    .from(givenRows(results, ["id", "log", "lease", "deliverAt", "dismissed", "isAgain", "rounds"]))
    .where(sql`${reminders.id} = given.id`)
    .returning({ id: reminders.id });
}
