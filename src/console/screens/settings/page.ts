import type { ComponentType } from "preact";
import type { Profile } from "../../client/profile.ts";
import type { SettingsPageId } from "../../lib/settings-pages.ts";

/** What every page of Settings gets. */
export interface SettingsProps {
  profile: Profile;
  /** The part of the address after the page, such as the id of a webhook. */
  id: string | undefined;
  query: URLSearchParams;
}

/** Pages by their ids, as a group of them brings along. */
export type Pages = Partial<Record<SettingsPageId, ComponentType<SettingsProps>>>;
