import { contextOf } from "../../../../http/app-env.ts";
import { user } from "../../../../http/guards.ts";
import { withoutProof } from "../../../../http/reauth.ts";
import { route } from "../../../../http/route.ts";
import { createRouter, noContent } from "../../../../http/router.ts";
import { deleteDevice, isKnownDevice, listDevices, subscribeDevice } from "./devices.ts";
import { NewPushSubscription, PushDevice, PushParams, PushSettings } from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/notifications/push", {
    operationId: "getPushSettings",
    summary: "List push devices",
    description: "Returns the key that browsers subscribe with, and the devices that get your reminders by Web Push.",
    guard: user,
    returns: { 200: PushSettings },
  }),
  async (c) => c.json(await listDevices(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/settings/notifications/push", {
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
  }),
  async (c) => c.json(await subscribeDevice(contextOf(c), withoutProof(c.req.valid("json"))), 200),
);

routes.openapi(
  route("delete", "/api/settings/notifications/push/{id}", {
    operationId: "deleteDevice",
    summary: "Delete a push device",
    description: "The device gets no more reminders.",
    guard: user,
    params: PushParams,
    returns: { 204: null },
    errors: ["not_found"],
  }),
  async (c) => noContent(c, await deleteDevice(contextOf(c), c.req.valid("param").id)),
);
