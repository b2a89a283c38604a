import type { Caller } from "./caller.ts";

/** What a caller was told is stored, and may therefore expect to find. */
export interface Ledger {
  tasks: Map<number, { title: string; status: string }>;
  deletedTasks: Set<number>;
  emails: Map<string, { id: number; isRead: boolean }>;
  events: Map<number, { title: string; start: string; status: string }>;
  /** Creations that were asked for again under their key after their answer had come. */
  repeats: number;
}

export const newLedger = (): Ledger => ({
  tasks: new Map(),
  deletedTasks: new Set(),
  emails: new Map(),
  events: new Map(),
  repeats: 0,
});

/** All titles begin with it, so that the audit knows what came from here. */
export const MARK = "soak";

interface Act {
  name: string;
  weight: number;
  run(caller: Caller, ledger: Ledger, name: string): Promise<void>;
}

const pick = <Item>(caller: Caller, items: Iterable<Item>): Item | undefined => {
  const list = [...items];
  return list[Math.floor(caller.random() * list.length)];
};

/** One in so many creations is asked for again, and must not be made again. */
const REPEATED = 0.1;

interface Creation {
  call: { path: string; body: { title: string } };
  key: string;
  /** Where the record is found if the server died before it kept the answer. */
  found: string;
}

/** Creates a record. Its caller goes on with other records while the key of a killed request is held. */
function create(caller: Caller, ledger: Ledger, { call, key, found }: Creation, keep: (id: number) => void) {
  return caller.inBackground(async () => {
    const what = `POST ${call.path} under ${key}`;
    const reply = await caller.create(call, key, found);
    if (!caller.expect(reply, [201], what)) return;
    keep(reply.body.id);
    if (caller.random() >= REPEATED) return;
    const again = await caller.create(call, key, found);
    ledger.repeats += 1;
    if (caller.expect(again, [201], what) && again.body.id !== reply.body.id) {
      caller.find(`${what} made ${reply.body.id}, then ${again.body.id}`);
    }
  });
}

const DAY_MS = 86_400_000;
const STATUSES = ["todo", "in_progress", "waiting", "done", "cancelled"];
const READS = [
  "/api/tasks?limit=20",
  "/api/tasks?status=todo&sort=priority",
  "/api/emails?limit=20",
  `/api/emails?q=${MARK}`,
  "/api/emails?unread=true",
  "/api/emails/tags",
  "/api/calendar/upcoming",
  "/api/stats",
  "/api/health",
];

/** Each caller changes only records of its own, so that it knows what they must be. */
export const ACTS: readonly Act[] = [
  {
    name: "create a task",
    weight: 5,
    async run(caller, ledger, name) {
      const title = `${MARK} task ${name}`;
      const call = { path: "/api/tasks", body: { title, tags: [MARK, "load"] } };
      const found = `/api/tasks?q=${encodeURIComponent(`"${title}"`)}`;
      await create(caller, ledger, { call, key: `task-${name}`, found }, (id) => {
        ledger.tasks.set(id, { title, status: "todo" });
      });
    },
  },
  {
    name: "change a task",
    weight: 5,
    async run(caller, ledger) {
      const id = pick(caller, ledger.tasks.keys());
      const status = pick(caller, STATUSES) ?? "done";
      if (id === undefined) return;
      const reply = await caller.surely({ method: "PATCH", path: `/api/tasks/${id}`, body: { status } });
      const task = ledger.tasks.get(id);
      if (caller.expect(reply, [200], "changing a task") && task) task.status = status;
    },
  },
  {
    name: "delete a task",
    weight: 1,
    async run(caller, ledger) {
      const id = pick(caller, ledger.tasks.keys());
      if (id === undefined) return;
      const reply = await caller.surely({ method: "DELETE", path: `/api/tasks/${id}` });
      // 404: the first try was done, and its answer lost.
      if (!caller.expect(reply, [204, 404], "deleting a task")) return;
      ledger.tasks.delete(id);
      ledger.deletedTasks.add(id);
    },
  },
  {
    name: "store an email",
    weight: 4,
    async run(caller, ledger, name) {
      const messageId = `<${MARK}-${name}@example.com>`;
      const parent = caller.random() < 0.4 ? pick(caller, ledger.emails.keys()) : undefined;
      const reply = await caller.surely({
        method: "POST",
        path: "/api/emails",
        body: {
          messageId,
          from: "Ann <ann@example.com>",
          to: "hello@example.com",
          subject: `${MARK} email ${name}`,
          body: "Could you send the signed contract by Friday? Thank you.",
          ...(parent && { inReplyTo: parent }),
        },
      });
      if (caller.expect(reply, [200, 201], "storing an email")) {
        ledger.emails.set(messageId, { id: reply.body.id, isRead: reply.body.isRead });
      }
    },
  },
  {
    name: "read an email",
    weight: 3,
    async run(caller, ledger) {
      const email = pick(caller, ledger.emails.values());
      if (!email) return;
      const isRead = caller.random() < 0.7;
      const reply = await caller.surely({ method: "PATCH", path: `/api/emails/${email.id}`, body: { isRead } });
      if (caller.expect(reply, [200], "marking an email")) email.isRead = isRead;
      await caller.surely({ path: `/api/emails/${email.id}/ai-analysis` });
    },
  },
  {
    name: "create an event",
    weight: 3,
    async run(caller, ledger, name) {
      const title = `${MARK} event ${name}`;
      const start = new Date(Date.now() + Math.ceil(caller.random() * 60) * DAY_MS).toISOString();
      const end = new Date(Date.parse(start) + 1).toISOString();
      const call = { path: "/api/calendar/events", body: { title, start, durationMinutes: 45 } };
      const found = `/api/calendar/events?start=${start}&end=${end}&limit=100`;
      await create(caller, ledger, { call, key: `event-${name}`, found }, (id) => {
        ledger.events.set(id, { title, start, status: "confirmed" });
      });
    },
  },
  {
    name: "move or cancel an event",
    weight: 2,
    async run(caller, ledger) {
      const found = pick(caller, ledger.events);
      if (!found) return;
      const [id, event] = found;
      const isCancelled = event.status === "cancelled" || caller.random() < 0.2;
      const start = new Date(Date.now() + Math.ceil(caller.random() * 60) * DAY_MS).toISOString();
      const body = isCancelled ? { status: "cancelled" } : { start, durationMinutes: 45 };
      const reply = await caller.surely({ method: "PATCH", path: `/api/calendar/events/${id}`, body });
      if (!caller.expect(reply, [200], "changing an event")) return;
      if (isCancelled) event.status = "cancelled";
      else event.start = start;
    },
  },
  {
    name: "look around",
    weight: 10,
    async run(caller) {
      const path = pick(caller, READS) ?? "/api/health";
      const reply = await caller.attempt({ path });
      if (reply) caller.expect(reply, [200], `GET ${path}`);
    },
  },
];

export function nextAct(caller: Caller): Act {
  const total = ACTS.reduce((sum, { weight }) => sum + weight, 0);
  let left = caller.random() * total;
  for (const act of ACTS) {
    left -= act.weight;
    if (left < 0) return act;
  }
  return ACTS[0] as Act;
}
