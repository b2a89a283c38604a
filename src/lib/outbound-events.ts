import { words } from "./words.ts";

/** The events that an endpoint can subscribe to. */
export const OUTBOUND_EVENTS = words(
  "email.received email.analyzed email.matched email.sent email.updated task.created task.updated task.completed task.deleted task.due event.created event.updated event.cancelled event.deleted event.starting sync.completed sync.failed tokens.alert stream.live stream.ended caption.posted caption.failed milestone.reached service.alert",
);

export type OutboundEvent = (typeof OUTBOUND_EVENTS)[number];

/** Sent only by the test endpoint. */
export const TEST_EVENT = "webhook.test";
