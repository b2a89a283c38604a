import { z } from "@hono/zod-openapi";
import { doc, Id, named, Timestamp } from "../../http/schemas.ts";
import { MAILBOX_STATUSES } from "../../lib/mailbox-kinds.ts";
import { ServiceProblem } from "../alerts/schemas.ts";
import { JobState } from "../jobs/schemas.ts";

const SettingNames = z.array(z.string());

const health = {
  status: doc(z.enum(["ok", "degraded"]), "`degraded` if anything is wrong.", "ok"),
  version: doc(z.string(), "The version of the service.", "0.1.0"),
  time: doc(Timestamp, "The service's clock."),
};

export const Health = named("Health", () => ({
  ...health,
  problems: doc(
    SettingNames.optional(),
    "Names of settings that are missing, weak or invalid. Only while the service has no account, and in local " +
      "development.",
    [],
  ),
}));
export type Health = z.infer<typeof Health>;

/** A part of the service. */
function part<Shape extends z.ZodRawShape>(description: string, figures: Shape) {
  const state = {
    ok: doc(z.boolean(), "Whether all is well.", true),
    detail: doc(z.string().nullable(), "What is wrong, in plain English; null if nothing is.", null),
  };
  return doc(z.object({ ...state, ...figures }), description);
}

const latencyMs = doc(z.number().nullable(), "How long it took to respond, in milliseconds; null if it did not.", 2);
const owed = doc(z.int(), "Number that still has to be done. Counted up to 1,000.", 0);
const oldestOwedAt = doc(Timestamp.nullable(), "When the oldest one became due; null if there are none.", null);

export const HealthDetails = named("HealthDetails", () => ({
  ...health,
  status: doc(health.status, "`degraded` if there is a problem."),
  problems: doc(z.array(ServiceProblem), "Everything that is wrong right now."),
  checks: doc(
    z.object({
      database: part("The D1 database.", { latencyMs }),
      kv: part("The key-value store.", { latencyMs }),
      fileStore: part("The file store (R2): raw emails, attachments, long texts.", { latencyMs }),
      secrets: part("The settings.", {
        problems: doc(SettingNames, "Names of settings that are missing, weak or invalid.", []),
      }),
    }),
    "The result of each check.",
  ),
  storage: doc(
    z.object({
      database: part("The D1 database.", {
        sizeBytes: doc(z.int(), "Its size in bytes.", 2_400_000),
        limitBytes: doc(z.int(), "The largest size that D1 allows, in bytes.", 10_737_418_240),
        usedShare: doc(z.number(), "Size divided by limit. From 0.8 on it is a problem.", 0.001),
      }),
      files: doc(
        z.object({
          objects: doc(z.int(), "Number of objects.", 1200),
          sizeBytes: doc(z.int(), "Their size in bytes.", 81_000_000),
        }),
        "Objects in R2 used by emails, unused attachments, imports and exports. Deleted objects are " +
          "removed from R2 within three days.",
      ),
    }),
    "How much is stored.",
  ),
  webhooks: part("Outbound events and the webhooks they go to.", {
    owed: doc(z.int(), "Events and deliveries that are not delivered yet, retries included. Counted up to 1,000.", 0),
    oldestOwedAt,
    failing: doc(
      z.array(
        z.object({
          id: doc(Id, "Id of the webhook."),
          failingSince: doc(Timestamp, "Since when every delivery has failed."),
        }),
      ),
      "Enabled webhooks whose latest deliveries failed. A problem after an hour. At most 100.",
    ),
    disabled: doc(
      z.array(Id),
      "Ids of webhooks that the service disabled, because they failed for a day or were gone.",
    ),
  }),
  captions: part("Streams and milestones whose captions are not written yet.", { owed, oldestOwedAt }),
  analyses: part("Received emails that wait for their analysis.", {
    owed,
    firstDueAt: doc(
      Timestamp.nullable(),
      "When the next attempt at the oldest one is due; null if there are none. A problem after half an hour.",
      null,
    ),
  }),
  outgoingEmails: part("Emails sent by the service for you.", {
    failed: doc(
      z.int(),
      "Emails of the last day that were not sent, or may not have been, and were not sent again. Counted up to 1,000.",
      0,
    ),
    lastFailedAt: doc(Timestamp.nullable(), "When the latest of them was due; null if there are none.", null),
    sending: doc(z.int(), "Emails that are being sent right now. Counted up to 1,000.", 0),
    overdue: doc(z.int(), "Scheduled emails whose time was half an hour ago. Counted up to 1,000.", 0),
  }),
  sync: part("The sync with the booking provider.", {
    connected: doc(z.boolean(), "Whether a provider is connected.", true),
    failingSince: doc(
      Timestamp.nullable(),
      "Since when the scheduled sync has failed; null if it works. A problem after six hours.",
      null,
    ),
    lastRun: doc(
      z
        .object({
          status: doc(z.enum(["running", "succeeded", "partial", "failed"]), "How it went.", "succeeded"),
          startedAt: doc(Timestamp, "When it started."),
          finishedAt: doc(Timestamp.nullable(), "When it ended; null while it runs."),
        })
        .nullable(),
      "The latest run; null if there was none.",
    ),
  }),
  mailboxes: part("The mailboxes elsewhere that are read here.", {
    connected: doc(z.int(), "Number of mailboxes, paused ones included.", 2),
    failing: doc(
      z.array(
        z.object({
          id: doc(Id, "Id of the mailbox."),
          status: doc(z.enum(MAILBOX_STATUSES), "What is wrong with it.", "failing"),
          lastOkAt: doc(Timestamp.nullable(), "When it was last read; null if it never was."),
        }),
      ),
      "Mailboxes that cannot be read, without paused ones. A problem after six hours.",
    ),
  }),
  files: part("Files that no record refers to any more.", {
    due: doc(z.int(), "Files due for deletion. Counted up to 1,000.", 0),
    later: doc(z.int(), "Uploads in progress, deleted if nothing refers to them in time. Counted up to 1,000.", 0),
  }),
  jobs: doc(z.array(JobState), "The background jobs and how their last runs went. Empty before the first cron."),
}));
export type HealthDetails = z.infer<typeof HealthDetails>;
