import { undoLast } from "../client/notices.ts";
import { registerCommands } from "../lib/commands.ts";
import { openOverlay } from "../lib/overlays.ts";
import { PLACES } from "../lib/places.ts";
import { navigate } from "../lib/router.ts";
import { register } from "../lib/shortcuts.ts";
import { chooseTheme, THEMES } from "../lib/theme-choice.ts";
import { shell } from "../messages/shell.ts";
import { PUSH_COMMANDS } from "./push-device.ts";
import type { Screens } from "./screen.ts";

/** Shortcuts and commands that work on every screen, for people who are signed in. Returns what takes them away. */
export function registerOwn({ startEmail }: Screens): () => void {
  const compose = () => void startEmail();
  const { everywhere, goTo } = shell.shortcuts;
  const undoKeys = register([
    { keys: "mod+k", label: shell.shortcuts.openPalette, group: everywhere, run: () => openOverlay("palette") },
    { keys: "/", label: shell.shortcuts.search, group: everywhere, run: () => openOverlay("palette") },
    { keys: "q", label: shell.shortcuts.addTask, group: everywhere, run: () => openOverlay("quick-add") },
    { keys: "c", label: shell.shortcuts.compose, group: everywhere, run: compose },
    { keys: "z", label: shell.shortcuts.undo, group: everywhere, run: undoLast },
    { keys: "?", label: shell.shortcuts.showShortcuts, group: everywhere, run: () => openOverlay("shortcuts") },
    ...PLACES.map(({ keys, label, href }) => ({ keys, label, group: goTo, run: () => navigate(href) })),
  ]);
  const undoCommands = registerCommands([
    { id: "compose", label: shell.shortcuts.compose, icon: "edit", keys: "c", run: compose },
    { id: "new-event", label: shell.calendar.newEvent, icon: "calendar", run: () => navigate("/app/calendar?new=1") },
    { id: "find-time", label: shell.calendar.findTime, icon: "clock", run: () => navigate("/app/calendar?find=1") },
    { id: "phone", label: shell.calendar.phone, icon: "link", run: () => navigate("/app/calendar?phone=1") },
    { id: "new-chat", label: shell.newConversation, icon: "chat", run: () => navigate("/app/chat") },
    ...Object.entries(shell.streams).map(([tab, name]) => ({
      id: `streams-${tab}`,
      label: `${shell.places.streams}: ${name}`,
      icon: "streams",
      run: () => navigate(`/app/streams/${tab}`),
    })),
    { id: "add-task", label: shell.quickAdd, icon: "plus", keys: "q", run: () => openOverlay("quick-add") },
    ...PLACES.map(({ keys, label, href, icon }) => ({
      id: href,
      label: `${goTo} ${label}`,
      icon,
      keys,
      run: () => navigate(href),
    })),
    ...THEMES.map((theme) => ({
      id: `theme-${theme}`,
      label: `${shell.menu.theme}: ${shell.menu.themes[theme]}`,
      icon: "sun",
      run: () => chooseTheme(theme),
    })),
    {
      id: "shortcuts",
      label: shell.shortcuts.name,
      icon: "keyboard",
      keys: "?",
      run: () => openOverlay("shortcuts"),
    },
    ...PUSH_COMMANDS,
  ]);
  return () => {
    undoKeys();
    undoCommands();
  };
}
