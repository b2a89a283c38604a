import { z } from "@hono/zod-openapi";
import { FlagParam, Id, IdParam, listOf, listParam, pageParams, Timestamp } from "../../../http/schemas.ts";
import { MILESTONE_METRICS, STREAM_PLATFORMS } from "../../../lib/stream-session.ts";
import { Caption } from "../captions/schemas.ts";

const LABEL_CHARACTERS = 80;
const MAX_THRESHOLD = 10_000_000_000;

const Metric = z.enum(MILESTONE_METRICS).openapi({ example: "subscribers" });

export const Milestone = z
  .object({
    id: Id,
    metric: Metric.openapi({ description: "`viewers` is those watching at once, `peak_viewers` the most so far." }),
    threshold: z.int().openapi({ example: 1000 }),
    label: z.string().openapi({ example: "1,000 subscribers" }),
    reached: z.boolean().openapi({ example: true }),
    reachedAt: Timestamp.nullable().openapi({ description: "Set once, ever." }),
    reachedValue: z.int().nullable().openapi({ example: 1012, description: "The count that reached it." }),
    platform: z.enum(STREAM_PLATFORMS).nullable().openapi({ example: "youtube", description: "Where it was reached." }),
    sessionId: Id.nullable().openapi({ description: "The session that was live then." }),
    version: z.int().openapi({ example: 2, description: "Rises with every change; also the ETag." }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .openapi("Milestone");

export type Milestone = z.infer<typeof Milestone>;

export const MilestoneList = listOf(Milestone, "MilestoneList");

export const MilestoneParams = z.object({ id: IdParam });

export const MilestoneQuery = z.object({
  metric: listParam(MILESTONE_METRICS).optional(),
  reached: FlagParam.optional().openapi({ description: "Only those reached, or only those ahead." }),
  ...pageParams,
});

export type MilestoneQuery = z.output<typeof MilestoneQuery>;

const threshold = z.int().min(1).max(MAX_THRESHOLD).openapi({ example: 2500 });
const label = z
  .string()
  .transform((text) => text.replace(/\s+/g, " ").trim())
  .pipe(z.string().min(1).max(LABEL_CHARACTERS))
  .openapi({ minLength: 1, maxLength: LABEL_CHARACTERS, example: "Halfway to five thousand" });

export const NewMilestone = z
  .object({
    metric: Metric,
    threshold,
    label: label.optional().openapi({ description: "Said from metric and threshold when left out." }),
  })
  .openapi("NewMilestone");

export type NewMilestone = z.output<typeof NewMilestone>;

export const MilestoneChanges = z
  .object({ metric: Metric.optional(), threshold: threshold.optional(), label: label.nullable().optional() })
  .openapi("MilestoneChanges");

export type MilestoneChanges = z.output<typeof MilestoneChanges>;

export const MilestoneCheck = z
  .object({
    counts: z
      .object({
        subscribers: z.int().nullable().openapi({ example: 1012 }),
        viewers: z.int().openapi({ example: 128 }),
        peakViewers: z.int().openapi({ example: 240 }),
      })
      .openapi({ description: "What the milestones were held against." }),
    milestones: z.array(Milestone).openapi({ description: "Those reached by this check." }),
    captions: z.array(Caption).openapi({ description: "The posts written to celebrate them." }),
  })
  .openapi("MilestoneCheck");

export type MilestoneCheck = z.infer<typeof MilestoneCheck>;
