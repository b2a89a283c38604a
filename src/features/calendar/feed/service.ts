import { and, asc, eq, gt, isNotNull, isNull, min, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { type Context, signedInUser } from "../../../context.ts";
import { calendarState, events } from "../../../db/schema/calendar.ts";
import { randomToken, sha256Hex } from "../../../lib/crypto.ts";
import { toBytes } from "../../../lib/encoding.ts";
import { AppError } from "../../../lib/errors.ts";
import { timeZoneComponent } from "../../../lib/ics/vtimezone.ts";
import { calendarEnd, calendarStart, eventComponent, type IcsEvent } from "../../../lib/ics/write.ts";
import { audit } from "../../audit/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { intervalOf } from "../events/event.ts";

const CALENDAR_NAME = "Personal Operations Assistant";
const ROWS_A_PAGE = 500;
/** Raise this when the format of the feed changes, so that clients do not keep an old copy. */
const FORMAT = 2;

const theOnly = eq(calendarState.id, 1);

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/**
 * Creates the link; the previous one stops working. Its token is random and only a hash of it is stored: a link that
 * people have put into their calendar programs does not depend on a secret that is rotated.
 */
export async function createFeed(ctx: Context) {
  const user = signedInUser(ctx);
  const token = randomToken(TOKEN_BYTES);
  const [before] = await ctx.db.batch([
    ctx.db.select({ by: calendarState.feedUserId }).from(calendarState).where(theOnly),
    audit(ctx, "calendar_feed.created", { userId: user.id }),
    ctx.db
      .update(calendarState)
      .set({ feedTokenHash: sha256Hex(token), feedCreatedAt: ctx.now, feedUserId: user.id })
      .where(theOnly),
  ]);
  sendSecurityAlert(ctx, user, "A calendar link was created", CREATED);
  const other = before[0]?.by ?? user.id;
  if (other !== user.id) sendSecurityAlert(ctx, other, "Your calendar link was replaced", REPLACED);
  return { url: `${ctx.baseUrl}/api/calendar/feed.ics?token=${token}`, createdAt: ctx.now.toISOString() };
}

const CREATED = "Whoever has it can read the whole calendar without signing in. You can revoke it in the settings.";
const REPLACED =
  "Another person with an account here created a new link. Programs can no longer read the calendar with yours.";

export async function revokeFeed(ctx: Context): Promise<void> {
  const { id: userId } = signedInUser(ctx);
  await ctx.db.batch([audit(ctx, "calendar_feed.revoked", { userId }), endFeed(ctx)]);
}

/** The statement that makes the link stop working. */
export function endFeed({ db }: Context, onlyIf?: SQL) {
  return db
    .update(calendarState)
    .set({ feedTokenHash: null, feedCreatedAt: null, feedUserId: null })
    .where(and(theOnly, onlyIf));
}

/** The same if this person has made it. */
export function endFeedOf(ctx: Context, userId: number, onlyIf: SQL = sql`1`) {
  return endFeed(ctx, and(eq(calendarState.feedUserId, userId), onlyIf));
}

/** When the link was made, if there is one. */
export function selectFeed({ db }: Context) {
  return db
    .select({ createdAt: calendarState.feedCreatedAt, userId: calendarState.feedUserId })
    .from(calendarState)
    .where(and(theOnly, isNotNull(calendarState.feedUserId)));
}

/** The feed's ETag, read from one small row, and its content, created only if needed. */
export async function readFeed(ctx: Context, token: string) {
  const unknown = new AppError("not_found", "This link is not valid or was revoked.");
  // Other texts are rejected without a query.
  if (!TOKEN.test(token)) throw unknown;
  const [state] = await ctx.db.select().from(calendarState).where(theOnly);
  // It has nobody once the account that made it is deleted.
  if (!state?.feedUserId || state.feedTokenHash !== sha256Hex(token)) throw unknown;
  return { tag: `${FORMAT}-${state.revision}`, body: () => feedStream(ctx) };
}

/** Reads a page of events whenever the client has received the previous one. */
function feedStream(ctx: Context): ReadableStream<Uint8Array> {
  let after: number | null = null;
  return new ReadableStream({
    async pull(controller) {
      if (after === null) {
        controller.enqueue(toBytes(calendarStart(CALENDAR_NAME) + (await timeZones(ctx))));
        after = 0;
        return;
      }
      const rows = await selectPage(ctx, after);
      if (rows.length > 0) controller.enqueue(toBytes(rows.map((row) => eventComponent(toIcs(row))).join("")));
      after = rows.at(-1)?.event.id ?? after;
      if (rows.length === ROWS_A_PAGE) return;
      controller.enqueue(toBytes(calendarEnd()));
      controller.close();
    },
  });
}

/** The zones of all series. Single events are written in UTC. */
async function timeZones(ctx: Context): Promise<string> {
  const zones = await ctx.db
    .select({ zone: events.timeZone, since: sql<number>`${min(events.startAt)}` })
    .from(events)
    .where(and(gt(events.seriesEnd, Number.MIN_SAFE_INTEGER), isNull(events.startDate)))
    .groupBy(events.timeZone);
  return zones
    .filter(({ zone }) => zone !== "UTC")
    .map(({ zone, since }) => timeZoneComponent(zone, since, ctx.now.getTime()))
    .join("");
}

const series = alias(events, "series");

function selectPage(ctx: Context, after: number) {
  return ctx.db
    .select({
      event: events,
      seriesZone: sql<string | null>`${series.timeZone}`.as("series_zone"),
      seriesDate: sql<string | null>`${series.startDate}`.as("series_date"),
    })
    .from(events)
    .leftJoin(series, eq(series.id, events.recurringEventId))
    .where(and(gt(events.id, after), isNull(events.deletedAt)))
    .orderBy(asc(events.id))
    .limit(ROWS_A_PAGE);
}

type FeedRow = Awaited<ReturnType<typeof selectPage>>[number];

/**
 * Only the reminders that the event has of its own: with the defaults of a profile, the service reminds, and so does the
 * calendar program by its own defaults. One by email or webhook alone is none of the program's.
 */
function alarmsOf({ reminders }: FeedRow["event"]) {
  return (reminders ?? [])
    .filter(({ channel }) => channel === "default" || channel === "push")
    .map(({ at, minutesBefore }) => (at === undefined ? { minutesBefore } : { at }));
}

function toIcs({ event, seriesZone, seriesDate }: FeedRow): IcsEvent {
  const zone = seriesZone ?? (event.rrule === null ? "UTC" : event.timeZone);
  const modified = event.updatedAt.getTime();
  return {
    ...event,
    ...intervalOf(event),
    uid: event.icalUid,
    stamp: modified,
    created: event.createdAt.getTime(),
    modified,
    allDay: event.startDate !== null,
    zone: zone === "UTC" ? null : zone,
    dateZone: event.timeZone,
    url: event.meetingUrl,
    categories: event.tags,
    alarms: event.status === "cancelled" ? [] : alarmsOf(event),
    recurrence: event.originalStart && {
      start: event.originalStart.getTime(),
      allDay: seriesZone === null ? event.startDate !== null : seriesDate !== null,
      zone: seriesZone ?? "UTC",
    },
  };
}
