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
      "By metric, the smallest first. 100, 500, 1,000, 5,000, 10,000 and 50,000 subscribers are there from the start.",
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
    summary: "Set a milestone",
    description:
      "It is reached by the next report that comes to it, on any platform, once and for ever. Of each metric and threshold there is one.",
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
    summary: "Hold the known counts against the milestones",
    description: "Reports do this by themselves; this is for milestones set after the counts had passed them.",
    guard: write,
    returns: { 200: MilestoneCheck },
    idempotent: true,
  }),
  async (c) => c.json(await checkMilestones(contextOf(c)), 200),
);

routes.openapi(
  route("get", "/api/stream/milestones/{id}", {
    operationId: "getMilestone",
    summary: "Read a milestone",
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
    summary: "Change a milestone",
    description:
      "Once it is reached only its label can change. A label of null is said from metric and threshold again.",
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
    summary: "The milestone as a picture to share",
    description:
      "1200 × 630, complete in itself. While the milestone is ahead, it shows the way to it. `If-None-Match` with the ETag of the last answer gives 304 when nothing changed.",
    guard: read,
    params: MilestoneParams,
    returns: { 200: { type: "image/svg+xml", description: "The picture" }, 304: null },
    errors: ["not_found"],
  }),
  async (c) => {
    const ctx = contextOf(c);
    const picture = await drawCard(ctx, c.req.valid("param").id);
    // Where a credential is needed, nobody keeps an answer.
    if (ctx.config.ACCESS_MODE === "open") c.header("Cache-Control", "public, max-age=60");
    if (isNotModified(c, sha256Hex(picture).slice(0, 32))) return c.body(null, 304);
    return c.body(picture, 200, { "Content-Type": "image/svg+xml; charset=utf-8" });
  },
);
