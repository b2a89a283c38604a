import { user } from "../../../../http/guards.ts";
import { createRouter } from "../../../../http/router.ts";
import { deleteDevice, isKnownDevice, listDevices, subscribeDevice } from "./devices.ts";
import { NewPushSubscription, PushDevice, PushSettings } from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/notifications/push", {
  operationId: "getPushSettings",
  summary: "List push devices",
  description: "Returns the key that browsers subscribe with, and the devices that get your reminders by Web Push.",
  guard: user,
  returns: { 200: PushSettings },
  handle: ({ ctx }) => listDevices(ctx),
});

routes.endpoint("post", "/api/settings/notifications/push", {
  operationId: "subscribeDevice",
  summary: "Subscribe a device",
  description:
    "Sends your reminders to this browser by Web Push. Sending the same subscription again updates the device. A " +
    "device is deleted when its push service reports it gone or its session ends. You are notified of a new device " +
    "by email.",
  guard: user,
  reauth: { rule: "recent", unless: isKnownDevice },
  body: NewPushSubscription,
  returns: { 200: PushDevice },
  errors: ["push_not_configured", "conflict"],
  handle: ({ ctx, body }) => subscribeDevice(ctx, body),
});

routes.endpoint("delete", "/api/settings/notifications/push/{id}", {
  operationId: "deleteDevice",
  summary: "Delete a push device",
  description: "The device gets no more reminders.",
  guard: user,
  returns: { 204: null },
  handle: ({ ctx, params }) => deleteDevice(ctx, params.id),
});
