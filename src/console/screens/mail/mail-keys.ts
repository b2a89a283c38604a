import { navigate, withQuery } from "../../lib/router.ts";
import { currentRow, moveRow } from "../../lib/rows.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { mail as m } from "../../messages/mail.ts";
import { shell } from "../../messages/shell.ts";
import type { BoxName, Email } from "./boxes.ts";
import { markRead, toggleStar } from "./email-changes.ts";
import { SEARCH_ID } from "./mail-filters.tsx";
import { movesFrom } from "./moves.ts";
import { clearSelection, selected, toggleSelected } from "./selection.ts";

interface MailKeys {
  box: BoxName;
  emails: readonly Email[];
  openId: number | null;
  onSnooze(emails: readonly Email[]): void;
}

/** The keys of Mail act on the ticked emails, else on the open one, else on the row that has the focus. */
export function useMailKeys({ box, emails, openId, onSnooze }: MailKeys): void {
  const group = shell.shortcuts.lists;
  const focused = () => emails.find(({ id }) => String(id) === currentRow()?.dataset.id);
  const meant = (): Email[] => {
    if (selected.value.size > 0) return emails.filter(({ id }) => selected.value.has(id));
    const one = emails.find(({ id }) => id === openId) ?? focused();
    return one ? [one] : [];
  };
  const act = (run: (emails: readonly Email[]) => void) => () => {
    const all = meant();
    if (all.length === 0) return;
    run(all);
    clearSelection();
  };
  const leave = () => {
    moveOn(box, emails, openId);
    clearSelection();
  };
  const moves = Object.values(movesFrom(box)).map(({ keys, label, run }) => ({
    ...{ keys, label, group },
    run() {
      const all = meant();
      if (all.length > 0) run(all, leave);
    },
  }));
  useShortcuts(
    () => [
      { keys: "j", label: m.keys.next, group, run: () => (openId ? openNext(box, emails, openId, 1) : moveRow(1)) },
      {
        keys: "k",
        label: m.keys.previous,
        group,
        run: () => (openId ? openNext(box, emails, openId, -1) : moveRow(-1)),
      },
      {
        keys: "Escape",
        label: m.keys.close,
        group,
        run: () => (selected.value.size > 0 ? clearSelection() : close(box, openId)),
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
          const email = focused() ?? emails.find(({ id }) => id === openId);
          if (email) toggleSelected(email.id);
        },
      },
      ...moves,
      { keys: "s", label: m.star, group, run: act(toggleStar) },
      {
        keys: "u",
        label: m.markUnread,
        group,
        run: act((all) =>
          markRead(
            all,
            all.some(({ isRead }) => !isRead),
          ),
        ),
      },
      { keys: "b", label: m.snooze, group, run: () => meant().length > 0 && onSnooze(meant()) },
    ],
    [box, emails, openId, onSnooze],
  );
}

function close(box: BoxName, openId: number | null): void {
  if (openId !== null) showList(box, openId);
}

/** The list, at the row of an email. */
function showList(box: BoxName, id: number | undefined, options?: { replace: boolean }): void {
  navigate(withQuery({}, `/app/mail/${box}`), options);
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-row][data-id="${id}"] [data-row-focus]`)?.focus(),
  );
}

function openNext(box: BoxName, emails: readonly Email[], openId: number, step: 1 | -1): void {
  const next = emails[emails.findIndex(({ id }) => id === openId) + step];
  if (next) navigate(withQuery({}, `/app/mail/${box}/${next.id}`), { replace: true });
}

/** The boxes that people work through. In the others nothing opens, and is marked as read, that nobody has chosen. */
const WORKED_THROUGH: readonly BoxName[] = ["inbox", "starred", "snoozed"];

/** What is open leaves the list: the next one opens, or the list is shown. */
export function moveOn(box: BoxName, emails: readonly Email[], openId: number | null): void {
  if (openId === null) {
    const row = currentRow();
    moveRow(1);
    if (currentRow() === row) moveRow(-1);
    return;
  }
  const at = emails.findIndex(({ id }) => id === openId);
  const next = emails[at + 1] ?? emails[at - 1];
  if (!next || !WORKED_THROUGH.includes(box)) showList(box, next?.id, { replace: true });
  else navigate(withQuery({}, `/app/mail/${box}/${next.id}`), { replace: true });
}
