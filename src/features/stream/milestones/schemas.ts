import { z } from "@hono/zod-openapi";
import {
  doc,
  FlagParam,
  Id,
  listOf,
  listParam,
  named,
  pageParams,
  Timestamp,
  versionFields,
} from "../../../http/schemas.ts";
import { readBy } from "../../../lib/receipts.ts";
import { MILESTONE_METRICS, STREAM_PLATFORMS } from "../../../lib/stream-session.ts";
import { Caption } from "../captions/schemas.ts";

const LABEL_CHARACTERS = 80;
const MAX_THRESHOLD = 10_000_000_000;

const METRIC = "`viewers`: people watching at one time. `peak_viewers`: the highest number so far.";
const Metric = doc(z.enum(MILESTONE_METRICS), METRIC, "subscribers");

export const Milestone = named("Milestone", () => ({
  id: doc(Id, "Id of the milestone.", 3),
  metric: Metric,
  threshold: doc(z.int(), "The count to reach.", 1000),
  label: doc(z.string(), "Name of the milestone.", "1,000 subscribers"),
  reached: doc(z.boolean(), "Whether it is reached.", true),
  reachedAt: doc(Timestamp.nullable(), "When it was reached; null if it is not reached or `passedBefore`."),
  passedBefore: doc(
    z.boolean(),
    "Whether the count was already past the milestone when the service first saw the channel or the milestone. It is " +
      "not celebrated.",
    false,
  ),
  reachedValue: doc(z.int().nullable(), "The count that reached it.", 1012),
  platform: doc(z.enum(STREAM_PLATFORMS).nullable(), "Where it was reached.", "youtube"),
  sessionId: doc(Id.nullable(), "Id of the session that was live when it was reached."),
  ...versionFields,
}));
readBy("stream:read", Milestone);
export type Milestone = z.infer<typeof Milestone>;

export const MilestoneList = listOf(Milestone, "MilestoneList");

export const MilestoneQuery = z.object({
  metric: listParam(MILESTONE_METRICS).optional(),
  reached: doc(FlagParam.optional(), "Only milestones that are reached, or only those that are not."),
  ...pageParams,
});
export type MilestoneQuery = z.output<typeof MilestoneQuery>;

const threshold = doc(z.int().min(1).max(MAX_THRESHOLD), "The count to reach.", 2500);
const label = z
  .string()
  .transform((text) => text.replace(/\s+/g, " ").trim())
  .pipe(z.string().min(1).max(LABEL_CHARACTERS))
  .openapi({ minLength: 1, maxLength: LABEL_CHARACTERS });

export const NewMilestone = named(
  "NewMilestone",
  () => ({
    metric: Metric,
    threshold,
    label: doc(label.optional(), "Name of the milestone. Default: derived from metric and threshold."),
  }),
  {
    example: { metric: "subscribers", threshold: 2500, label: "Halfway to five thousand" },
  },
);
export type NewMilestone = z.output<typeof NewMilestone>;

export const MilestoneChanges = named(
  "MilestoneChanges",
  () => ({
    metric: Metric.optional(),
    threshold: threshold.optional(),
    label: doc(label.nullable().optional(), "Name of the milestone. Set to null to use the default label."),
  }),
  { example: { label: "Our first thousand" } },
);
export type MilestoneChanges = z.output<typeof MilestoneChanges>;

const counts = z.object({
  subscribers: doc(z.int().nullable(), "Highest subscriber count of all channels; null until one is reported.", 1012),
  viewers: doc(z.int(), "Current viewers.", 128),
  peakViewers: doc(z.int(), "Highest peak of all sessions.", 240),
});

export const MilestoneCheck = named("MilestoneCheck", () => ({
  counts: doc(counts, "The counts the milestones were checked against."),
  milestones: doc(z.array(Milestone), "Milestones reached by this check."),
  captions: doc(z.array(Caption), "Captions written about them."),
}));
export type MilestoneCheck = z.infer<typeof MilestoneCheck>;
