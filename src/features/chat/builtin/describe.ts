import type { ChatRecord } from "../../../db/schema/chat.ts";
import { AppError } from "../../../lib/errors.ts";
import { getEmail } from "../../emails/service.ts";
import { getTask } from "../../tasks/service.ts";
import { eventView } from "../../tools/calendar.ts";
import { taskView } from "../../tools/tasks.ts";
import { type Call, eventOf, type Scene } from "./plan.ts";
import { eventLine, shorten, taskLine, type Voice } from "./words/voice.ts";

/** A record in one line, as lists show it; only its title if it is gone. */
export async function describeRecord({ sight, voice }: Scene, record: ChatRecord): Promise<string> {
  const { ctx, timeZone } = sight;
  try {
    if (record.kind === "task") return taskLine(voice, timeZone)(taskView(await getTask(ctx, record.id)));
    if (record.kind === "event") return eventLine(voice)(eventView(await eventOf(sight, record)));
    if (record.kind !== "email") return shorten(record.title);
    const { from, subject, receivedAt } = await getEmail(ctx, record.id);
    return `${shorten(from.name || from.email, 60)}: ${shorten(subject) || "(no subject)"} (${voice.moment(Date.parse(receivedAt))})`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return shorten(record.title);
  }
}

/** Changes of emails are understood in English only. */
const MAIL_DEEDS: Record<string, (name: string) => string> = {
  "isRead true": (name) => `mark the email ${name} as read`,
  "isRead false": (name) => `mark the email ${name} as unread`,
  "isStarred true": (name) => `star the email ${name}`,
  "isStarred false": (name) => `remove the star of the email ${name}`,
  "status archived": (name) => `archive the email ${name}`,
  "status inbox": (name) => `move the email ${name} to the inbox`,
};

/** What a call would do, as a question names it: "move “Gym” to Friday at 15:00", "archive the email “Sale”". */
export function deedOf(voice: Voice, { tool, input, label }: Call): string {
  const { deeds, priority } = voice.say;
  const name = `“${shorten(label, 80)}”`;
  if (tool === "update_mail") {
    if (input.status === "trash") return deeds.trash_mail(name);
    const [deed] = Object.entries(input).flatMap(([field, value]) => MAIL_DEEDS[`${field} ${value}`] ?? []);
    return deed?.(name) ?? deeds.update_mail(name);
  }
  if (tool === "update_task" && input.status === "cancelled") return deeds.remove_task(name);
  const said = (value: unknown) => (typeof value === "string" ? [value] : []);
  const [when] = said(input.start ?? input.dueAt).map((time) => spokenTime(voice, time));
  if (when && (tool === "move_event" || tool === "update_task")) return deeds.move_event(name, when);
  const level = Object.entries(priority).flatMap(([each, words]) => (each === input.priority ? [words] : []));
  const title = tool.startsWith("update_") ? said(input.title).map((each) => `“${shorten(each, 80)}”`) : [];
  const details = [...(when ? [when] : []), ...title, ...level, ...said(input.list), ...said(input.location)];
  return `${deeds[tool](name)}${details.length > 0 ? ` (${details.join(", ")})` : ""}`;
}

/** A day, a time where the person is, or an instant. */
function spokenTime({ day, moment }: Voice, time: string): string {
  if (time.endsWith("Z")) return moment(Date.parse(time));
  return [day(Date.parse(`${time.slice(0, 10)}T12:00:00Z`)), time.slice(11, 16)].filter(Boolean).join(" ");
}
