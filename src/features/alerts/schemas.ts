import { z } from "@hono/zod-openapi";
import { doc, Id, named, Timestamp } from "../../http/schemas.ts";
import { PROBLEM_CODES } from "../../lib/service-problems.ts";

const problem = {
  code: doc(z.enum(PROBLEM_CODES), "What is wrong.", "job_overdue"),
  subject: doc(
    z.string().nullable(),
    "The name of the job or the id of the webhook; null for the whole service.",
    "syncBookings",
  ),
  detail: doc(
    z.string(),
    "The problem in plain English.",
    "The job syncBookings has not succeeded since 2026-11-15 09:15 UTC. Last error: provider_error: The provider responded 500.",
  ),
  since: doc(Timestamp, "When it began."),
  docs: doc(z.string(), "The section of the documentation that says what to do.", "docs/operations.md#job_overdue"),
};

export const ServiceProblem = named("ServiceProblem", () => problem);
export type ServiceProblem = z.infer<typeof ServiceProblem>;

export const ServiceAlert = named("ServiceAlert", () => ({
  id: doc(Id, "Id of the alert: the same when the problem begins and when it is over."),
  ...problem,
  status: doc(z.enum(["open", "resolved"]), "`open` when the problem begins, `resolved` when it is over.", "open"),
  userId: doc(Id, "Id of the owner, whose webhooks alone get the event."),
}));
export type ServiceAlert = z.infer<typeof ServiceAlert>;
