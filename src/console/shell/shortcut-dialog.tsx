import { areEnabled, enableShortcuts, registered } from "../lib/shortcuts.ts";
import { shell } from "../messages/shell.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Keys } from "../ui/keys.tsx";
import { SwitchLine } from "../ui/switch.tsx";

/** Drawn from the table that the keys themselves are looked up in. */
export default function ShortcutDialog({ onClose }: { onClose(): void }) {
  const all = registered.value.flat().filter(({ isAlias }) => !isAlias);
  const groups = [...new Set(all.map(({ group }) => group))];
  return (
    <Dialog title={shell.shortcuts.name} onClose={onClose}>
      <SwitchLine
        label={shell.shortcuts.enabled}
        hint={shell.shortcuts.enabledHint}
        value={areEnabled.value}
        onChange={enableShortcuts}
      />
      <div class="shortcut-groups tiles">
        {groups.map((group) => (
          <section key={group}>
            <h3 class="hint">{group}</h3>
            <dl>
              {all
                .filter((shortcut) => shortcut.group === group)
                .map(({ keys, label }) => (
                  <div key={keys} class="line gap-12 between">
                    <dt>{label}</dt>
                    <dd>
                      <Keys keys={keys} />
                      <span class="visually-hidden">{keys}</span>
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
