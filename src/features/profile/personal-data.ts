import type { Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import type { KeptData } from "../../db/personal-data.ts";
import { toBase64 } from "../../lib/encoding.ts";
import type { Avatar } from "../../lib/profile-kinds.ts";
import { selectPreferences, toPreferences } from "../notifications/preferences.ts";
import { findPicture } from "./avatar.ts";
import { selectProfile } from "./service.ts";

/** With the picture itself, which is no larger than a mail. */
export const keptProfile: KeptData = {
  name: "profile",
  async *pages(ctx) {
    const [row] = await selectProfile(ctx, signedInUser(ctx).id);
    if (!row) return;
    const { userId: _, avatar, ...profile } = row;
    yield [{ ...profile, avatar: avatar && (await exported(ctx, avatar)) }];
  },
};

async function exported(ctx: Context, avatar: Avatar) {
  if (avatar.kind === "url") return { url: avatar.url };
  const bytes = await findPicture(ctx, avatar);
  return bytes && { type: avatar.type, base64: toBase64(new Uint8Array(bytes)) };
}

export const keptPreferences: KeptData = {
  name: "notificationPreferences",
  async *pages(ctx) {
    yield (await selectPreferences(ctx, signedInUser(ctx).id)).map(toPreferences);
  },
};
