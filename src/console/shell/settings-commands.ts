import { useProfile } from "../client/profile.ts";
import { useCommands } from "../lib/commands.ts";
import { navigate } from "../lib/router.ts";
import { SETTINGS_ACTIONS, SETTINGS_PAGES, settingsPath } from "../lib/settings-pages.ts";
import { shell } from "../messages/shell.ts";

/** Every page of Settings and what can be done there, in the palette of every screen. Members see no owner's page. */
export function useSettingsCommands(): void {
  const isOwner = useProfile()?.role === "owner";
  useCommands(() => {
    const pages = SETTINGS_PAGES.filter(({ isOwners }) => isOwner || !isOwners);
    const actions = SETTINGS_ACTIONS.filter(
      ({ page, isOwners }) => (isOwner || !isOwners) && pages.some(({ id }) => id === page),
    );
    return [
      ...pages.map(({ id, label, icon }) => ({
        id: `settings-${id}`,
        label: `${shell.places.settings}: ${label}`,
        icon,
        run: () => navigate(settingsPath(id)),
      })),
      ...actions.map(({ label, page, act }) => ({
        id: `settings-${page}-${label}`,
        label,
        icon: "settings",
        run: () => navigate(settingsPath(page) + (act ? `?do=${act}` : "")),
      })),
    ];
  }, [isOwner]);
}
