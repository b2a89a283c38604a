import { contextOf } from "../../../http/app-env.ts";
import { ifMatch, withETag } from "../../../http/etag.ts";
import { user } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter } from "../../../http/router.ts";
import { NewWorkingHours, WorkingHours } from "./schemas.ts";
import { readWorkingHours, setWorkingHours } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/profile/working-hours", {
    operationId: "getWorkingHours",
    summary: "Get your working hours",
    description: "Returns Monday to Friday, 09:00 to 17:00, until you set your own.",
    guard: user,
    returns: { 200: WorkingHours },
    ifNoneMatch: false,
  }),
  async (c) => c.json(withETag(c, await readWorkingHours(contextOf(c))), 200),
);

routes.openapi(
  route("put", "/api/settings/profile/working-hours", {
    operationId: "setWorkingHours",
    summary: "Set your working hours",
    description: "Replaces the whole week. Free slots are only offered within these hours.",
    guard: user,
    body: NewWorkingHours,
    returns: { 200: WorkingHours },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => c.json(withETag(c, await setWorkingHours(contextOf(c), c.req.valid("json"), ifMatch(c))), 200),
);
