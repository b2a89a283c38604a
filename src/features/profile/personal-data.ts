import { eq } from "drizzle-orm";
import { type Context, signedInUser } from "../../context.ts";
import type { Row } from "../../db/archive.ts";
import { onePage, type PersonalData } from "../../db/personal-data.ts";
import { profiles } from "../../db/schema/profile.ts";
import { assertType } from "../../lib/cast.ts";
import { toBase64 } from "../../lib/encoding.ts";
import type { Avatar } from "../../lib/profile-kinds.ts";
import { findImage, newAvatarKey } from "./avatar.ts";
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
    archive: {
      table: profiles,
      where: (ctx) => eq(profiles.userId, signedInUser(ctx).id),
      replaces: true,
      isLast: true,
      newKeys(ctx, row) {
        const avatar = avatarOf(row);
        return new Map(avatar?.kind === "image" ? [[avatar.key, newAvatarKey(signedInUser(ctx).id)]] : []);
      },
      files(row) {
        const avatar = avatarOf(row);
        return avatar?.kind === "image"
          ? [{ store: "kv", key: avatar.key, name: `avatar.${avatar.type.slice(6)}` }]
          : [];
      },
      withKeys(row, keyOf) {
        const avatar = avatarOf(row);
        if (avatar?.kind !== "image") return row;
        const key = keyOf(avatar.key);
        return { ...row, avatar: key === null ? null : { ...avatar, key } };
      },
    },
  },
];

function avatarOf({ avatar }: Row): Avatar | null {
  return assertType<Avatar | null>(avatar);
}

async function exportedAvatar(ctx: Context, avatar: Avatar) {
  if (avatar.kind === "url") return { url: avatar.url };
  const bytes = await findImage(ctx, avatar);
  return bytes && { type: avatar.type, base64: toBase64(new Uint8Array(bytes)) };
}
