import { user } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { changePreferences, readPreferences } from "./preferences.ts";
import { NotificationChanges, NotificationPreferences } from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/profile/notifications", {
  operationId: "getNotificationPreferences",
  summary: "Get notification preferences",
  description: "Returns which emails the service sends you.",
  guard: user,
  returns: { 200: NotificationPreferences },
  ifNoneMatch: false,
  handle: ({ ctx }) => readPreferences(ctx),
});

routes.endpoint("patch", "/api/settings/profile/notifications", {
  operationId: "updateNotificationPreferences",
  summary: "Update notification preferences",
  description: "Changes which emails the service sends you. Members that you leave out keep their value.",
  guard: user,
  body: NotificationChanges,
  returns: { 200: NotificationPreferences },
  errors: ["not_found", "nothing_to_update"],
  ifMatch: true,
  handle: ({ ctx, body, ifMatch }) => changePreferences(ctx, body, ifMatch),
});
