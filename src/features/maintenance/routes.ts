import { contextOf } from "../../http/app-env.ts";
import { owner } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { RecountRequest, RecountResult } from "./schemas.ts";
import { recountPart } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/service/recount", {
    operationId: "recount",
    summary: "Check and repair counters",
    description:
      "Compares all counters, sums, tag lists and search indexes with the records they are made from, and corrects them " +
      "with `repair`. Safe while the service is in use. Large databases take several calls: repeat with `after` until " +
      "`next` is null.",
    guard: owner,
    body: RecountRequest,
    returns: { 200: RecountResult },
  }),
  async (c) => c.json(await recountPart(contextOf(c), c.req.valid("json")), 200),
);
