import { z } from "@hono/zod-openapi";
import { doc, named } from "../../http/schemas.ts";

const switches = {
  syncFailure: doc(z.boolean(), "Whether you get an email when the booking sync starts to fail.", true),
  tokenAlerts: doc(z.boolean(), "Whether you get an email when one of your AI token alerts fires.", true),
  dailyBrief: doc(z.boolean(), "Whether you get an email every morning with the events and tasks of the day.", true),
};
const briefHour = doc(z.int().min(0).max(23), "Hour of the day, in your time zone, when the daily brief is sent.", 7);

const LastBrief = z.object({
  date: doc(z.iso.date(), "Day of the brief, in your time zone.", "2026-11-16"),
  status: doc(
    z.enum(["sent", "skipped", "failed"]),
    "`skipped` if outgoing email is not set up; `failed` if the email could not be sent.",
    "sent",
  ),
});

export const NotificationPreferences = named("NotificationPreferences", {
  securityAlerts: doc(z.literal(true), "Always true. Security alerts cannot be turned off.", true),
  ...switches,
  briefHour,
  lastBrief: doc(LastBrief.nullable(), "The latest daily brief; null if there has been none."),
  version: doc(z.int(), "Version of the preferences, for `If-Match`.", 3),
});

export const NotificationChanges = z
  .object({ ...switches, briefHour })
  .partial()
  .openapi("NotificationChanges", { example: { dailyBrief: true, briefHour: 7 } });
export type PreferenceChanges = z.output<typeof NotificationChanges>;
