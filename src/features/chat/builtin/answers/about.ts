import type { ChatRecord } from "../../../../db/schema/chat.ts";
import { getEvent } from "../../../calendar/events/service.ts";
import { getTask } from "../../../tasks/service.ts";
import { eventView } from "../../../tools/calendar.ts";
import { spokenMinutes } from "../../../tools/reminder-input.ts";
import { taskView } from "../../../tools/tasks.ts";
import type { Request } from "../../request/request.ts";
import { describeRecord } from "../describe.ts";
import type { Answer, Scene } from "../plan.ts";
import { resolve } from "../resolve.ts";
import { eventLine, shorten, wholeTask } from "../words/voice.ts";
import { askDay } from "./day.ts";
import { askMail, readEmail } from "./mail.ts";

const MAX_TOLD = 5;

/** A detail of a record: when it is, where, with whom, how long. All of it is told. */
export async function askAbout(scene: Scene, request: Request): Promise<Answer> {
  const { sight, voice } = scene;
  const target = await resolve(sight, request, { kinds: ["event", "task", "email", "draft"], times: request.times });
  if ("unclear" in target)
    return request.times.length > 0 ? askDay(scene, request) : { text: voice.say.unclear, isLost: true };
  if ("refused" in target) return { text: target.refused, isLost: true };
  if ("missing" in target) {
    // "Did Ann write about the parcel?" is answered by an email.
    const mail =
      request.kind === "event" || request.kind === "task"
        ? null
        : await askMail(scene, { ...request, slots: request.slots, times: [] });
    return mail && (mail.about?.length ?? 0) > 0
      ? mail
      : { text: voice.say.notFound(shorten(target.missing, 60)), isLost: true };
  }
  const records = "records" in target ? target.records : target.options;
  const told: string[] = [];
  for (const record of records.slice(0, MAX_TOLD)) told.push(await tell(scene, record, records.length === 1));
  return { text: told.join("\n"), about: records.slice(0, MAX_TOLD) };
}

async function tell(scene: Scene, record: ChatRecord, isOnly: boolean): Promise<string> {
  const { sight, voice } = scene;
  if (record.kind === "task") {
    const task = await getTask(sight.ctx, record.id);
    const note = task.description ? ` ${shorten(task.description, 300)}` : "";
    const state = task.status === "done" ? ` (${voice.say.finished})` : "";
    const due = task.dueAt === null && task.dueDate === null ? `, ${voice.say.noDueDate}` : "";
    return `${wholeTask(voice, sight.timeZone, taskView(task))}${due}${state}.${note}`;
  }
  if (record.kind === "event") {
    const event = await getEvent(sight.ctx, record.id, record.occurrence ? new Date(record.occurrence) : undefined);
    const minutes = (Date.parse(event.end) - Date.parse(event.start)) / 60_000;
    const people = event.attendees.map(({ name, email }) => name ?? email).slice(0, 10);
    const facts = [
      eventLine(voice)(eventView(event)),
      ...(event.allDay || !isOnly ? [] : [spokenMinutes(minutes)]),
      ...(people.length > 0 ? [voice.language === "en" ? `with ${people.join(", ")}` : people.join(", ")] : []),
      ...(event.rrule || event.recurringEventId ? [voice.say.repeating] : []),
    ];
    return `${facts.join(", ")}.${event.description ? ` ${shorten(event.description, 300)}` : ""}`;
  }
  return record.kind === "email" && isOnly ? (await readEmail(scene, record)).text : describeRecord(scene, record);
}
