import { request } from "./api.ts";
import type { Profile } from "./profile.ts";
import { useQuery } from "./queries.ts";
import { whenSignedOut } from "./session.ts";

let shown: string | null = null;
const forget = () => {
  if (shown) URL.revokeObjectURL(shown);
  shown = null;
};
whenSignedOut(forget);

/** The address of the person's picture in this page. A picture of another origin is not loaded: nobody is to be told. */
export function useAvatar(profile: Profile | undefined): string | null {
  const isImage = profile?.avatar?.kind === "image";
  const query = useQuery<string>({
    // Every picture is another version of the profile; its own name need not be known.
    queryKey: ["profile", "avatar", isImage ? profile.version : 0],
    queryFn: async ({ signal }) => {
      const response = await request({
        method: "GET",
        path: "/api/settings/profile/avatar",
        headers: { Accept: "image/*" },
        signal,
      });
      const picture = await response.blob();
      forget();
      shown = URL.createObjectURL(picture);
      return shown;
    },
    enabled: isImage,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isImage ? (query.data ?? shown) : null;
}
