import { effect } from "@preact/signals";
import type { components } from "#api";
import { serverEvents } from "./events.ts";
import { type Kind, queryClient } from "./queries.ts";
import type { ReminderChange } from "./reminder-notices.ts";
import { accessToken, refresh, session, whenSignedOut } from "./session.ts";
import { readFromPrimary } from "./transport.ts";

/*
 * Changes made elsewhere: another tab, inbound email, the cron, an agent. One tab of the browser holds the connection
 * and passes on what it hears, because a browser opens only a few connections to one server.
 */

type LiveChange = components["schemas"]["LiveChange"];

/** What one tab has heard, for all of them. */
interface Heard {
  kinds: string[];
  /** Changes that nobody named: all that was read may be old. */
  isReset: boolean;
  reminders: ReminderChange[];
  /** The last of these changes. A position that came before them would lose them with a tab that is closed meanwhile. */
  upTo: string;
}

const KINDS: readonly Kind[] = [
  "email",
  "draft",
  "task",
  "event",
  "sync",
  "stream",
  "milestone",
  "caption",
  "proposal",
  "delivery",
  "reminder",
];
/** Changes often come several at a time. */
const GATHER_MS = 120;
const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 60_000;
/** Clocks of two machines differ. */
const SLACK_MS = 5000;

const channel = new BroadcastChannel("poa-live");
channel.onmessage = ({ data }: MessageEvent<Heard>) => apply(data);

/** The last change that was passed on to all tabs. The tab that takes over goes on after it, so that none is missed. */
let lastEventId: string | undefined;
/** What was heard and is not passed on yet. */
let gathered: Heard | null = null;
whenSignedOut(() => {
  lastEventId = undefined;
  gathered = null;
});

/** Follows the changes while somebody is signed in. */
export function startLive(): void {
  let stop: AbortController | null = null;
  effect(() => {
    const isIn = session.value.status === "in";
    if (isIn && !stop) {
      stop = new AbortController();
      void takeTurn(stop.signal, Date.now()).catch(() => {});
    } else if (!isIn && stop) {
      stop.abort();
      stop = null;
    }
  });
}

async function takeTurn(signal: AbortSignal, since: number): Promise<void> {
  await navigator.locks.request("poa-live", { signal }, () => follow(signal, since));
}

/** `since`: when the first read of this tab may have begun. */
async function follow(signal: AbortSignal, since: number): Promise<void> {
  let wait = RETRY_MS;
  while (!signal.aborted) {
    try {
      for await (const { event, data, id } of serverEvents({ path: "/api/live", lastEventId, signal })) {
        wait = RETRY_MS;
        if (event === "change") gather(id, JSON.parse(data));
        else if (event === "error") {
          if (endsSession(data)) await refresh(await accessToken());
        } else gather(id, null, event === "reset" || (event === "ready" && isLate(data, since)));
      }
    } catch {
      wait = Math.min(wait * 2, LONGEST_RETRY_MS);
    }
    if (!signal.aborted) await pause(wait, signal);
  }
}

/** Whether something changed after the first read and before the connection, which started at no known change. */
function isLate(data: string, since: number): boolean {
  const { quietMs }: { quietMs?: number } = JSON.parse(data);
  return quietMs !== undefined && quietMs < Date.now() - since + SLACK_MS;
}

/** Whether the stream ended because the session has, elsewhere. Asking for another token then leads to the sign-in page. */
function endsSession(data: string): boolean {
  const { code }: { code?: string } = JSON.parse(data);
  return code === "session_revoked";
}

/** Waits, but not longer than until the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}

function gather(upTo: string, change: LiveChange | null, isReset = false): void {
  if (!gathered) setTimeout(pass, GATHER_MS);
  gathered ??= { kinds: [], isReset, reminders: [], upTo };
  gathered.upTo = upTo;
  gathered.isReset ||= isReset;
  if (!change) return;
  const { type, recordId } = change;
  const kind = type.split(".")[0] ?? type;
  // Lists are shown with tasks, and read under the same key.
  gathered.kinds.push(kind === "list" ? "task" : kind);
  if (kind !== "reminder") return;
  const id = Number(recordId);
  const others = gathered.reminders.filter((each) => each.id !== id);
  gathered.reminders = [...others, { id, hasFired: type === "reminder.fired" }];
}

function pass(): void {
  const heard = gathered;
  gathered = null;
  if (!heard) return;
  channel.postMessage(heard);
  apply(heard);
}

function apply({ kinds: heard, isReset, reminders, upTo }: Heard): void {
  lastEventId = upTo;
  if (isReset || heard.length > 0) readFromPrimary();
  const kinds = KINDS.filter((kind) => heard.includes(kind));
  // A conversation shows its proposals.
  if (kinds.includes("proposal")) kinds.push("chat");
  if (isReset) void queryClient.invalidateQueries();
  else if (heard.length > 0)
    for (const kind of [...kinds, "stats"]) void queryClient.invalidateQueries({ queryKey: [kind] });
  if (reminders.length > 0) {
    void import("./reminder-notices.ts").then(({ showReminders }) => showReminders(reminders));
  }
}
