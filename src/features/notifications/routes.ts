import { contextOf } from "../../http/app-env.ts";
import { ifMatch, withETag } from "../../http/etag.ts";
import { user } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { changePreferences, readPreferences } from "./preferences.ts";
import { NotificationChanges, NotificationPreferences } from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/profile/notifications", {
    operationId: "getNotificationPreferences",
    summary: "Get notification preferences",
    description: "Returns which emails the service sends you.",
    guard: user,
    returns: { 200: NotificationPreferences },
    ifNoneMatch: false,
  }),
  async (c) => c.json(withETag(c, await readPreferences(contextOf(c))), 200),
);

routes.openapi(
  route("patch", "/api/settings/profile/notifications", {
    operationId: "updateNotificationPreferences",
    summary: "Update notification preferences",
    description: "Changes which emails the service sends you. Members that you leave out keep their value.",
    guard: user,
    body: NotificationChanges,
    returns: { 200: NotificationPreferences },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => c.json(withETag(c, await changePreferences(contextOf(c), c.req.valid("json"), ifMatch(c))), 200),
);
