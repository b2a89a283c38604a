import { ifMatchTags, isNotModified } from "../../http/etag.ts";
import { user } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { uploadOf } from "../../http/upload.ts";
import { IMAGE_TYPES } from "../../lib/profile-kinds.ts";
import { findAvatar, linkAvatar, readImage, removeAvatar, uploadAvatar } from "./avatar.ts";
import { AvatarLink, AvatarSet, Profile, ProfileChanges } from "./schemas.ts";
import { readProfile, updateProfile } from "./service.ts";

export const routes = createRouter();

const MAX_AVATAR_BYTES = 512 * 1024;

routes.endpoint("get", "/api/settings/profile", {
  operationId: "getProfile",
  summary: "Get your profile",
  description: "Returns your personal details, preferences and avatar.",
  guard: user,
  returns: { 200: Profile },
  ifNoneMatch: false,
  handle: ({ ctx }) => readProfile(ctx),
});

routes.endpoint("patch", "/api/settings/profile", {
  operationId: "updateProfile",
  summary: "Update your profile",
  description:
    "Members that you leave out keep their value; null deletes it. Use `/api/settings/profile/email` to change the " +
    "email address.",
  guard: user,
  body: ProfileChanges,
  returns: { 200: Profile },
  errors: ["not_found", "nothing_to_update"],
  ifMatch: true,
  handle: ({ ctx, body, ifMatch }) => updateProfile(ctx, body, ifMatch),
});

routes.endpoint("get", "/api/settings/profile/avatar", {
  operationId: "getAvatar",
  summary: "Get your avatar",
  description: "Returns the image, or redirects to its URL. Returns 304 if `If-None-Match` has the ETag of the image.",
  guard: user,
  returns: { 200: { type: IMAGE_TYPES, description: "The image" }, 302: null, 304: null },
  errors: ["not_found"],
  handle: async ({ c, ctx }) => {
    const avatar = await findAvatar(ctx);
    if (avatar.kind === "url") return c.redirect(avatar.url, 302);
    if (isNotModified(c, avatar.hash)) return c.body(null, 304);
    return c.body(await readImage(ctx, avatar), 200, { "Content-Type": avatar.type });
  },
});

routes.endpoint("post", "/api/settings/profile/avatar", {
  operationId: "setAvatar",
  summary: "Set your avatar",
  description:
    "Send the image as the body (PNG, JPEG or WebP, at most 512 KB), or its https URL as JSON. `If-Match` accepts the " +
    "ETag of the image or of the profile.",
  guard: user,
  body: AvatarLink,
  upload: { types: IMAGE_TYPES, maxBytes: MAX_AVATAR_BYTES },
  returns: { 200: AvatarSet },
  errors: ["not_found", "unavailable"],
  ifMatch: true,
  handle: async ({ c, ctx, body }) => {
    const file = await uploadOf(c);
    const expected = ifMatchTags(c);
    if (!file) return c.json(await linkAvatar(ctx, body.url, expected), 200);
    const { hash, ...set } = await uploadAvatar(ctx, file, expected);
    // The ETag of this path is that of the image; the profile's is in the body as `version`.
    c.header("ETag", `"${hash}"`);
    return c.json(set, 200);
  },
});

routes.endpoint("delete", "/api/settings/profile/avatar", {
  operationId: "removeAvatar",
  summary: "Delete your avatar",
  description: "Deletes the uploaded image, or the link to one.",
  guard: user,
  returns: { 204: null },
  errors: ["not_found"],
  ifMatch: true,
  handle: ({ c, ctx }) => removeAvatar(ctx, ifMatchTags(c)),
});
