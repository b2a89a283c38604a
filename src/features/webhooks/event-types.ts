import type { Context } from "../../context.ts";
import { assertType } from "../../lib/cast.ts";
import { OUTBOUND_EVENTS, type OutboundEvent } from "../../lib/outbound-events.ts";
import { type FiredAlert, loadFiredAlerts } from "../ai-models/tokens/alerts.ts";
import { runsByIds } from "../bookingsvc/runs.ts";
import { eventsByIds } from "../calendar/events/list.ts";
import { summariesByIds } from "../emails/list.ts";
import { captionsByIds } from "../stream/captions/list.ts";
import { loadMilestones } from "../stream/milestones/service.ts";
import { loadSessions } from "../stream/sessions.ts";
import { tasksByIds } from "../tasks/service.ts";
import {
  ALERT,
  ANALYSED_EMAIL,
  CANCELLED_EVENT,
  CAPTION,
  COMPLETED_TASK,
  EMAIL,
  ENDED_SESSION,
  EVENT,
  FAILED_CAPTION,
  FAILED_RUN,
  MILESTONE,
  RUN,
  SESSION,
  TASK,
} from "./examples.ts";

/** The records of these ids as the API's lists give them, by id; what is no longer there is left out. */
type Load = (ctx: Context, ids: readonly string[]) => Promise<Map<string, object>>;

export interface EventType {
  description: string;
  /** The `data` of such an event. */
  example: Record<string, unknown>;
  load: Load;
  /** Whose record it is, when only that person's endpoints are to hear of it. */
  personOf?(record: object): number;
}

/** A loader made of the verb that its owner has for many records at once. */
function byNumber<Item extends { id: number }>(verb: (ctx: Context, ids: number[]) => Promise<Item[]>): Load {
  return async (ctx, ids) => new Map((await verb(ctx, ids.map(Number))).map((item) => [String(item.id), item]));
}

const emails = byNumber(summariesByIds);
const tasks = byNumber(tasksByIds);
const events = byNumber(eventsByIds);
const sessions = byNumber(loadSessions);
const captions = byNumber(captionsByIds);
const milestones = byNumber(loadMilestones);
const runs: Load = async (ctx, ids) => new Map((await runsByIds(ctx, ids)).map((run) => [run.runId, run]));

/** All that is known of an event type besides the trigger that raises it: a new one is a line here. */
export const EVENT_TYPES: Record<OutboundEvent, EventType> = {
  "email.received": {
    description: "A mail came in. `data` is the mail as lists show it, without its body.",
    example: EMAIL,
    load: emails,
  },
  "email.analyzed": {
    description: "A mail was understood, or understood anew: `data.analysis` says what it is about.",
    example: ANALYSED_EMAIL,
    load: emails,
  },
  "task.created": { description: "A task was added, by whatever way.", example: TASK, load: tasks },
  "task.completed": { description: "A task became `done`.", example: COMPLETED_TASK, load: tasks },
  "event.created": {
    description: "An event was added to the calendar, or came back after it was deleted.",
    example: EVENT,
    load: events,
  },
  "event.updated": {
    description:
      "An event changed in a way that is to be seen. One occurrence of a series that was edited has `recurringEventId` and `originalStart`.",
    example: { ...EVENT, version: 2 },
    load: events,
  },
  "event.cancelled": {
    description: "An event was cancelled, or deleted: then `data` is only `{ id, deleted: true }`.",
    example: CANCELLED_EVENT,
    load: events,
  },
  "sync.completed": {
    description: "A sync with the booking provider ended; `partial` when the next one goes on from there.",
    example: RUN,
    load: runs,
  },
  "sync.failed": { description: "A sync with the booking provider failed.", example: FAILED_RUN, load: runs },
  "tokens.alert": {
    description: "This month's AI tokens passed the threshold of an alert of yours.",
    example: ALERT,
    load: byNumber(loadFiredAlerts),
    personOf: (record) => assertType<FiredAlert>(record).userId,
  },
  "stream.live": { description: "A stream went live.", example: SESSION, load: sessions },
  "stream.ended": { description: "A stream ended.", example: ENDED_SESSION, load: sessions },
  "caption.posted": { description: "A caption was posted; `postUrl` says where.", example: CAPTION, load: captions },
  "caption.failed": {
    description: "A caption could not be posted; with `uncertain` it may be there all the same.",
    example: FAILED_CAPTION,
    load: captions,
  },
  "milestone.reached": {
    description: "A milestone was reached, once and for ever.",
    example: MILESTONE,
    load: milestones,
  },
};

/** The type of this name, if it is one. */
export function findEventType(name: string): EventType | undefined {
  return new Map<string, EventType>(Object.entries(EVENT_TYPES)).get(name);
}

/** What an endpoint can ask for. */
export function listEventTypes() {
  const data = OUTBOUND_EVENTS.map((type) => {
    const { description, example } = EVENT_TYPES[type];
    return { type, description, example };
  });
  return { data };
}
