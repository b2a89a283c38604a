import { useState } from "preact/hooks";
import { failureToast } from "../client/notices.ts";
import { session } from "../client/session.ts";
import { openOverlay } from "../lib/overlays.ts";
import { chooseTheme, chosenTheme, THEMES } from "../lib/theme-choice.ts";
import { shell } from "../messages/shell.ts";
import { Menu, MenuGroup, MenuItem } from "../ui/menu.tsx";
import { leave } from "./push-device.ts";

export function AccountMenu() {
  const [theme, setTheme] = useState(chosenTheme);
  if (session.value.status !== "in") return null;
  const { name, email } = session.value.user;
  return (
    <Menu label={shell.account} buttonClass="avatar-button" button={<Initials name={name} />}>
      <div class="menu-person">
        <strong>{name}</strong>
        <span>{email}</span>
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
          >
            {shell.menu.themes[each]}
          </MenuItem>
        ))}
      </MenuGroup>
      <MenuItem icon="keyboard" onChoose={() => openOverlay("shortcuts")}>
        {shell.menu.shortcuts}
      </MenuItem>
      <MenuItem icon="book" href="/docs">
        {shell.menu.reference}
      </MenuItem>
      <MenuItem
        icon="sign-out"
        onChoose={() => void leave().catch((error) => failureToast(shell.menu.signOutFailed, error))}
      >
        {shell.menu.signOut}
      </MenuItem>
    </Menu>
  );
}

/** Drawn by the style sheet: the button has a name, and two letters that are not part of it would confuse voice control. */
function Initials({ name }: { name: string }) {
  return <span class="avatar" data-initials={initials(name)} />;
}

export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : ""];
  return ([...first][0] ?? "").concat([...last][0] ?? "").toUpperCase();
}
