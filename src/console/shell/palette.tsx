import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { registeredCommands } from "../lib/commands.ts";
import { shell } from "../messages/shell.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { Keys } from "../ui/keys.tsx";
import { type Entry, useFound } from "./palette-search.ts";

/** Every screen, every action, and a search of the data: type, move with the arrow keys, press Enter. */
export default function Palette({ onClose, typed }: { onClose(): void; typed: string }) {
  const [query, setQuery] = useState(typed);
  const [active, setActive] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const commands = useMemo(() => matching(query), [query]);
  const { found, isSearching } = useFound(query);
  const entries = [...commands, ...found];
  const chosen = Math.min(active, entries.length - 1);

  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  function run(entry: Entry | undefined) {
    if (!entry) return;
    onClose();
    // After the dialog has given the focus back, so that what the command focuses keeps it.
    queueMicrotask(() => setTimeout(entry.run));
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      setActive((chosen + step + entries.length) % entries.length);
    }
    if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      run(entries[chosen]);
    }
  }

  return (
    <Dialog title={shell.palette.name} form="palette" onClose={onClose}>
      <div class="palette-field">
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
      <div ref={list} id={listId} role="listbox" aria-label={shell.palette.results} class="palette-list">
        {grouped(entries).map(([group, members]) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox.
          <div key={group} role="group" aria-label={group}>
            <p class="palette-group" aria-hidden="true">
              {group}
            </p>
            {members.map(({ entry, index }) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
              <div
                key={entry.id}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === chosen}
                class="palette-option"
                onClick={() => run(entry)}
                onMouseMove={() => setActive(index)}
              >
                <Icon name={entry.icon} />
                <span class="palette-label">{entry.label}</span>
                {entry.detail && <span class="palette-detail">{entry.detail}</span>}
                {entry.keys && <Keys keys={entry.keys} />}
              </div>
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

function matching(query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return registeredCommands.value
    .toReversed()
    .flat()
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .map((command) => ({ group: shell.palette.commands, ...command }));
}

function grouped(entries: readonly Entry[]): [string, { entry: Entry; index: number }[]][] {
  const groups = new Map<string, { entry: Entry; index: number }[]>();
  for (const [index, entry] of entries.entries()) {
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), { entry, index }]);
  }
  return [...groups];
}
