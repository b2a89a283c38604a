import { contextOf } from "../../../http/app-env.ts";
import { ifMatch, withETag } from "../../../http/etag.ts";
import { data } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter } from "../../../http/router.ts";
import { CAPTION_MOVES_TEXT } from "../../../lib/caption-kinds.ts";
import { dispatchCaptions } from "./dispatch.ts";
import { generateCaptions } from "./generate.ts";
import { listCaptions } from "./list.ts";
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
import { decideCaption, decidePending, editCaption, getCaption } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/stream/captions/generate", {
    operationId: "generateCaptions",
    summary: "Write captions",
    description:
      "One caption for each connected platform, in its voice and within its limits, by the active model or the built-in writer. Again, it writes anew what is still pending and leaves alone what has been decided on. A voice with `autoApprove` makes captions that start approved.",
    guard: data("stream:write"),
    rateLimit: "expensive",
    body: NewCaptions,
    returns: { 200: WrittenCaptions },
    errors: ["no_platform_connected", "misconfigured"],
    idempotent: true,
  }),
  async (c) => c.json(await generateCaptions(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("get", "/api/stream/captions", {
    operationId: "listCaptions",
    summary: "List captions",
    description: "Newest first. All filters given must hold.",
    guard: data("stream:read"),
    query: CaptionQuery,
    returns: { 200: CaptionList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listCaptions(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/stream/captions/pending", {
    operationId: "listPendingCaptions",
    summary: "Captions that wait for a decision",
    description: "Newest first.",
    guard: data("stream:read"),
    query: PendingQuery,
    returns: { 200: CaptionList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listCaptions(contextOf(c), { ...c.req.valid("query"), status: ["pending"] }), 200),
);

routes.openapi(
  route("patch", "/api/stream/captions/pending", {
    operationId: "decidePendingCaptions",
    summary: "Approve or skip many at once",
    description: "Those of the ids that are pending, or every pending caption. One statement: each is decided once.",
    guard: data("stream:write"),
    body: BulkDecision,
    returns: { 200: BulkDecided },
  }),
  async (c) => c.json(await decidePending(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("post", "/api/stream/captions/approve", {
    operationId: "decideCaption",
    summary: "Approve, skip or restore a caption",
    description: `What may follow what: ${CAPTION_MOVES_TEXT}. The same decision again changes nothing. Approving a \`failed\` caption is how it is posted again; with \`uncertain\` look at the platform first.`,
    guard: data("stream:write"),
    body: CaptionDecision,
    returns: { 200: Caption },
    errors: ["not_found", "invalid_transition", "conflict"],
    idempotent: true,
    ifMatch: true,
  }),
  async (c) => c.json(withETag(c, await decideCaption(contextOf(c), c.req.valid("json"), ifMatch(c))), 200),
);

routes.openapi(
  route("post", "/api/stream/captions/dispatch", {
    operationId: "dispatchCaptions",
    summary: "Post what is approved",
    description:
      "Each caption is claimed before it is sent, so parallel dispatches post it once. A platform that asks to slow down is waited for a few seconds. A post whose answer never came is `failed` and `uncertain`, and is sent again only after a person has approved it again. Up to 50 at a time.",
    guard: data("stream:write"),
    rateLimit: "expensive",
    body: DispatchOrder,
    returns: { 200: Dispatched },
    errors: ["misconfigured"],
    idempotent: true,
  }),
  async (c) => c.json(await dispatchCaptions(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("get", "/api/stream/captions/{id}", {
    operationId: "getCaption",
    summary: "Read a caption",
    guard: data("stream:read"),
    params: CaptionParams,
    returns: { 200: Caption },
    errors: ["not_found"],
  }),
  async (c) => c.json(withETag(c, await getCaption(contextOf(c), c.req.valid("param").id)), 200),
);

routes.openapi(
  route("patch", "/api/stream/captions/{id}", {
    operationId: "editCaption",
    summary: "Edit a caption",
    description:
      "Changes text or hashtags of a caption that is pending, approved or failed; its status stays. What the platform would not take is refused.",
    guard: data("stream:write"),
    params: CaptionParams,
    body: CaptionChanges,
    returns: { 200: Caption },
    errors: ["not_found", "nothing_to_update", "conflict"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await editCaption(contextOf(c), id, c.req.valid("json"), ifMatch(c))), 200);
  },
);
