import type { Context } from "../../context.ts";
import { assertType } from "../../lib/cast.ts";
import type { OutboundEvent } from "../../lib/outbound-events.ts";
import { type FiredAlert, loadFiredAlerts } from "../ai-models/tokens/alerts.ts";
import type { ServiceAlert } from "../alerts/schemas.ts";
import { loadServiceAlerts } from "../alerts/service.ts";
import { runsByIds } from "../bookings/runs.ts";
import { eventsByIds } from "../calendar/events/list.ts";
import { summariesByIds } from "../emails/list.ts";
import type { Reminder } from "../reminders/schemas.ts";
import { remindersByIds } from "../reminders/service.ts";
import { loadCaptions } from "../stream/captions/service.ts";
import { loadMilestones } from "../stream/milestones/service.ts";
import { loadSessions } from "../stream/sessions.ts";
import { tasksByIds } from "../tasks/service.ts";

/** The records of these ids as the API's lists return them, by id. Deleted ones are left out. */
type Load = (ctx: Context, ids: readonly string[]) => Promise<Map<string, object>>;

export interface EventType {
  description: string;
  load: Load;
  /** The person whose endpoints alone get the event. Default: everyone's. */
  personOf?(record: object): number;
  /** The only endpoint that gets the event, whatever it subscribes to. */
  endpointOf?(recordId: string): number;
}

function byNumber<Item extends { id: number }>(verb: (ctx: Context, ids: number[]) => Promise<Item[]>): Load {
  return async (ctx, ids) => new Map((await verb(ctx, ids.map(Number))).map((item) => [String(item.id), item]));
}

const emails = byNumber(summariesByIds);
/** Their ids are those of the email and of the endpoint. */
const forwardedEmails: Load = async (ctx, ids) => {
  const found = await emails(ctx, [...new Set(ids.map(emailIdOf))]);
  return new Map(
    ids.flatMap((id) => {
      const email = found.get(emailIdOf(id));
      return email ? [[id, email] as const] : [];
    }),
  );
};
const emailIdOf = (id: string) => id.split(":")[0] ?? "";
const tasks = byNumber(tasksByIds);
const events = byNumber(eventsByIds);
const reminders = byNumber(remindersByIds);
const personOf = (record: object) => assertType<Reminder>(record).userId;
const sessions = byNumber(loadSessions);
const captions = byNumber(loadCaptions);
const milestones = byNumber(loadMilestones);
const runs: Load = async (ctx, ids) => new Map((await runsByIds(ctx, ids)).map((run) => [run.runId, run]));

/** The database's triggers raise these events. */
export const EVENT_TYPES: Record<OutboundEvent, EventType> = {
  "email.received": {
    description: "An email arrived outside spam and trash. `data` is the email as lists return it, without its body.",
    load: emails,
  },
  "email.analyzed": { description: "An email was analyzed or analyzed again. See `data.analysis`.", load: emails },
  "email.matched": {
    description:
      "A rule forwards an email. Sent only to the webhook that the rule names, whatever that webhook subscribes to. `data` " +
      "is the email as lists return it, without its body.",
    load: forwardedEmails,
    endpointOf: (recordId) => Number(recordId.split(":")[1]),
  },
  "email.sent": { description: "An email of yours has left.", load: emails },
  "email.updated": {
    description: "An email was read, starred, snoozed, tagged or moved, or one of these was undone.",
    load: emails,
  },
  "task.created": { description: "A task was created.", load: tasks },
  "task.updated": {
    description:
      "A task changed, other than by becoming `done`. Subtasks that are closed or moved with their parent send their own.",
    load: tasks,
  },
  "task.completed": {
    description: "A task became `done`. If it repeats, `task.created` follows for the next one.",
    load: tasks,
  },
  "task.deleted": { description: "A task was deleted. `data` is `{ id, deleted: true }`.", load: tasks },
  "task.due": {
    description:
      "A reminder of a task has fired, at once or again after a snooze. Sent only to the person it reminds. `data` is the " +
      "reminder.",
    load: reminders,
    personOf,
  },
  "event.created": { description: "An event was added to the calendar, or added again after deletion.", load: events },
  "event.updated": {
    description: "An event changed. An edited occurrence of a series has `recurringEventId` and `originalStart`.",
    load: events,
  },
  "event.cancelled": { description: "An event was cancelled. It is still in the calendar.", load: events },
  "event.deleted": { description: "An event was deleted. `data` is `{ id, deleted: true }`.", load: events },
  "event.starting": {
    description:
      "A reminder of an event has fired, at once or again after a snooze. Sent only to the person it reminds. `data` is " +
      "the reminder.",
    load: reminders,
    personOf,
  },
  "sync.completed": {
    description:
      "A sync with the booking provider ended. If its status is `partial`, it reached its limit or failed part-way: see `errors`. The next run continues it.",
    load: runs,
  },
  "sync.failed": { description: "A sync with the booking provider failed.", load: runs },
  "tokens.alert": {
    description: "This month's AI tokens reached the threshold of one of your alerts.",
    load: byNumber(loadFiredAlerts),
    personOf: (record) => assertType<FiredAlert>(record).userId,
  },
  "stream.live": { description: "A stream went live.", load: sessions },
  "stream.ended": { description: "A stream ended.", load: sessions },
  "caption.posted": { description: "A caption was posted. `postUrl` is its address.", load: captions },
  "caption.failed": {
    description: "A caption could not be posted. If `uncertain` is true, it may have been posted anyway.",
    load: captions,
  },
  "milestone.reached": { description: "A milestone was reached. Sent once for each milestone.", load: milestones },
  "service.alert": {
    description:
      "Something in the service is stuck or failing. Sent once when the problem begins (`status: open`) and once when it is over (`resolved`), only to the owner.",
    load: loadServiceAlerts,
    personOf: (record) => assertType<ServiceAlert>(record).userId,
  },
};

export function findEventType(name: string): EventType | undefined {
  return new Map<string, EventType>(Object.entries(EVENT_TYPES)).get(name);
}
