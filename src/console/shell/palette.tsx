import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { useHabits } from "../client/profile.ts";
import { registeredCommands } from "../lib/commands.ts";
import { registered } from "../lib/shortcuts.ts";
import { shell } from "../messages/shell.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { Keys } from "../ui/keys.tsx";
import { chosenBy, Option } from "../ui/options.tsx";
import { type Entry, useFound } from "./palette-search.ts";
import { screenActions, topmost } from "./screen-actions.ts";

/** Every screen, every action, and a search of the data: type, move with the arrow keys, press Enter. */
export default function Palette({ onClose, typed }: { onClose(): void; typed: string }) {
  const [query, setQuery] = useState(typed);
  const [active, setActive] = useState(0);
  const listId = useId();
  const here = useHere();
  const commands = useMemo(() => matching(query, here), [query, here]);
  const { found, isSearching } = useFound(query, useHabits());
  const entries = [...commands, ...found];
  const chosen = Math.min(active, entries.length - 1);
  const drawn = useDrawn(query, entries.length, chosen);

  function run(entry: Entry | undefined) {
    if (!entry) return;
    onClose();
    // After the dialog has given the focus back, so that what the command focuses keeps it.
    queueMicrotask(() => setTimeout(entry.run));
  }

  function onKeyDown(event: KeyboardEvent) {
    const next = chosenBy(event, chosen, entries.length);
    if (next !== null) setActive(next);
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      run(entries[chosen]);
    }
  }

  return (
    <Dialog title={shell.palette.name} form="palette" onClose={onClose}>
      <div class="palette-field line gap-12">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label={shell.palette.label}
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={entries.length > 0 ? `${listId}-${chosen}` : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          spellcheck={false}
          autofocus
          placeholder={shell.palette.label}
          value={query}
          onInput={(event) => {
            setQuery(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={listId} role="listbox" aria-label={shell.palette.results} class="palette-list">
        {grouped(entries.slice(0, drawn)).map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
          <div key={group} role="group" aria-label={group}>
            <p class="palette-group" aria-hidden="true">
              {group}
            </p>
            {members.map(({ entry, index }) => (
              <Option
                key={entry.id}
                id={`${listId}-${index}`}
                isChosen={index === chosen}
                onChoose={() => run(entry)}
                onPoint={() => setActive(index)}
              >
                <Icon name={entry.icon} />
                <span class="palette-label clip">{entry.label}</span>
                {entry.detail && <span class="palette-detail clip hint">{entry.detail}</span>}
                {entry.keys && <Keys keys={entry.keys} />}
              </Option>
            ))}
          </div>
        ))}
      </div>
      <p class="palette-foot" role="status">
        {entries.length > 0 ? shell.palette.hint : isSearching ? shell.palette.searching : shell.palette.none(query)}
      </p>
    </Dialog>
  );
}

/** What is seen at once; the rest follows while the page has nothing else to do, so that the dialog opens at once. */
const FIRST = 9;
const MORE = 12;
const LATER_MS = 60;

function useDrawn(query: string, count: number, chosen: number): number {
  const [last, setLast] = useState({ query, drawn: FIRST });
  const drawn = last.query === query ? last.drawn : FIRST;
  useEffect(() => {
    if (drawn >= count) return;
    const wait = setTimeout(() => setLast({ query, drawn: drawn + MORE }), LATER_MS);
    return () => clearTimeout(wait);
  }, [query, drawn, count]);
  return Math.max(drawn, chosen + 1);
}

type Here = ReturnType<typeof screenActions>;

/** Read once, and after the dialog is there, because a screen may have many. */
function useHere(): Here {
  const [root] = useState(topmost);
  const [here, setHere] = useState<Here>([]);
  useEffect(() => {
    const wait = setTimeout(() => setHere(screenActions(root)), LATER_MS);
    return () => clearTimeout(wait);
  }, [root]);
  return here;
}

/** The commands, the keys of the screen, and what is on it. Without a word, nothing that belongs to one of many. */
function matching(query: string, here: Here): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const commands = allCommands().filter(({ label }) => fits(label));
  const names = new Set(commands.map(({ label }) => label));
  const shown = here
    .filter(({ label, detail = "", isOfRow }) =>
      words.length === 0 ? !isOfRow : !names.has(label) && fits(`${label} ${detail}`),
    )
    .map(({ isOfRow: _, ...entry }) => entry);
  // What begins with the words comes first.
  const starts = ({ label }: Entry) => label.toLowerCase().startsWith(query.trim().toLowerCase());
  const ranked = [...shown.filter(starts), ...shown.filter((entry) => !starts(entry))];
  if (words.length > 0) return [...commands, ...ranked.slice(0, SHOWN_HERE)];
  // Before anything is typed, what is near comes before the many pages of Settings.
  const isFar = ({ group }: Entry) => group === shell.places.settings;
  return [...commands.filter((entry) => !isFar(entry)), ...ranked, ...commands.filter(isFar)];
}

const SHOWN_HERE = 30;

/** Those of the screen first. A key that has no command of the same name is one, too. */
function allCommands(): Entry[] {
  const commands: Entry[] = registeredCommands.value
    .toReversed()
    .flat()
    .map((command) => ({
      group: command.id.startsWith("settings-") ? shell.places.settings : shell.palette.commands,
      ...command,
    }));
  // Each group in one piece.
  commands.sort((a, b) => Number(a.group === shell.places.settings) - Number(b.group === shell.places.settings));
  const names = new Set(commands.map(({ label }) => label));
  const keys = registered.value
    .toReversed()
    .flat()
    .filter(({ isAlias, isNative, label }) => !isAlias && !isNative && !names.has(label))
    .map(({ keys: caps, label, group, run }) => ({
      id: `keys-${group}-${caps}`,
      group,
      icon: "keyboard",
      label,
      keys: caps,
      run: () => run(new KeyboardEvent("keydown")),
    }));
  return [...commands, ...keys];
}

function grouped(entries: readonly Entry[]): [string, { entry: Entry; index: number }[]][] {
  const groups = new Map<string, { entry: Entry; index: number }[]>();
  for (const [index, entry] of entries.entries()) {
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), { entry, index }]);
  }
  return [...groups];
}
