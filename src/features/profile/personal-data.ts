import type { Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import { onePage, type PersonalDataSection } from "../../db/personal-data.ts";
import { toBase64 } from "../../lib/encoding.ts";
import type { Avatar } from "../../lib/profile-kinds.ts";
import { selectPreferences, toPreferences } from "../notifications/preferences.ts";
import { findPicture } from "./avatar.ts";
import { selectProfile } from "./service.ts";

/** Includes the picture itself, which is no larger than an email. */
export const profileSection: PersonalDataSection = {
  name: "profile",
  pages: onePage(async (ctx) => {
    const [row] = await selectProfile(ctx, signedInUser(ctx).id);
    if (!row) return [];
    const { userId: _, avatar, ...profile } = row;
    return [{ ...profile, avatar: avatar && (await exported(ctx, avatar)) }];
  }),
};

async function exported(ctx: Context, avatar: Avatar) {
  if (avatar.kind === "url") return { url: avatar.url };
  const bytes = await findPicture(ctx, avatar);
  return bytes && { type: avatar.type, base64: toBase64(new Uint8Array(bytes)) };
}

export const preferencesSection: PersonalDataSection = {
  name: "notificationPreferences",
  pages: onePage(async (ctx) => (await selectPreferences(ctx, signedInUser(ctx).id)).map(toPreferences)),
};
