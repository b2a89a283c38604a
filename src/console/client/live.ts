import { effect } from "@preact/signals";
import type { components } from "#api";
import { serverEvents } from "./events.ts";
import { type Kind, queryClient } from "./queries.ts";
import type { ReminderChange } from "./reminder-notices.ts";
import { accessToken, refresh, session, whenSignedOut } from "./session.ts";

/*
 * Changes made elsewhere: another tab, inbound email, the cron, an agent. One tab of the browser holds the connection
 * and passes on what it hears, because a browser opens only a few connections to one server.
 */

type LiveChange = components["schemas"]["LiveChange"];
type Heard = { kinds: string[]; reminders: ReminderChange[] } | "everything";

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

const channel = new BroadcastChannel("poa-live");
channel.onmessage = ({ data }: MessageEvent<Heard | { upTo: string }>) => {
  if (typeof data === "object" && "upTo" in data) lastEventId = data.upTo;
  else apply(data);
};

/** The last change that any tab has heard of. The tab that takes over goes on after it, so that none is missed. */
let lastEventId: string | undefined;
whenSignedOut(() => {
  lastEventId = undefined;
});

/** Follows the changes while somebody is signed in. */
export function startLive(): void {
  let stop: AbortController | null = null;
  effect(() => {
    const isIn = session.value.status === "in";
    if (isIn && !stop) {
      stop = new AbortController();
      const { signal } = stop;
      void takeTurn(signal).catch(() => {});
    } else if (!isIn && stop) {
      stop.abort();
      stop = null;
    }
  });
}

async function takeTurn(signal: AbortSignal): Promise<void> {
  const isFirst = await navigator.locks.request("poa-live", { ifAvailable: true }, async (lock) => {
    if (lock) await follow(signal);
    return lock !== null;
  });
  if (isFirst) return;
  await navigator.locks.request("poa-live", { signal }, () => {
    if (lastEventId === undefined) apply("everything");
    return follow(signal);
  });
}

async function follow(signal: AbortSignal): Promise<void> {
  let wait = RETRY_MS;
  while (!signal.aborted) {
    try {
      for await (const { event, data, id } of serverEvents({ path: "/api/live", lastEventId, signal })) {
        if (id && id !== lastEventId) {
          lastEventId = id;
          channel.postMessage({ upTo: id });
        }
        wait = RETRY_MS;
        if (event === "change") gather(JSON.parse(data));
        if (event === "reset") pass("everything");
        if (event === "error" && endsSession(data)) await refresh(await accessToken());
      }
    } catch {
      wait = Math.min(wait * 2, LONGEST_RETRY_MS);
    }
    if (!signal.aborted) await pause(wait, signal);
  }
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

let gathered = new Set<string>();
let reminders = new Map<number, ReminderChange>();

function gather({ type, recordId }: LiveChange): void {
  if (gathered.size === 0) {
    setTimeout(() => {
      const heard = { kinds: [...gathered], reminders: [...reminders.values()] };
      gathered = new Set();
      reminders = new Map();
      pass(heard);
    }, GATHER_MS);
  }
  const kind = type.split(".")[0] ?? type;
  // Lists are shown with tasks, and read under the same key.
  gathered.add(kind === "list" ? "task" : kind);
  if (kind === "reminder")
    reminders.set(Number(recordId), { id: Number(recordId), hasFired: type === "reminder.fired" });
}

function pass(heard: Heard): void {
  channel.postMessage(heard);
  apply(heard);
}

function apply(heard: Heard): void {
  if (heard === "everything") {
    void queryClient.invalidateQueries();
    return;
  }
  const kinds = KINDS.filter((kind) => heard.kinds.includes(kind));
  // A conversation shows its proposals.
  if (kinds.includes("proposal")) kinds.push("chat");
  for (const kind of [...kinds, "stats"]) void queryClient.invalidateQueries({ queryKey: [kind] });
  if (heard.reminders.length > 0) {
    void import("./reminder-notices.ts").then(({ showReminders }) => showReminders(heard.reminders));
  }
}
