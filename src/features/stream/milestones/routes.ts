import { isNotModified } from "../../../http/etag.ts";
import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { Milestone, MilestoneChanges, MilestoneCheck, MilestoneList, MilestoneQuery, NewMilestone } from "./schemas.ts";
import {
  checkMilestones,
  createMilestone,
  deleteMilestone,
  drawCard,
  getMilestone,
  listMilestones,
  updateMilestone,
} from "./service.ts";

export const routes = createRouter();
const read = data("stream:read");
const write = data("stream:write");

routes.endpoint("get", "/api/stream/milestones", {
  operationId: "listMilestones",
  summary: "List milestones",
  description:
    "Returns milestones by metric, smallest first. A new installation has 100, 500, 1,000, 5,000, 10,000 and 50,000 subscribers.",
  guard: read,
  query: MilestoneQuery,
  returns: { 200: MilestoneList },
  handle: ({ ctx, query }) => listMilestones(ctx, query),
});

routes.endpoint("post", "/api/stream/milestones", {
  operationId: "createMilestone",
  summary: "Create a milestone",
  description:
    "The first report on any platform with this count reaches it, once. If the current count is already there, the " +
    "milestone is `passedBefore` and not celebrated. Each combination of metric and threshold exists once.",
  guard: write,
  body: NewMilestone,
  returns: { 201: Milestone },
  errors: ["milestone_exists"],
  idempotent: true,
  handle: ({ ctx, body }) => createMilestone(ctx, body),
});

routes.endpoint("post", "/api/stream/milestones/check", {
  operationId: "checkMilestones",
  summary: "Check milestones against current counts",
  description: "Every report does this automatically. Use this endpoint to make sure that none was missed.",
  guard: write,
  returns: { 200: MilestoneCheck },
  idempotent: true,
  handle: ({ ctx }) => checkMilestones(ctx),
});

routes.endpoint("get", "/api/stream/milestones/{id}", {
  operationId: "getMilestone",
  summary: "Get a milestone",
  description: "Returns one milestone and whether it is reached.",
  guard: read,
  returns: { 200: Milestone },
  handle: ({ ctx, params }) => getMilestone(ctx, params.id),
});

routes.endpoint("patch", "/api/stream/milestones/{id}", {
  operationId: "updateMilestone",
  summary: "Update a milestone",
  description:
    "Once a milestone is reached, only its label can change. Set the label to null to use the default label.",
  guard: write,
  body: MilestoneChanges,
  returns: { 200: Milestone },
  errors: ["nothing_to_update", "milestone_exists", "milestone_reached"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateMilestone(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/stream/milestones/{id}", {
  operationId: "deleteMilestone",
  summary: "Delete a milestone",
  description: "Captions about it are kept.",
  guard: write,
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteMilestone(ctx, params.id, ifMatch),
});

routes.endpoint("get", "/api/stream/milestones/{id}/card.svg", {
  operationId: "getMilestoneCard",
  summary: "Get a milestone card",
  description:
    "Returns an SVG image of 1200 × 630 to share. Until the milestone is reached, it shows the progress. Send `If-None-Match` with the last ETag to get 304 if nothing changed.",
  guard: read,
  returns: { 200: { type: "image/svg+xml", description: "The image" }, 304: null },
  handle: async ({ c, ctx, params }) => {
    const card = await drawCard(ctx, params.id);
    // A response that needs a credential must not be cached.
    if (ctx.config.ACCESS_MODE === "open") c.header("Cache-Control", "public, max-age=60");
    if (isNotModified(c, sha256Hex(card).slice(0, 32))) return c.body(null, 304);
    return c.body(card, 200, { "Content-Type": "image/svg+xml; charset=utf-8" });
  },
});
