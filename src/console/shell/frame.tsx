import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useProfile } from "../client/profile.ts";
import { proofRequest } from "../client/proof.ts";
import { useService } from "../client/service.ts";
import { useCommands } from "../lib/commands.ts";
import { isOnline } from "../lib/online.ts";
import { isComposing, openOverlay, overlay } from "../lib/overlays.ts";
import { navigate, place } from "../lib/router.ts";
import { SETTINGS_ACTIONS, SETTINGS_PAGES, settingsPath } from "../lib/settings-pages.ts";
import { store, stored } from "../lib/storage.ts";
import { shell } from "../messages/shell.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Keys } from "../ui/keys.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Brand } from "./brand.tsx";
import { Navigation } from "./navigation.tsx";
import { type Dialogs, Overlays } from "./overlays.tsx";

/** Everything around a screen, for people who are signed in. */
export function Frame({ dialogs, children }: { dialogs: Dialogs; children: ComponentChildren }) {
  useSettingsCommands();
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {shell.skip}
      </a>
      <header class="top">
        <Brand />
        <button type="button" class="search-button line" onClick={() => openOverlay("palette")}>
          <Icon name="search" size={16} />
          <span class="grow">{shell.searchHint}</span>
          <Keys keys="mod+k" />
        </button>
        <div class="line">
          {!isOnline.value && (
            <span class="badge warn">
              <Icon name="offline" size={14} />
              {shell.offlineBadge}
            </span>
          )}
          <IconButton icon="plus" label={shell.quickAdd} keys="q" onClick={() => openOverlay("quick-add")} />
          <AccountMenu />
        </div>
      </header>
      <Navigation path={place.value.path} />
      <main id="main" tabIndex={-1}>
        <OpenModeBanner />
        {children}
      </main>
      {isComposing.value && <Overlays dialogs={dialogs} name="compose" />}
      {overlay.value && <Overlays dialogs={dialogs} name={overlay.value} />}
      {proofRequest.value && <Overlays dialogs={dialogs} name="proof" />}
    </div>
  );
}

/** Says that anyone may read and write here. On a machine of one's own that is fine, so it can be hidden. */
function OpenModeBanner() {
  const service = useService();
  const [isHidden, setIsHidden] = useState(stored("open-mode-seen") === "yes");
  if (service?.accessMode !== "open" || isHidden) return null;
  return (
    <section class="banner line gap-12" aria-label={shell.openModeName}>
      <Icon name="info" />
      <p>{shell.openMode}</p>
      <IconButton
        icon="close"
        label={shell.openModeHide}
        onClick={() => {
          store("open-mode-seen", "yes");
          setIsHidden(true);
        }}
      />
    </section>
  );
}

/** Every page of Settings and what can be done there, in the palette of every screen. Members see no owner's page. */
function useSettingsCommands(): void {
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
