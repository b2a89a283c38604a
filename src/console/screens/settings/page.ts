import type { Profile } from "../../client/profile.ts";

/** What every page of Settings gets. */
export interface SettingsProps {
  profile: Profile;
  /** The part of the address after the page, such as the id of a webhook. */
  id: string | undefined;
  query: URLSearchParams;
}
