import { request } from "../../../client/api.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { useAvatar } from "../../../client/avatar.ts";
import { Failure, toast } from "../../../client/notices.ts";
import type { Profile } from "../../../client/profile.ts";
import { queryClient } from "../../../client/queries.ts";
import { initials } from "../../../lib/initials.ts";
import { profile as m } from "../../../messages/settings-profile.ts";
import { Button } from "../../../ui/button.tsx";
import { Entry } from "../../../ui/entries.tsx";
import { FileButton } from "../../../ui/file-button.tsx";

const SIDE = 256;

/** The person's picture: cut to a square and made small here, so that a photo of any size will do. */
export function Picture({ profile }: { profile: Profile }) {
  const { isBusy, attempt } = useAttempt();
  const source = useAvatar(profile);

  async function send(method: "POST" | "DELETE", picture?: Blob) {
    await request({
      method,
      path: "/api/settings/profile/avatar",
      ...(picture && { headers: { "Content-Type": picture.type }, body: picture }),
    });
    await queryClient.invalidateQueries({ queryKey: ["profile"] });
    toast(m.pictureSaved);
  }

  const run = (act: () => Promise<void>) => attempt(m.pictureFailed, act);

  async function choose(file: File) {
    const picture = await small(file).catch(() => null);
    if (!picture) throw new Failure(m.pictureUnreadable);
    await send("POST", picture);
  }

  return (
    <Entry
      before={
        source ? (
          <img class="avatar-large" src={source} alt="" width={56} height={56} />
        ) : (
          <span class="avatar avatar-large" data-initials={initials(profile.name)} />
        )
      }
      name={m.picture}
      hint={profile.avatar?.kind === "url" ? m.pictureElsewhere(profile.avatar.url) : m.pictureHint}
    >
      <FileButton
        label={m.choosePicture}
        accept="image/png,image/jpeg,image/webp"
        isBusy={isBusy}
        onChoose={(file) => void run(() => choose(file))}
      />
      {profile.avatar && <Button onClick={() => void run(() => send("DELETE"))}>{m.removePicture}</Button>}
    </Entry>
  );
}

async function small(file: File): Promise<Blob> {
  const image = await createImageBitmap(file);
  const side = Math.min(image.width, image.height);
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  canvas
    .getContext("2d")
    ?.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, SIDE, SIDE);
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
}
