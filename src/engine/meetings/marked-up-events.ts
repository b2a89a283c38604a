import { DAY_MS, type Instant, MINUTE_MS, toInstant } from "../../lib/time-zone.ts";
import type { Quote } from "../email/email.ts";
import { type Invite, MAX_INVITES } from "./calendar-events.ts";

const DEFAULT_MS = 30 * MINUTE_MS;
const LD_JSON = '<script type="application/ld+json">';

/** schema.org events, as JSON-LD. */
export function markedUpEvents(text: string, timeZone: string): Invite[] {
  const invites: Invite[] = [];
  let at = text.indexOf(LD_JSON);
  while (at >= 0 && invites.length < MAX_INVITES) {
    const start = at + LD_JSON.length;
    const end = text.indexOf("</script>", start);
    if (end < 0) break;
    for (const node of nodesOf(text.slice(start, end))) {
      const invite = markedUpEvent(node, { text: text.slice(start, end), start, end }, timeZone);
      if (invite) invites.push(invite);
    }
    at = text.indexOf(LD_JSON, end);
  }
  return invites;
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const stringOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : null;

function nodesOf(json: string): Node[] {
  try {
    const parsed: unknown = JSON.parse(json);
    const list: unknown[] = Array.isArray(parsed)
      ? parsed
      : isNode(parsed) && Array.isArray(parsed["@graph"])
        ? parsed["@graph"]
        : [parsed];
    return list.filter(isNode).map((node) => (isNode(node.reservationFor) ? node.reservationFor : node));
  } catch {
    return [];
  }
}

function markedUpEvent(node: Node, quote: Quote, timeZone: string): Invite | null {
  const type = stringOf(node["@type"]);
  const start = momentOf(node.startDate, timeZone);
  if (!type?.endsWith("Event") || !start) return null;
  const end = momentOf(node.endDate, timeZone);
  const place = isNode(node.location)
    ? (stringOf(node.location.name) ?? stringOf(node.location.address))
    : stringOf(node.location);
  const length = start.allDay ? DAY_MS : DEFAULT_MS;
  return {
    title: stringOf(node.name) ?? "Event",
    start: new Date(start.time),
    end: new Date(end && end.time > start.time ? end.time : start.time + length),
    allDay: start.allDay,
    timeZone,
    location: place,
    meetingUrl: isNode(node.location) ? stringOf(node.location.url) : null,
    attendees: [],
    cancelled: stringOf(node.eventStatus)?.endsWith("EventCancelled") ?? false,
    quote,
    rrule: null,
    exdates: [],
  };
}

function momentOf(value: unknown, timeZone: string): { time: Instant; allDay: boolean } | null {
  const text = stringOf(value);
  if (!text || !/^\d{4}-\d\d-\d\d/.test(text)) return null;
  const allDay = text.length === 10;
  const isZoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  const time = Date.parse(isZoned ? text : `${allDay ? `${text}T00:00:00` : text}Z`);
  if (Number.isNaN(time)) return null;
  return { time: isZoned ? time : toInstant(timeZone, time), allDay };
}
