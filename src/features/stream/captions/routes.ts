import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { CAPTION_MOVES_TEXT } from "../../../lib/caption-kinds.ts";
import { dispatchCaptions } from "./dispatch.ts";
import {
  BulkDecided,
  BulkDecision,
  Caption,
  CaptionChanges,
  CaptionDecision,
  CaptionList,
  CaptionParams,
  CaptionQuery,
  Dispatched,
  DispatchOrder,
  NewCaptions,
  PendingQuery,
  WrittenCaptions,
} from "./schemas.ts";
import { decideCaption, decidePending, editCaption, getCaption, listCaptions } from "./service.ts";
import { generateCaptions } from "./write.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/stream/captions/generate", {
  operationId: "generateCaptions",
  summary: "Write captions",
  description:
    "Writes one caption for each connected platform, in its voice and within its limits, with the active model or the built-in writer, and waits for the model. Repeating it rewrites pending captions; approved, skipped and posted ones stay. With `autoApprove` in the voice, new captions are approved at once.",
  guard: data("stream:write"),
  rateLimit: "expensive",
  body: NewCaptions,
  returns: { 200: WrittenCaptions },
  errors: ["no_platform_connected", "misconfigured"],
  idempotent: true,
  handle: ({ ctx, body }) => generateCaptions(ctx, body),
});

routes.endpoint("get", "/api/stream/captions", {
  operationId: "listCaptions",
  summary: "List captions",
  description: "Returns captions newest first. A caption must match all filters.",
  guard: data("stream:read"),
  query: CaptionQuery,
  returns: { 200: CaptionList },
  handle: ({ ctx, query }) => listCaptions(ctx, query),
});

routes.endpoint("get", "/api/stream/captions/pending", {
  operationId: "listPendingCaptions",
  summary: "List pending captions",
  description: "Returns the captions to approve or skip, newest first.",
  guard: data("stream:read"),
  query: PendingQuery,
  returns: { 200: CaptionList },
  handle: ({ ctx, query }) => listCaptions(ctx, { ...query, status: ["pending"] }),
});

routes.endpoint("patch", "/api/stream/captions/pending", {
  operationId: "decidePendingCaptions",
  summary: "Approve or skip pending captions",
  description: "Changes the given captions that are pending, or every pending caption.",
  guard: data("stream:write"),
  body: BulkDecision,
  returns: { 200: BulkDecided },
  handle: ({ ctx, body }) => decidePending(ctx, body),
});

routes.endpoint("post", "/api/stream/captions/approve", {
  operationId: "decideCaption",
  summary: "Approve, skip or restore a caption",
  description: `Allowed status changes: ${CAPTION_MOVES_TEXT}. Repeating a decision changes nothing. Approve a \`failed\` caption to post it again; if it is \`uncertain\`, check the platform first.`,
  guard: data("stream:write"),
  body: CaptionDecision,
  returns: { 200: Caption },
  errors: ["not_found", "invalid_transition", "conflict"],
  idempotent: true,
  ifMatch: true,
  handle: ({ ctx, body, ifMatch }) => decideCaption(ctx, body, ifMatch),
});

routes.endpoint("post", "/api/stream/captions/dispatch", {
  operationId: "dispatchCaptions",
  summary: "Post approved captions",
  description:
    "Posts up to 50 captions. Parallel dispatches post each caption once. If a platform limits the rate, the request waits a few seconds. A post without a response becomes `failed` and `uncertain`; it is sent again only after a person has approved it again.",
  guard: data("stream:write"),
  derivesFrom: ["stream:read"],
  rateLimit: "expensive",
  body: DispatchOrder,
  returns: { 200: Dispatched },
  errors: ["misconfigured"],
  idempotent: true,
  handle: ({ ctx, body }) => dispatchCaptions(ctx, body),
});

routes.endpoint("get", "/api/stream/captions/{id}", {
  operationId: "getCaption",
  summary: "Get a caption",
  description: "Returns one caption with its status.",
  guard: data("stream:read"),
  params: CaptionParams,
  returns: { 200: Caption },
  handle: ({ ctx, params }) => getCaption(ctx, params.id),
});

routes.endpoint("patch", "/api/stream/captions/{id}", {
  operationId: "editCaption",
  summary: "Update a caption",
  description:
    "Changes the text or hashtags of a pending, approved or failed caption; its status stays. Returns 422 if the platform's limits are exceeded.",
  guard: data("stream:write"),
  params: CaptionParams,
  body: CaptionChanges,
  returns: { 200: Caption },
  errors: ["nothing_to_update", "conflict"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => editCaption(ctx, params.id, body, ifMatch),
});
