import { navigate, withQuery } from "../../lib/router.ts";
import { currentRow, moveRow } from "../../lib/rows.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { mail as m } from "../../messages/mail.ts";
import { shell } from "../../messages/shell.ts";
import { triage as t } from "../../messages/triage.ts";
import { type BoxName, isUnread, type Row } from "./boxes.ts";
import { type Meant, markRead, toggleMute, toggleStar } from "./email-changes.ts";
import { SEARCH_ID } from "./mail-filters.tsx";
import { movesFrom } from "./moves.ts";
import { allMatching, clearSelection, isCounting, keyOf, selectAll, selected, toggleSelected } from "./selection.ts";
import { loadedEmail, openRow } from "./use-mail.ts";

interface MailKeys {
  box: BoxName;
  rows: readonly Row[];
  openId: number | null;
  isThreaded: boolean;
  onSnooze(meant: Meant): void;
  onTags(meant: Meant): void;
}

/** The keys of Mail act on the ticked rows, else on what is open, else on the row that has the focus. */
export function useMailKeys({ box, rows, openId, isThreaded, onSnooze, onTags }: MailKeys): void {
  const group = shell.shortcuts.lists;
  const focused = () => rows.find(({ id }) => String(id) === currentRow()?.dataset.id);
  const opened = () => openRow(rows, openId, isThreaded);
  const emails = (): Row[] => {
    if (isCounting.value) return [];
    const ticked = rows.filter((row) => selected.value.has(keyOf(row)));
    if (ticked.length > 0) return ticked;
    // The list may be on its way, or may not have it.
    const one = openId === null ? focused() : (opened() ?? loadedEmail(openId));
    return one ? [one] : [];
  };
  const meant = (): Meant => ({ emails: emails(), areThreads: isThreaded, matching: allMatching.value });
  const act = (run: (meant: Meant) => void) => () => {
    const all = meant();
    if (all.emails.length === 0) return;
    run(all);
  };
  const leave = () => {
    moveOn({ box, rows, openId, isThreaded });
    clearSelection();
  };
  const step = (by: 1 | -1) => () => (openId ? openNext({ box, rows, openId, isThreaded }, by) : moveRow(by));
  const moves = Object.values(movesFrom(box)).map(({ keys, label, run }) => ({
    ...{ keys, label, group },
    run() {
      const all = meant();
      if (all.emails.length > 0) run(all, leave);
    },
  }));
  useShortcuts(
    () => [
      { keys: "j", label: m.keys.next, group, run: step(1) },
      { keys: "k", label: m.keys.previous, group, run: step(-1) },
      {
        keys: "Escape",
        label: m.keys.close,
        group,
        run: () => (selected.value.size > 0 ? clearSelection() : close(box, opened()?.id ?? openId)),
      },
      {
        keys: "/",
        label: m.keys.search,
        group,
        run: () => document.getElementById(SEARCH_ID)?.focus(),
      },
      {
        keys: "x",
        label: m.select("").trim(),
        group,
        run: () => {
          const row = focused() ?? opened();
          if (row) toggleSelected(keyOf(row));
        },
      },
      { keys: "*", label: t.selectAll, group, run: () => selectAll(rows) },
      ...moves,
      { keys: "s", label: m.star, group, run: act(toggleStar) },
      {
        keys: "u",
        label: m.markUnread,
        group,
        run: act((all) => markRead(all, all.emails.some(isUnread))),
      },
      ...(isThreaded
        ? [
            {
              keys: "m",
              label: m.mute,
              group,
              run: act((all) => toggleMute(all, box === "inbox" ? leave : undefined)),
            },
          ]
        : []),
      { keys: "b", label: m.snooze, group, run: () => emails().length > 0 && onSnooze(meant()) },
      { keys: "l", label: m.tags, group, run: () => emails().length > 0 && onTags(meant()) },
    ],
    [box, rows, openId, isThreaded, onSnooze, onTags],
  );
}

function close(box: BoxName, id: number | null): void {
  if (id !== null) showList(box, id);
}

/** The list, at the row of an email. */
function showList(box: BoxName, id: number | undefined, options?: { replace: boolean }): void {
  navigate(withQuery({}, `/app/mail/${box}`), options);
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-row][data-id="${id}"] [data-row-focus]`)?.focus(),
  );
}

/** Where the person is in a list. */
interface Standing extends Pick<MailKeys, "box" | "rows" | "openId" | "isThreaded"> {}

function openNext({ box, rows, openId, isThreaded }: Standing, step: 1 | -1): void {
  const open = openRow(rows, openId, isThreaded);
  const next = rows[(open ? rows.indexOf(open) : -1) + step];
  if (next) navigate(withQuery({}, `/app/mail/${box}/${next.id}`), { replace: true });
}

/** The boxes that people work through. In the others nothing opens, and is marked as read, that nobody has chosen. */
const WORKED_THROUGH: readonly BoxName[] = ["inbox", "starred", "snoozed"];

/** What is open leaves the list: the next one opens, or the list is shown. */
export function moveOn({ box, rows, openId, isThreaded }: Standing): void {
  if (openId === null) {
    const row = currentRow();
    moveRow(1);
    if (currentRow() === row) moveRow(-1);
    return;
  }
  const open = openRow(rows, openId, isThreaded);
  const at = open ? rows.indexOf(open) : -1;
  const next = at === -1 ? undefined : (rows[at + 1] ?? rows[at - 1]);
  if (!next || !WORKED_THROUGH.includes(box)) showList(box, next?.id, { replace: true });
  else navigate(withQuery({}, `/app/mail/${box}/${next.id}`), { replace: true });
}
