import type { ComponentChildren } from "preact";
import { proofRequest } from "../client/proof.ts";
import { isOnline } from "../lib/online.ts";
import { openOverlay, overlay } from "../lib/overlays.ts";
import { place } from "../lib/router.ts";
import { shell } from "../messages/shell.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Keys } from "../ui/keys.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Brand } from "./brand.tsx";
import { Navigation } from "./navigation.tsx";
import { OpenModeBanner } from "./open-mode.tsx";
import { type Dialogs, Overlays } from "./overlays.tsx";
import { useSettingsCommands } from "./settings-commands.ts";

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
      {overlay.value && <Overlays dialogs={dialogs} name={overlay.value} />}
      {proofRequest.value && <Overlays dialogs={dialogs} name="proof" />}
    </div>
  );
}
