import { z } from "@hono/zod-openapi";
import { MAX_CAPTION_CHARACTERS } from "../../../engine/captions/limits.ts";
import { Id, IdParam, listOf, listParam, pageParams, Timestamp } from "../../../http/schemas.ts";
import { CAPTION_KINDS, CAPTION_PLATFORMS, CAPTION_STATUSES } from "../../../lib/caption-kinds.ts";
import { Hashtags } from "../credentials/schemas.ts";

const Kind = z.enum(CAPTION_KINDS).openapi({ example: "go_live" });
const Platform = z.enum(CAPTION_PLATFORMS).openapi({ example: "discord" });
const Status = z.enum(CAPTION_STATUSES).openapi({ example: "pending" });

const Engine = z.object({
  kind: z.enum(["llm", "builtin"]).openapi({ example: "builtin" }),
  model: z.string().nullable().openapi({ example: null }),
  provider: z.string().nullable().openapi({ example: null }),
  upstreamModel: z.string().nullable().openapi({ example: null }),
  fallbackReason: z.string().nullable().openapi({ example: null }),
});

export const Caption = z
  .object({
    id: Id,
    sessionId: Id.nullable().openapi({ description: "The stream it is about." }),
    milestoneId: Id.nullable().openapi({ description: "The milestone it celebrates." }),
    kind: Kind,
    platform: Platform,
    text: z.string().openapi({ example: "We are live now: “Building a compiler”.\n\nWatch: https://youtu.be/abc" }),
    hashtags: z
      .array(z.string())
      .openapi({ example: ["live"], description: "Posted below the text, on a line of their own." }),
    status: Status,
    uncertain: z.boolean().openapi({
      example: false,
      description:
        "With `failed`: it was sent and no answer came, so it may be there. Look before you approve it again.",
    }),
    postUrl: z.string().nullable().openapi({ example: "https://x.com/i/web/status/1", description: "Where it is." }),
    error: z.string().nullable().openapi({ example: null, description: "Why the last try failed." }),
    retryAt: Timestamp.nullable().openapi({ description: "When the platform said it would take a post again." }),
    attempts: z.int().openapi({ example: 0, description: "How often it was sent." }),
    engine: Engine.openapi({ description: "Who wrote it." }),
    postedAt: Timestamp.nullable(),
    version: z.int().openapi({ example: 1, description: "Rises with every change; also the ETag." }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .openapi("Caption");

export type Caption = z.infer<typeof Caption>;

export const CaptionList = listOf(Caption, "CaptionList");
export const CaptionParams = z.object({ id: IdParam });

export const CaptionQuery = z.object({
  status: listParam(CAPTION_STATUSES).optional(),
  platform: listParam(CAPTION_PLATFORMS).optional(),
  sessionId: IdParam.optional(),
  ...pageParams,
});

export type CaptionQuery = z.output<typeof CaptionQuery>;

export const PendingQuery = z.object({
  platform: listParam(CAPTION_PLATFORMS).optional(),
  sessionId: IdParam.optional(),
  ...pageParams,
});

export const NewCaptions = z
  .object({
    kind: Kind,
    sessionId: Id.optional().openapi({
      description: "The stream; without it the one that is live (`go_live`) or ended last (`end`).",
    }),
    milestoneId: Id.optional().openapi({ description: "Required for `milestone`." }),
    platforms: z
      .array(Platform)
      .min(1)
      .transform((list) => [...new Set(list)])
      .optional()
      .openapi({
        type: "array",
        items: { type: "string", enum: [...CAPTION_PLATFORMS] },
        example: ["discord", "x"],
        description: "Which platforms to write for; those with a credential when left out.",
      }),
    notes: z
      .string()
      .trim()
      .max(1000)
      .optional()
      .openapi({ example: "Ada joins us at nine.", description: "What the captions should also say." }),
  })
  .openapi("NewCaptions");

export const WrittenCaptions = z
  .object({
    data: z.array(Caption).openapi({ description: "All captions of the occasion for the platforms asked for." }),
    written: z.int().openapi({ example: 2, description: "How many of them were written just now." }),
    kept: z
      .int()
      .openapi({ example: 0, description: "How many a person has decided on already, and were left alone." }),
  })
  .openapi("WrittenCaptions");

const text = z
  .string()
  .trim()
  .min(1)
  .max(MAX_CAPTION_CHARACTERS)
  .openapi({ example: "We are live! https://youtu.be/abc" });

export const CaptionChanges = z
  .object({ text: text.optional(), hashtags: Hashtags.optional() })
  .openapi("CaptionChanges");

export type CaptionChanges = z.output<typeof CaptionChanges>;

export const CaptionDecision = z
  .object({
    captionId: Id,
    action: z.enum(["approve", "skip", "restore"]).openapi({
      example: "approve",
      description: "`restore` brings a skipped caption back to `pending`.",
    }),
    text: text.optional().openapi({ description: "Takes the place of the text, in the same step." }),
  })
  .openapi("CaptionDecision");

export type CaptionDecision = z.output<typeof CaptionDecision>;

const MAX_IDS = 500;

export const BulkDecision = z
  .object({
    ids: z
      .array(Id)
      .min(1)
      .max(MAX_IDS)
      .optional()
      .openapi({ example: [1, 2], description: "Every pending caption when left out." }),
    status: z.enum(["approved", "skipped"]).openapi({ example: "approved" }),
  })
  .openapi("BulkCaptionDecision");

export const BulkDecided = z
  .object({
    updated: z.int().openapi({ example: 2 }),
    ids: z.array(Id).openapi({ example: [1, 2] }),
    notPending: z
      .array(Id)
      .openapi({ example: [], description: "Those of the given ids that are not pending, or not there; left alone." }),
  })
  .openapi("BulkCaptionDecided");

export const DispatchOrder = z
  .object({
    captionIds: z
      .array(Id)
      .min(1)
      .max(50)
      .transform((ids) => [...new Set(ids)])
      .optional()
      .openapi({
        type: "array",
        items: { type: "integer" },
        maxItems: 50,
        example: [1],
        description: "Every approved caption when left out, oldest first.",
      }),
  })
  .openapi("DispatchOrder");

const DispatchResult = z.object({
  captionId: Id,
  platform: Platform.nullable().openapi({ description: "null when there is no such caption." }),
  result: z.enum(["posted", "failed", "not_posted"]).openapi({
    example: "posted",
    description: "`not_posted`: nothing was sent and the caption is as it was; `error` says why.",
  }),
  uncertain: z.boolean().openapi({ example: false }),
  postUrl: z.string().nullable().openapi({ example: "https://x.com/i/web/status/1" }),
  error: z.string().nullable().openapi({ example: null }),
  retryAt: Timestamp.nullable(),
});

export type DispatchResult = z.infer<typeof DispatchResult>;

export const Dispatched = z
  .object({
    results: z.array(DispatchResult),
    posted: z.int().openapi({ example: 1 }),
    failed: z.int().openapi({ example: 0 }),
    notPosted: z.int().openapi({ example: 0 }),
    more: z.boolean().openapi({ example: false, description: "There are further approved captions: dispatch again." }),
  })
  .openapi("Dispatched");

export type Dispatched = z.infer<typeof Dispatched>;
