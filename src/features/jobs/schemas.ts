import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp } from "../../http/schemas.ts";

export const JobState = named("JobState", () => ({
  name: doc(z.string(), "Name of the job.", "syncBookings"),
  lastStartedAt: doc(Timestamp.nullable(), "When it last started; null if it never did."),
  lastSucceededAt: doc(Timestamp.nullable(), "When it last succeeded; null if it never did."),
  lastFailedAt: doc(Timestamp.nullable(), "When it last failed; null if it never did.", null),
  lastError: doc(z.string().nullable(), "Why it last failed, without any personal data.", null),
  lastDurationMs: doc(z.int().nullable(), "How long its last run took, in milliseconds.", 840),
  dueAt: doc(
    Timestamp,
    "When it must have succeeded again: a day after its last success; a nightly job has an hour more.",
  ),
  lateSeconds: doc(z.int(), "How late it is, in seconds; 0 if it is not.", 0),
  ok: doc(z.boolean(), "False if it is late.", true),
  detail: doc(z.string().nullable(), "What is wrong, in plain English; null if nothing is.", null),
}));
export type JobState = z.infer<typeof JobState>;
