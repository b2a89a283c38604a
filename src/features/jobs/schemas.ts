import { z } from "@hono/zod-openapi";
import { doc, Id, named, Timestamp } from "../../http/schemas.ts";

export const JobState = named("JobState", {
  name: doc(z.string(), "Name of the job.", "syncBookings"),
  lastStartedAt: doc(Timestamp.nullable(), "When it last started; null if it never did."),
  lastSucceededAt: doc(Timestamp.nullable(), "When it last succeeded; null if it never did."),
  lastFailedAt: doc(Timestamp.nullable(), "When it last failed; null if it never did.", null),
  lastError: doc(z.string().nullable(), "Why it last failed, without any personal data.", null),
  lastDurationMs: doc(z.int().nullable(), "How long its last run took, in milliseconds.", 840),
  healthy: doc(z.boolean(), "False if it has not succeeded for a day.", true),
});
export type JobState = z.infer<typeof JobState>;

export const ServiceAlert = named("ServiceAlert", {
  kind: doc(z.enum(["job_overdue"]), "What is wrong. `job_overdue`: a job has not succeeded for a day.", "job_overdue"),
  job: doc(JobState, "The job."),
  userId: doc(Id, "Id of the owner, whose webhooks alone get the event."),
});
export type ServiceAlert = z.infer<typeof ServiceAlert>;
