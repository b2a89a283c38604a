import { contextOf } from "../../../http/app-env.ts";
import { ifMatch, isNotModified, withETag } from "../../../http/etag.ts";
import { data } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import {
  Milestone,
  MilestoneChanges,
  MilestoneCheck,
  MilestoneList,
  MilestoneParams,
  MilestoneQuery,
  NewMilestone,
} from "./schemas.ts";
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

routes.openapi(
  route("get", "/api/stream/milestones", {
    operationId: "listMilestones",
    summary: "List milestones",
    description:
      "Returns milestones by metric, smallest first. A new installation has 100, 500, 1,000, 5,000, 10,000 and 50,000 subscribers.",
    guard: read,
    query: MilestoneQuery,
    returns: { 200: MilestoneList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listMilestones(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/stream/milestones", {
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
  }),
  async (c) => c.json(withETag(c, await createMilestone(contextOf(c), c.req.valid("json"))), 201),
);

routes.openapi(
  route("post", "/api/stream/milestones/check", {
    operationId: "checkMilestones",
    summary: "Check milestones against current counts",
    description: "Every report does this automatically. Use this endpoint to make sure that none was missed.",
    guard: write,
    returns: { 200: MilestoneCheck },
    idempotent: true,
  }),
  async (c) => c.json(await checkMilestones(contextOf(c)), 200),
);

routes.openapi(
  route("get", "/api/stream/milestones/{id}", {
    operationId: "getMilestone",
    summary: "Get a milestone",
    description: "Returns one milestone and whether it is reached.",
    guard: read,
    params: MilestoneParams,
    returns: { 200: Milestone },
    errors: ["not_found"],
  }),
  async (c) => c.json(withETag(c, await getMilestone(contextOf(c), c.req.valid("param").id)), 200),
);

routes.openapi(
  route("patch", "/api/stream/milestones/{id}", {
    operationId: "updateMilestone",
    summary: "Update a milestone",
    description:
      "Once a milestone is reached, only its label can change. Set the label to null to use the default label.",
    guard: write,
    params: MilestoneParams,
    body: MilestoneChanges,
    returns: { 200: Milestone },
    errors: ["not_found", "nothing_to_update", "milestone_exists", "milestone_reached"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await updateMilestone(contextOf(c), id, c.req.valid("json"), ifMatch(c))), 200);
  },
);

routes.openapi(
  route("delete", "/api/stream/milestones/{id}", {
    operationId: "deleteMilestone",
    summary: "Delete a milestone",
    description: "Captions about it are kept.",
    guard: write,
    params: MilestoneParams,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => noContent(c, await deleteMilestone(contextOf(c), c.req.valid("param").id, ifMatch(c))),
);

routes.openapi(
  route("get", "/api/stream/milestones/{id}/card.svg", {
    operationId: "getMilestoneCard",
    summary: "Get a milestone card",
    description:
      "Returns an SVG image of 1200 × 630 to share. Until the milestone is reached, it shows the progress. Send `If-None-Match` with the last ETag to get 304 if nothing changed.",
    guard: read,
    params: MilestoneParams,
    returns: { 200: { type: "image/svg+xml", description: "The image" }, 304: null },
    errors: ["not_found"],
  }),
  async (c) => {
    const ctx = contextOf(c);
    const card = await drawCard(ctx, c.req.valid("param").id);
    // A response that needs a credential must not be cached.
    if (ctx.config.ACCESS_MODE === "open") c.header("Cache-Control", "public, max-age=60");
    if (isNotModified(c, sha256Hex(card).slice(0, 32))) return c.body(null, 304);
    return c.body(card, 200, { "Content-Type": "image/svg+xml; charset=utf-8" });
  },
);
