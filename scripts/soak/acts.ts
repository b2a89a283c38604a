import type { Caller } from "./caller.ts";

/** What a caller was told is stored, and may therefore expect to find. */
export interface Ledger {
  tasks: Map<number, { title: string; status: string }>;
  deletedTasks: Set<number>;
  mails: Map<string, { id: number; isRead: boolean }>;
  events: Map<number, { title: string; start: string; status: string }>;
}

export const newLedger = (): Ledger => ({
  tasks: new Map(),
  deletedTasks: new Set(),
  mails: new Map(),
  events: new Map(),
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
      const reply = await caller.create(
        { path: "/api/tasks", body: { title, tags: [MARK, "load"] } },
        `task-${name}`,
        `/api/tasks?q=${encodeURIComponent(`"${title}"`)}`,
      );
      if (caller.expect(reply, [201], "creating a task")) ledger.tasks.set(reply.body.id, { title, status: "todo" });
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
    name: "store a mail",
    weight: 4,
    async run(caller, ledger, name) {
      const messageId = `<${MARK}-${name}@example.com>`;
      const parent = caller.random() < 0.4 ? pick(caller, ledger.mails.keys()) : undefined;
      const reply = await caller.surely({
        method: "POST",
        path: "/api/emails",
        body: {
          messageId,
          from: "Ann <ann@example.com>",
          to: "hello@example.com",
          subject: `${MARK} mail ${name}`,
          body: "Could you send the signed contract by Friday? Thank you.",
          ...(parent && { inReplyTo: parent }),
        },
      });
      if (caller.expect(reply, [200, 201], "storing a mail")) {
        ledger.mails.set(messageId, { id: reply.body.id, isRead: reply.body.isRead });
      }
    },
  },
  {
    name: "read a mail",
    weight: 3,
    async run(caller, ledger) {
      const mail = pick(caller, ledger.mails.values());
      if (!mail) return;
      const isRead = caller.random() < 0.7;
      const reply = await caller.surely({ method: "PATCH", path: `/api/emails/${mail.id}`, body: { isRead } });
      if (caller.expect(reply, [200], "marking a mail")) mail.isRead = isRead;
      await caller.surely({ path: `/api/emails/${mail.id}/ai-analysis` });
    },
  },
  {
    name: "create an event",
    weight: 3,
    async run(caller, ledger, name) {
      const title = `${MARK} event ${name}`;
      const start = new Date(Date.now() + Math.ceil(caller.random() * 60) * DAY_MS).toISOString();
      const end = new Date(Date.parse(start) + 1).toISOString();
      const reply = await caller.create(
        { path: "/api/calendar/events", body: { title, start, durationMinutes: 45 } },
        `event-${name}`,
        `/api/calendar/events?start=${start}&end=${end}&limit=100`,
      );
      if (caller.expect(reply, [201], "creating an event")) {
        ledger.events.set(reply.body.id, { title, start, status: "confirmed" });
      }
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
