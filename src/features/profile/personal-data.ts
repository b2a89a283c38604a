import { type Context, signedInUser } from "../../context.ts";
import { onePage, type PersonalData } from "../../db/personal-data.ts";
import { toBase64 } from "../../lib/encoding.ts";
import type { Avatar } from "../../lib/profile-kinds.ts";
import { findImage } from "./avatar.ts";
import { selectProfile } from "./service.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "profile",
    pages: onePage(async (ctx) => {
      const [row] = await selectProfile(ctx, signedInUser(ctx).id);
      if (!row) return [];
      const { userId: _, avatar, ...fields } = row;
      return [{ ...fields, avatar: avatar && (await exportedAvatar(ctx, avatar)) }];
    }),
  },
];

async function exportedAvatar(ctx: Context, avatar: Avatar) {
  if (avatar.kind === "url") return { url: avatar.url };
  const bytes = await findImage(ctx, avatar);
  return bytes && { type: avatar.type, base64: toBase64(new Uint8Array(bytes)) };
}
