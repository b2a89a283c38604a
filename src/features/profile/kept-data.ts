import type { KeptData } from "../../db/kept-data.ts";
import { toBase64 } from "../../lib/encoding.ts";
import { signedInUser } from "../auth/account.ts";
import { selectPreferences, toPreferences } from "../notifications/preferences.ts";
import { readPicture } from "./avatar.ts";
import { selectProfile } from "./service.ts";

/** With the picture itself, which is no larger than a mail. */
export const keptProfile: KeptData = {
  name: "profile",
  async *pages(ctx) {
    const [row] = await selectProfile(ctx, signedInUser(ctx).id);
    if (!row) return;
    const { userId: _, avatar, ...profile } = row;
    const image = avatar?.kind === "image" ? avatar : null;
    const picture = image && { type: image.type, base64: toBase64(new Uint8Array(await readPicture(ctx, image))) };
    yield [{ ...profile, avatar: avatar?.kind === "url" ? { url: avatar.url } : picture }];
  },
};

export const keptPreferences: KeptData = {
  name: "notificationPreferences",
  async *pages(ctx) {
    yield (await selectPreferences(ctx, signedInUser(ctx).id)).map(toPreferences);
  },
};
