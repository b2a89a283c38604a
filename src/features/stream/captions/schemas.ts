import { z } from "@hono/zod-openapi";
import {
  doc,
  Id,
  IdParam,
  listOf,
  listParam,
  named,
  pageParams,
  Timestamp,
  versionFields,
} from "../../../http/schemas.ts";
import { CAPTION_KINDS, CAPTION_PLATFORMS, CAPTION_STATUSES } from "../../../lib/caption-kinds.ts";
import { MAX_CAPTION_CHARACTERS } from "../../../lib/caption-limits.ts";
import { readBy } from "../../../lib/receipts.ts";
import { Engine } from "../../ai-models/schemas.ts";
import { Hashtags } from "../credentials/schemas.ts";

const Kind = doc(z.enum(CAPTION_KINDS), "What the caption announces.", "go_live");
const Platform = doc(z.enum(CAPTION_PLATFORMS), "Where the caption is posted.", "discord");
const CaptionId = doc(Id, "Id of the caption.", 7);
const POST_URL = "https://x.com/i/web/status/1";

export const Caption = named("Caption", () => ({
  id: CaptionId,
  sessionId: doc(Id.nullable(), "Id of the session the caption is about."),
  milestoneId: doc(Id.nullable(), "Id of the milestone the caption is about.", null),
  kind: Kind,
  platform: Platform,
  text: doc(z.string(), "Text of the post.", "We are live now: “Building a compiler”.\n\nWatch: https://youtu.be/abc"),
  hashtags: doc(z.array(z.string()), "Hashtags, posted on their own line below the text.", ["live"]),
  status: doc(z.enum(CAPTION_STATUSES), "Status of the caption.", "pending"),
  uncertain: doc(
    z.boolean(),
    "With `failed`: no response came, so the post may exist. Check the platform before you approve it again.",
    false,
  ),
  postUrl: doc(z.string().nullable(), "Address of the post.", POST_URL),
  error: doc(z.string().nullable(), "Why the last attempt failed.", null),
  retryAt: doc(Timestamp.nullable(), "When the platform accepts posts again."),
  attempts: doc(z.int(), "How often it was sent.", 0),
  engine: Engine,
  postedAt: doc(Timestamp.nullable(), "When it was posted."),
  ...versionFields,
}));
readBy("stream:read", Caption);
export type Caption = z.infer<typeof Caption>;

export const CaptionList = listOf(Caption, "CaptionList");
export const CaptionParams = z.object({ id: doc(IdParam, "Id of the caption.", 7) });

export const PendingQuery = z.object({
  platform: listParam(CAPTION_PLATFORMS).optional(),
  sessionId: IdParam.optional().openapi({ description: "Only captions about this session.", example: undefined }),
  ...pageParams,
});

export const CaptionQuery = z.object({ status: listParam(CAPTION_STATUSES).optional(), ...PendingQuery.shape });
export type CaptionQuery = z.output<typeof CaptionQuery>;

export const NewCaptions = named(
  "NewCaptions",
  () => ({
    kind: Kind,
    sessionId: doc(
      Id.optional(),
      "Id of the session. Default: the live session for `go_live`, the last ended one for `end`.",
    ),
    milestoneId: doc(Id.optional(), "Id of the milestone. Required for `milestone`."),
    platforms: z
      .array(Platform)
      .min(1)
      .transform((list) => [...new Set(list)])
      .optional()
      .openapi({
        type: "array",
        items: { type: "string", enum: [...CAPTION_PLATFORMS] },
        description: "Platforms to write for. Default: the connected ones.",
      }),
    notes: doc(z.string().trim().max(1000).optional(), "What the captions should also mention."),
  }),
  { example: { kind: "end", platforms: ["discord", "x"], notes: "Ada joined us at nine." } },
);
export type NewCaptions = z.output<typeof NewCaptions>;

export const WrittenCaptions = named("WrittenCaptions", () => ({
  data: doc(z.array(Caption), "All captions about this stream or milestone for the requested platforms."),
  written: doc(z.int(), "Number of captions written by this request.", 2),
  kept: doc(z.int(), "Number of captions already approved, skipped or posted, which were not changed.", 0),
}));
export type WrittenCaptions = z.infer<typeof WrittenCaptions>;

const text = z.string().trim().min(1).max(MAX_CAPTION_CHARACTERS);

export const CaptionChanges = z
  .object({ text: doc(text.optional(), "New text."), hashtags: Hashtags.optional() })
  .openapi("CaptionChanges", { example: { text: "Thank you for watching! https://youtu.be/abc", hashtags: ["live"] } });
export type CaptionChanges = z.output<typeof CaptionChanges>;

export const CaptionDecision = named(
  "CaptionDecision",
  () => ({
    captionId: CaptionId,
    action: doc(
      z.enum(["approve", "skip", "restore"]),
      "`restore` sets a skipped caption back to `pending`.",
      "approve",
    ),
    text: doc(text.optional(), "Replaces the text in the same step."),
  }),
  { example: { captionId: 7, action: "approve" } },
);
export type CaptionDecision = z.output<typeof CaptionDecision>;

const MAX_IDS = 500;

export const BulkDecision = named(
  "BulkCaptionDecision",
  () => ({
    ids: doc(z.array(Id).min(1).max(MAX_IDS).optional(), "Ids of the captions. Default: every pending caption."),
    status: doc(z.enum(["approved", "skipped"]), "New status.", "approved"),
  }),
  { example: { ids: [7, 8], status: "approved" } },
);
export type BulkDecision = z.output<typeof BulkDecision>;

export const BulkDecided = named("BulkCaptionDecided", () => ({
  updated: doc(z.int(), "Number of captions changed.", 2),
  ids: doc(z.array(Id), "Ids of the captions changed.", [7, 8]),
  notPending: doc(z.array(Id), "Requested ids that are not pending or do not exist. They were not changed.", []),
}));
export type BulkDecided = z.infer<typeof BulkDecided>;

export const DispatchOrder = named(
  "DispatchOrder",
  () => ({
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
        description: "Ids of the captions to post. Default: every approved caption, oldest first.",
      }),
  }),
  { example: { captionIds: [6] } },
);
export type DispatchOrder = z.output<typeof DispatchOrder>;

const DispatchResult = z.object({
  captionId: CaptionId,
  platform: doc(Platform.nullable(), "Where it was posted; null if there is no such caption."),
  result: doc(
    z.enum(["posted", "failed", "not_posted"]),
    "`not_posted`: nothing was sent and the caption is unchanged; `error` says why.",
    "posted",
  ),
  uncertain: doc(z.boolean(), "No response came, so the post may exist.", false),
  postUrl: doc(z.string().nullable(), "Address of the post.", POST_URL),
  error: doc(z.string().nullable(), "Why it was not posted.", null),
  retryAt: doc(Timestamp.nullable(), "When the platform accepts posts again."),
});
export type DispatchResult = z.infer<typeof DispatchResult>;

export const Dispatched = named("Dispatched", () => ({
  results: doc(z.array(DispatchResult), "One result for each caption."),
  posted: doc(z.int(), "Number of captions posted.", 1),
  failed: doc(z.int(), "Number of captions the platform did not accept.", 0),
  notPosted: doc(z.int(), "Number of captions that were not sent.", 0),
  more: doc(z.boolean(), "Whether more approved captions are waiting. Dispatch again to post them.", false),
}));
export type Dispatched = z.infer<typeof Dispatched>;
