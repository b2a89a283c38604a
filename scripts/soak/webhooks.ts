import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf, close, listen } from "../../test/fakes/server.ts";
import { randomOf } from "../seed/area.ts";
import type { Ledger } from "./acts.ts";
import type { Part, Select, Stage } from "./part.ts";

/** An event as a receiver got it. */
interface Received {
  id: string;
  type: string;
  recordId: number | string;
  isAccepted: boolean;
}

interface Receiver {
  name: string;
  /** The id of its webhook. */
  webhook: number;
  box: Received[];
}

const ANSWER_MS = 20;
const SLOW_MS = 1200;

/** Three receivers of every event: one works, one often fails, and one is dead, until they are healed. */
export async function openWebhooks({ moments }: Stage, ledgers: readonly Ledger[]): Promise<Part> {
  const receivers = ["steady", "shaky", "dead"].map((name): Receiver => ({ name, webhook: 0, box: [] }));
  const random = randomOf("receivers");
  let isHealed = false;

  /** Null: the line is cut. */
  async function answer(name: string): Promise<number | null> {
    if (name === "steady" || isHealed) return 200;
    if (name === "dead") return random() < 0.5 ? null : 503;
    const chance = random();
    if (chance < 0.05) return null;
    if (chance < 0.1) await sleep(SLOW_MS);
    return chance < 0.2 ? 500 : chance < 0.25 ? 429 : 200;
  }

  const server = http.createServer(async (request, response) => {
    const receiver = receivers.find(({ name }) => request.url === `/${name}`);
    const { type, data } = JSON.parse(await bodyOf(request));
    moments.reach("a webhook delivery");
    await sleep(ANSWER_MS);
    const status = await answer(receiver?.name ?? "");
    const id = String(request.headers["webhook-id"]);
    receiver?.box.push({ id, type, recordId: data.id ?? data.runId ?? "", isAccepted: status === 200 });
    if (status === null) request.socket.destroy();
    else response.writeHead(status, status === 429 ? { "retry-after": "2" } : {}).end();
  });
  const base = await listen(server);

  return {
    async connect(steady, { headers, password }) {
      for (const receiver of receivers) {
        const body = { url: `${base}/${receiver.name}`, currentPassword: password };
        const reply = await steady.surely({ method: "POST", path: "/api/settings/webhooks", headers, body });
        if (steady.expect(reply, [201], "creating a webhook")) receiver.webhook = reply.body.id;
      }
    },
    // The events of all others are its load.
    load: async () => {},
    phases: ["a webhook delivery"],
    heal() {
      isHealed = true;
    },
    owed: {
      "events in the outbox": "SELECT count(*) AS n FROM outbox",
      "pending deliveries": "SELECT count(*) AS n FROM webhook_deliveries WHERE status = 'pending'",
    },
    dueTimes: [
      ["webhook_deliveries", "next_attempt_at", "status = 'pending'"],
      ["webhook_endpoints", "paused_until", "paused_until IS NOT NULL"],
    ],
    rules: {
      "no delivery was given up": "SELECT id, endpoint_id, error FROM webhook_deliveries WHERE status <> 'delivered'",
      "each event is one message": "SELECT outbox_id FROM webhook_messages GROUP BY outbox_id HAVING count(*) > 1",
      "each message goes to every webhook once": `SELECT message_id FROM webhook_deliveries GROUP BY message_id
        HAVING count(*) <> ${receivers.length} OR count(DISTINCT endpoint_id) <> ${receivers.length}`,
      "no webhook is disabled or failing":
        "SELECT id FROM webhook_endpoints WHERE enabled = 0 OR failing_since IS NOT NULL",
      "each event became a message": `SELECT seq FROM sqlite_sequence WHERE name = 'outbox'
        AND seq <> (SELECT count(DISTINCT outbox_id) FROM webhook_messages)`,
    },
    audit: (rows) => receivers.flatMap((receiver) => compareBox(rows, ledgers, receiver)),
    figures: () => receivers.map(figureOf),
    close: () => close(server),
  };
}

function figureOf({ name, box }: Receiver): string {
  const accepted = box.filter(({ isAccepted }) => isAccepted);
  const events = new Set(accepted.map(({ id }) => id)).size;
  return `webhook of the ${name} receiver: ${events} events, ${accepted.length - events} of them accepted again, ${box.length - accepted.length} attempts refused`;
}

/** A receiver has accepted every message, and each record that a caller was told of has come as new under one id. */
function compareBox(rows: Select, ledgers: readonly Ledger[], { name, box }: Receiver): string[] {
  const messages = rows("SELECT id, type FROM webhook_messages");
  const accepted = new Set(box.filter(({ isAccepted }) => isAccepted).map(({ id }) => id));
  const missing = messages.filter(({ id }) => !accepted.has(String(id)));
  const stored = new Set(messages.map(({ id }) => String(id)));
  const unknown = box.filter(({ id }) => !stored.has(id));
  const idsOf = new Map<string, Set<string>>();
  for (const { id, type, recordId } of box) {
    const key = `${type} ${recordId}`;
    idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id));
  }
  const created = ledgers.flatMap(({ tasks, deletedTasks, emails, events }) => [
    ...[...tasks.keys(), ...deletedTasks].map((id) => `task.created ${id}`),
    ...[...emails.values()].map(({ id }) => `email.received ${id}`),
    ...[...events.keys()].map((id) => `event.created ${id}`),
  ]);
  const wrong = created.filter((key) => idsOf.get(key)?.size !== 1);
  return [
    ...missing.map(({ id, type }) => `the ${name} receiver never got ${type} ${id}`),
    ...unknown.map(({ id, type }) => `the ${name} receiver got ${type} ${id}, which is not stored`),
    ...wrong.map((key) => `the ${name} receiver got ${key} under ${idsOf.get(key)?.size ?? 0} ids`),
  ];
}
