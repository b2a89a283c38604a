import { contextOf } from "../../http/app-env.ts";
import { ifMatch, ifMatchTags, isNotModified, withETag } from "../../http/etag.ts";
import { user } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { uploadOf } from "../../http/upload.ts";
import { IMAGE_TYPES } from "../../lib/profile-kinds.ts";
import {
  cancelEmailChange,
  confirmEmail,
  requestEmailChange,
  requestEmailVerification,
} from "../auth/email/service.ts";
import { findAvatar, linkAvatar, readPicture, removeAvatar, uploadAvatar } from "./avatar.ts";
import { changeNotificationPreferences, readNotificationPreferences } from "./notifications.ts";
import {
  AvatarLink,
  AvatarSet,
  ConfirmedEmail,
  EmailToken,
  NewEmail,
  NotificationChanges,
  NotificationPreferences,
  PendingEmail,
  Profile,
  ProfileChanges,
} from "./schemas.ts";
import { readProfile, updateProfile } from "./service.ts";

export const routes = createRouter();

const MAX_AVATAR_BYTES = 512 * 1024;

routes.openapi(
  route("get", "/api/settings/profile", {
    operationId: "getProfile",
    summary: "Read your profile",
    guard: user,
    returns: { 200: Profile },
    ifNoneMatch: false,
  }),
  async (c) => c.json(withETag(c, await readProfile(contextOf(c))), 200),
);

routes.openapi(
  route("patch", "/api/settings/profile", {
    operationId: "updateProfile",
    summary: "Change your profile",
    description: "The address is changed at `/api/settings/profile/email`. Null takes a value away.",
    guard: user,
    body: ProfileChanges,
    returns: { 200: Profile },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => c.json(withETag(c, await updateProfile(contextOf(c), c.req.valid("json"), ifMatch(c))), 200),
);

routes.openapi(
  route("get", "/api/settings/profile/avatar", {
    operationId: "getAvatar",
    summary: "Read your picture",
    description: "The picture itself, or a redirect to where it stands. `If-None-Match` with its ETag gives 304.",
    guard: user,
    returns: {
      200: { type: IMAGE_TYPES, description: "The picture" },
      302: null,
      304: null,
    },
    errors: ["not_found"],
  }),
  async (c) => {
    const ctx = contextOf(c);
    const avatar = await findAvatar(ctx);
    if (avatar.kind === "url") return c.redirect(avatar.url, 302);
    if (isNotModified(c, avatar.hash)) return c.body(null, 304);
    return c.body(await readPicture(ctx, avatar), 200, { "Content-Type": avatar.type });
  },
);

routes.openapi(
  route("post", "/api/settings/profile/avatar", {
    operationId: "setAvatar",
    summary: "Set your picture",
    description:
      "The picture as the body (PNG, JPEG or WebP, at most 512 KB), or its https address as JSON. `If-Match` takes the " +
      "ETag of the picture or of the profile.",
    guard: user,
    body: AvatarLink,
    upload: { types: IMAGE_TYPES, maxBytes: MAX_AVATAR_BYTES },
    returns: { 200: AvatarSet },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => {
    const file = await uploadOf(c);
    const ctx = contextOf(c);
    const expected = ifMatchTags(c);
    if (!file) return c.json(await linkAvatar(ctx, c.req.valid("json").url, expected), 200);
    const { hash, ...set } = await uploadAvatar(ctx, file, expected);
    // That of the picture, as at this address; the profile's own stands in the answer as its version.
    c.header("ETag", `"${hash}"`);
    return c.json(set, 200);
  },
);

routes.openapi(
  route("delete", "/api/settings/profile/avatar", {
    operationId: "removeAvatar",
    summary: "Remove your picture",
    guard: user,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => noContent(c, await removeAvatar(contextOf(c), ifMatchTags(c))),
);

routes.openapi(
  route("get", "/api/settings/profile/notifications", {
    operationId: "getNotificationPreferences",
    summary: "What you are told by mail",
    guard: user,
    returns: { 200: NotificationPreferences },
    ifNoneMatch: false,
  }),
  async (c) => c.json(withETag(c, await readNotificationPreferences(contextOf(c))), 200),
);

routes.openapi(
  route("patch", "/api/settings/profile/notifications", {
    operationId: "updateNotificationPreferences",
    summary: "Choose what you are told by mail",
    guard: user,
    body: NotificationChanges,
    returns: { 200: NotificationPreferences },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => {
    const changes = c.req.valid("json");
    return c.json(withETag(c, await changeNotificationPreferences(contextOf(c), changes, ifMatch(c))), 200);
  },
);

routes.openapi(
  route("post", "/api/settings/profile/email", {
    operationId: "requestEmailChange",
    summary: "Ask for another address",
    description:
      "Mails a token to the new address; the account moves there when `confirm` gets it. The old address is told.",
    guard: user,
    rateLimit: "auth",
    reauth: true,
    body: NewEmail,
    returns: { 202: PendingEmail },
    errors: ["email_taken", "mail_not_configured", "provider_error"],
    idempotent: true,
  }),
  async (c) => c.json(await requestEmailChange(contextOf(c), c.req.valid("json").email), 202),
);

routes.openapi(
  route("delete", "/api/settings/profile/email", {
    operationId: "cancelEmailChange",
    summary: "Take the change of address back",
    guard: user,
    returns: { 204: null },
    errors: ["not_found"],
  }),
  async (c) => noContent(c, await cancelEmailChange(contextOf(c))),
);

routes.openapi(
  route("post", "/api/settings/profile/email/verify", {
    operationId: "requestEmailVerification",
    summary: "Ask for a mail that proves your address",
    guard: user,
    rateLimit: "auth",
    returns: { 202: PendingEmail },
    errors: ["email_already_verified", "mail_not_configured", "provider_error"],
    idempotent: true,
  }),
  async (c) => c.json(await requestEmailVerification(contextOf(c)), 202),
);

routes.openapi(
  route("post", "/api/settings/profile/email/confirm", {
    operationId: "confirmEmail",
    summary: "Confirm an address with its token",
    description: "For both kinds of token: a new address becomes the account's, and the address counts as proved.",
    guard: user,
    rateLimit: "auth",
    body: EmailToken,
    returns: { 200: ConfirmedEmail },
    errors: ["invalid_token", "email_taken"],
  }),
  async (c) => c.json(await confirmEmail(contextOf(c), c.req.valid("json").token), 200),
);
