import { useState } from "preact/hooks";
import { useAvatar } from "../client/avatar.ts";
import { attempt } from "../client/notices.ts";
import { useProfile } from "../client/profile.ts";
import { session } from "../client/session.ts";
import { initials } from "../lib/initials.ts";
import { openOverlay } from "../lib/overlays.ts";
import { chooseTheme, chosenTheme, THEMES } from "../lib/theme-choice.ts";
import { shell } from "../messages/shell.ts";
import { Menu, MenuGroup, MenuItem } from "../ui/menu.tsx";
import { leave } from "./push-device.ts";

export function AccountMenu() {
  const [theme, setTheme] = useState(chosenTheme);
  const profile = useProfile();
  const picture = useAvatar(profile);
  if (session.value.status !== "in") return null;
  const { email } = session.value.user;
  const name = profile?.name ?? session.value.user.name;
  return (
    <Menu
      label={shell.account}
      buttonClass="avatar-button center bare"
      button={picture ? <img class="avatar" src={picture} alt="" /> : <Initials name={name} />}
    >
      <div class="menu-person">
        <strong>{name}</strong>
        <span class="hint">{email}</span>
      </div>
      <MenuGroup label={shell.menu.theme}>
        {THEMES.map((each) => (
          <MenuItem
            key={each}
            isChecked={theme === each}
            onChoose={() => {
              chooseTheme(each);
              setTheme(each);
            }}
            label={shell.menu.themes[each]}
          />
        ))}
      </MenuGroup>
      <MenuItem icon="settings" href="/app/settings" label={shell.places.settings} />
      <MenuItem icon="keyboard" onChoose={() => openOverlay("shortcuts")} label={shell.menu.shortcuts} />
      <MenuItem icon="book" href="/docs" label={shell.menu.reference} />
      <MenuItem
        icon="sign-out"
        onChoose={() => void attempt(shell.menu.signOutFailed, leave)}
        label={shell.menu.signOut}
      />
    </Menu>
  );
}

/** Drawn by the style sheet: the button has a name, and two letters that are not part of it would confuse voice control. */
function Initials({ name }: { name: string }) {
  return <span class="avatar" data-initials={initials(name)} />;
}
