import type { ChatRecord } from "../../../db/schema/chat.ts";
import { AppError } from "../../../lib/errors.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { getEmail } from "../../emails/service.ts";
import { getTask } from "../../tasks/service.ts";
import { eventView } from "../../tools/calendar.ts";
import { taskView } from "../../tools/tasks.ts";
import type { Scene } from "./plan.ts";
import { eventLine, shorten, taskLine } from "./words/voice.ts";

/** A record in one line, as lists show it; only its title if it is gone. */
export async function describeRecord({ sight, voice }: Scene, record: ChatRecord): Promise<string> {
  const { ctx, timeZone } = sight;
  try {
    if (record.kind === "task") return taskLine(voice, timeZone)(taskView(await getTask(ctx, record.id)));
    if (record.kind === "event") {
      const at = record.occurrence === undefined ? undefined : new Date(record.occurrence);
      return eventLine(voice)(eventView(await getEvent(ctx, record.id, at)));
    }
    if (record.kind !== "email") return shorten(record.title);
    const { from, subject, receivedAt } = await getEmail(ctx, record.id);
    return `${shorten(from.name || from.email, 60)}: ${shorten(subject) || "(no subject)"} (${voice.moment(Date.parse(receivedAt))})`;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return shorten(record.title);
  }
}
