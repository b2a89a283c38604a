import { ask } from "../client/ask.ts";
import { keptNames } from "../client/kept.ts";
import { attempt, toast } from "../client/notices.ts";
import type { PushHere } from "../client/push.ts";
import { signOut } from "../client/session.ts";
import type { Command } from "../lib/commands.ts";
import { push as m } from "../messages/push.ts";
import { shell } from "../messages/shell.ts";

/* The code of Web Push is loaded only in browsers where notifications are allowed, or when somebody turns them on. */
const load = () => import("../client/push.ts");
const isAllowed = () => "Notification" in window && Notification.permission === "granted";

/** At the start: a browser that shows reminders goes on doing so. */
export function keepPush(): void {
  if (!isAllowed()) return;
  // Without a network, the next start does it.
  load()
    .then(({ keepSubscribed }) => keepSubscribed())
    .catch(() => {});
}

/** Signs out. Reminders are then no longer shown in this browser. */
export async function leave(): Promise<void> {
  const { signOut: title, signOutText: text } = shell.unsaved;
  if (keptNames().length > 0 && !(await ask({ title, text, button: shell.menu.signOut }))) return;
  if (isAllowed()) {
    await load()
      .then(({ endPush }) => endPush())
      .catch(() => {});
  }
  await signOut();
}

async function run(change: () => Promise<PushHere>): Promise<void> {
  await attempt(m.failed, async () => {
    const { state } = await change();
    toast(m.states[state]);
  });
}

export const PUSH_COMMANDS: readonly Command[] = [
  { id: "push-on", label: m.turnOn, icon: "bell", run: () => void run(async () => (await load()).subscribe()) },
  { id: "push-off", label: m.turnOff, icon: "bell", run: () => void run(async () => (await load()).unsubscribe()) },
];
