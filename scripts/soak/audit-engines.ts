import type { Ledger } from "./acts.ts";
import type { Correspondence } from "./emails.ts";
import type { LiveClient } from "./live.ts";
import type { Received } from "./receivers.ts";

export type Row = Record<string, string | number | null>;
export type Select = (sql: string) => Row[];

/** One event, one message under one id, one delivery to each endpoint, which its receiver knows of. */
export function compareDeliveries(
  rows: Select,
  ledgers: readonly Ledger[],
  boxes: ReadonlyMap<number, readonly Received[]>,
): string[] {
  const findings: string[] = [];
  const [raised] = rows("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'");
  const [made] = rows("SELECT count(DISTINCT outbox_id) AS events, count(outbox_id) AS messages FROM webhook_messages");
  if (raised?.seq !== made?.events)
    findings.push(`${raised?.seq} events were raised and ${made?.events} became messages`);
  if (made?.messages !== made?.events) findings.push(`${made?.events} events have ${made?.messages} messages`);
  const messages = rows("SELECT id, type FROM webhook_messages");
  for (const [endpoint, box] of boxes) {
    const received = new Set(box.map(({ id }) => id));
    const missing = messages.filter(({ id }) => !received.has(String(id)));
    findings.push(...missing.map(({ id, type }) => `webhook ${endpoint} never got ${type} ${id}`));
    if (received.size > messages.length) findings.push(`webhook ${endpoint} got messages that are not stored`);
    findings.push(...comparePresence(endpoint, ledgers, box));
  }
  const failed = rows("SELECT id FROM webhook_deliveries WHERE status = 'failed'");
  findings.push(...failed.map(({ id }) => `delivery ${id} was given up`));
  return findings;
}

/** Each record that a caller was told of has come as new once, that is under one id. */
function comparePresence(endpoint: number, ledgers: readonly Ledger[], box: readonly Received[]): string[] {
  const ids = new Map<string, Set<string>>();
  for (const { id, type, recordId } of box) {
    const key = `${type} ${recordId}`;
    ids.set(key, (ids.get(key) ?? new Set()).add(id));
  }
  const expected = ledgers.flatMap(({ tasks, deletedTasks, mails, events }) => [
    ...[...tasks.keys(), ...deletedTasks].map((id) => `task.created ${id}`),
    ...[...mails.values()].map(({ id }) => `email.received ${id}`),
    ...[...events.keys()].map((id) => `event.created ${id}`),
  ]);
  return expected.flatMap((key) => {
    const count = ids.get(key)?.size ?? 0;
    return count === 1 ? [] : [`webhook ${endpoint} got ${key} under ${count} ids`];
  });
}

/** Every change from the first to the last that a client saw, unless the log has forgotten it, and none twice. */
export function compareLive(rows: Select, clients: readonly { client: LiveClient; audience: string }[]): string[] {
  return clients.flatMap(({ client, audience }) => {
    const { name, seen, first = 0, findings } = client;
    const last = seen.at(-1)?.id ?? 0;
    const logged = rows(`SELECT id, type FROM changes WHERE id > ${first} AND id <= ${last}
      AND (audience IS NULL OR ' ' || audience || ' ' LIKE '% ${audience} %')`);
    const ids = new Set(seen.map(({ id }) => id));
    const missing = logged.filter(({ id }) => !ids.has(Number(id)));
    const [oldest] = rows("SELECT min(id) AS id FROM changes");
    const comparable = [...ids].filter((id) => id >= Number(oldest?.id));
    const isMore = comparable.length > logged.length;
    return [
      ...findings,
      ...missing.map(({ id, type }) => `${name}: change ${id} (${type}) never came`),
      ...(isMore ? [`${name}: it saw changes that are not for it`] : []),
    ];
  });
}

/** What was accepted is stored once and analyzed; what was called sent is. */
export function compareEmails(rows: Select, { accepted, replied }: Correspondence): string[] {
  const inbound = new Map(
    rows("SELECT message_id, analysis IS NOT NULL AS has_analysis FROM emails WHERE source = 'inbound'").map((row) => [
      row.message_id,
      row,
    ]),
  );
  const sent = new Set(rows("SELECT id FROM emails WHERE delivery = 'sent'").map(({ id }) => id));
  return [
    ...accepted.filter((id) => !inbound.has(id)).map((id) => `email ${id} was accepted and is lost`),
    ...[...inbound.values()]
      .filter(({ has_analysis }) => !has_analysis)
      .map(({ message_id }) => `email ${message_id} has no analysis`),
    ...replied.filter((id) => !sent.has(id)).map((id) => `reply ${id} was called sent and is not`),
  ];
}
