import { env } from "cloudflare:workers";
import { BUILTIN_ENGINE } from "../../src/lib/ai-kinds.ts";

/** So many rows of each table in the end. */
export const MANY = 6000;
/** The first rows differ from all others in whatever can be filtered by: the rarest and the farthest away. */
const RARE = 3;
const HOUR = 3_600_000;
const NOW = Date.now();
/** Above the ids of any other test. */
export const FIRST_ID = 5_000_000;

type Row = Record<string, string | number | null>;

/** Rows of `table` numbered from 0. */
interface Fill {
  table: string;
  row(number: number, personId: number): Row;
}

export interface Group {
  fills: Fill[];
  lists: string[];
  /** Deletes what was filled in. */
  empty: string[];
}

const rare = (number: number, exception: string, rule: string) => (number < RARE ? exception : rule);
const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
const times = { created_at: NOW, updated_at: NOW, version: 1 };

const mails: Group = {
  fills: [
    {
      table: "emails",
      row: (n) => ({
        id: FIRST_ID + n,
        message_id: `<flat-${n}@example.com>`,
        thread_id: FIRST_ID,
        reference_ids: "[]",
        direction: rare(n, "outbound", "inbound"),
        source: "import",
        kind: rare(n, "bounce", "person"),
        from_name: "Ann",
        from_email: rare(n, "rare@example.com", "ann@example.com"),
        to_recipients: JSON.stringify([{ name: "", email: rare(n, "rare@example.com", "me@example.com") }]),
        cc_recipients: "[]",
        subject: rare(n, "Marmalade", "Report"),
        snippet: "",
        attachments: rare(n, '[{"name":"offer.pdf","type":"application/pdf","size":6000000}]', "[]"),
        tags: JSON.stringify([rare(n, "seldom", "often"), `each-${n}`]),
        status: rare(n, "trash", "inbox"),
        is_read: n < RARE ? 1 : 0,
        is_starred: n < RARE ? 1 : 0,
        snoozed_until: n < RARE ? NOW + 1000 * HOUR : null,
        received_at: NOW - 24 * HOUR * 400 + n * HOUR,
        urgency: rare(n, "critical", "low"),
        category: rare(n, "invoice", "work"),
        reply_needed: n < RARE ? 1 : 0,
        has_attachments: n < RARE ? 1 : 0,
        body: "words of every mail",
        ...times,
      }),
    },
  ],
  lists: [
    ...["", "status=trash", "status=inbox", "unread=true", "unread=false", "starred=true", "starred=false"],
    ...["snoozed=true", "snoozed=false", "direction=outbound", "direction=inbound", "urgency=critical", "urgency=low"],
    ...["kind=bounce", "kind=person", "kind=bulk", "kind=person&status=inbox&unread=true", "kind=bounce&tag=seldom"],
    ...["tag=seldom", "tag=often", `threadId=${FIRST_ID}`, `since=${at(NOW - 24 * HOUR * 400)}`],
    ...[`until=${at(NOW - 24 * HOUR * 399)}`, "q=words", "q=marmalade", "q=words&tag=often", "q=words&status=inbox"],
    ...["status=trash", "starred=true", "direction=outbound", "urgency=critical", "tag=seldom", "kind=bounce"].map(
      (filter) => `q=words&${filter}`,
    ),
    ...["from=ann@example.com", "from=rare@example.com", "from=nobody@example.com", "to=rare@example.com", "to=me"],
    ...["q=has:pdf", "q=has:pdf%20words", "q=has:video", "q=larger:5mb", "q=larger:5mb%20words", "q=larger:9mb"],
    ...["q=smaller:1mb", "q=on:2026", "q=in:inbox%20on:2026"],
    ...["category=invoice", "category=work", "replyNeeded=true", "replyNeeded=false", "hasAttachment=true"],
    ...["hasAttachment=false", "status=any", "status=any&tag=seldom", "status=trash&tag=seldom"],
    ...[
      "category=invoice",
      "replyNeeded=true",
      "hasAttachment=true",
      "from=rare@example.com",
      "to=rare@example.com",
    ].map((filter) => `q=words&${filter}`),
    ...[
      "-marmalade",
      "-words",
      "from:rare words",
      "is:starred words",
      "words OR marmalade",
      "in:anywhere marmalade",
    ].map((text) => `q=${encodeURIComponent(text)}`),
  ].map((query) => `/api/emails?${query}`),
  empty: [`DELETE FROM emails WHERE id >= ${FIRST_ID}`],
};
mails.lists.push(
  "/api/emails/boxes?",
  "/api/emails/tags?",
  "/api/emails/attachments?",
  "/api/emails/attachments?kind=pdf",
  "/api/emails/attachments?kind=audio&from=ann",
  `/api/emails/${FIRST_ID}/thread?`,
  "/api/stats?timeZone=Asia/Kathmandu",
);

const SORTS = ["due", "created", "priority"];

const tasks: Group = {
  fills: [
    {
      table: "tasks",
      row: (n) => ({
        id: FIRST_ID + n,
        title: rare(n, "Marmalade", "Report"),
        description: "words of every task",
        status: rare(n, "waiting", "todo"),
        priority: rare(n, "high", "low"),
        due_at: n < RARE ? NOW + 1000 * HOUR : NOW - n * HOUR - HOUR,
        tags: JSON.stringify([rare(n, "seldom", "often")]),
        source: rare(n, "chat", "manual"),
        list_id: n < RARE ? 1 : 2,
        ...times,
      }),
    },
  ],
  lists: [
    ...["", "status=open", "status=all", "status=waiting", "listId=1", "listId=2", "listId=none", "parentId=none"],
    ...["status=all&overdue=false", "listId=2&status=all", "listId=2&parentId=none&overdue=true"],
    ...["status=todo", "status=todo,waiting,done", "priority=high", "priority=low"],
    ...["priority=high,low", "source=chat", "source=manual", "tag=seldom", "tag=often", "overdue=true"],
    ...["overdue=false", `dueAfter=${at(NOW)}`, `dueBefore=${at(NOW)}`, `dueAfter=${at(NOW - 200 * HOUR)}`],
    ...["q=words", "q=marmalade", "q=words&tag=often", "q=words&status=todo", "emailId=999999999"],
  ]
    .flatMap((query) => SORTS.map((sort) => `/api/tasks?${query}&sort=${sort}`))
    .concat("/api/tasks?sort=position", "/api/tasks?listId=2&sort=position", "/api/tasks?listId=1&sort=position"),
  empty: [`DELETE FROM tasks WHERE id >= ${FIRST_ID}`],
};

const calendar: Group = {
  fills: [
    {
      table: "events",
      row: (n) => ({
        title: "Event",
        start_at: NOW + (MANY - n) * 3 * HOUR,
        end_at: NOW + (MANY - n) * 3 * HOUR + HOUR,
        time_zone: "UTC",
        span: 0,
        status: rare(n, "cancelled", "confirmed"),
        source: rare(n, "chat", "manual"),
        ical_uid: `flat-${n}`,
        created_at: NOW,
        updated_at: NOW,
      }),
    },
  ],
  lists: [
    ...["", "status=cancelled", "status=confirmed", "source=chat", "source=manual", "status=tentative,confirmed"],
    ...[`start=${at(NOW)}`, `end=${at(NOW + 30_000 * HOUR)}`, `start=${at(NOW)}&end=${at(NOW + 30_000 * HOUR)}`],
  ].map((query) => `/api/calendar/events?${query}`),
  empty: ["DELETE FROM events WHERE ical_uid LIKE 'flat-%'"],
};

const sync: Group = {
  fills: [
    {
      table: "sync_runs",
      row: (n) => ({
        id: `flat-${n}`,
        trigger: "cron",
        mode: "incremental",
        status: "succeeded",
        lease_until: NOW,
        started_at: NOW - n * HOUR,
        finished_at: NOW,
      }),
    },
  ],
  lists: ["/api/bookingsvc/sync/runs?"],
  empty: ["DELETE FROM sync_runs WHERE id LIKE 'flat-%'"],
};

const stream: Group = {
  fills: [
    {
      table: "stream_sessions",
      row: (n) => ({
        id: FIRST_ID + n,
        platform: rare(n, "custom", "youtube"),
        external_id: `flat-${n}`,
        state: rare(n, "cancelled", "ended"),
        started_at: NOW,
        ended_at: NOW,
        state_at: NOW,
        reported_at: NOW,
        ...times,
      }),
    },
    {
      table: "captions",
      row: (n) => ({
        id: FIRST_ID + n,
        kind: "go_live",
        session_id: FIRST_ID + (n < RARE ? 0 : 1),
        platform: rare(n, "x", "discord"),
        subject: `flat-${n}`,
        text: "Live now",
        hashtags: "[]",
        status: rare(n, "skipped", "posted"),
        uncertain: 0,
        attempts: 1,
        engine: JSON.stringify(BUILTIN_ENGINE),
        ...times,
      }),
    },
    {
      table: "stream_milestones",
      row: (n) => ({
        metric: rare(n, "viewers", "subscribers"),
        threshold: 500_000_000 + n,
        reached_at: n > MANY - RARE ? NOW : null,
        ...times,
      }),
    },
    { table: "stream_events", row: () => ({ type: "flat", at: NOW, data: "{}" }) },
  ],
  lists: [
    ...["", "platform=custom", "platform=youtube", "state=cancelled", "state=ended", "state=ended,cancelled"].map(
      (query) => `/api/stream/sessions?${query}`,
    ),
    ...["", "platform=x", "platform=discord", "platform=discord,x", "status=skipped", "status=posted"].map(
      (query) => `/api/stream/captions?${query}`,
    ),
    ...["status=posted,skipped", `sessionId=${FIRST_ID}`, `sessionId=${FIRST_ID + 1}`].map(
      (query) => `/api/stream/captions?${query}`,
    ),
    ...["", "metric=viewers", "metric=subscribers", "reached=true", "reached=false"].map(
      (query) => `/api/stream/milestones?${query}`,
    ),
    ...["/api/stream/captions/pending?", "/api/stream/status?", "/api/stream/events?"],
  ],
  empty: [
    `DELETE FROM captions WHERE id >= ${FIRST_ID}`,
    "DELETE FROM stream_milestones WHERE threshold >= 500000000",
    `DELETE FROM stream_sessions WHERE id >= ${FIRST_ID}`,
    "DELETE FROM stream_events WHERE type = 'flat'",
  ],
};

const account: Group = {
  fills: [
    {
      table: "audit_log",
      row: (n, personId) => ({
        user_id: personId,
        action: rare(n, "login.succeeded", "profile.updated"),
        actor: "user",
        ip: "127.0.0.1",
        at: NOW,
      }),
    },
    {
      table: "sessions",
      row: (n, personId) => ({
        id: `flat-${n}`,
        user_id: personId,
        created_at: NOW,
        last_seen_at: NOW,
        expires_at: NOW + 1000 * HOUR,
        refresh_counter: 0,
        rotated_at: NOW,
        proved_at: NOW,
        ip: "127.0.0.1",
      }),
    },
    {
      table: "api_keys",
      row: (n, personId) => ({
        user_id: personId,
        name: `flat ${n}`,
        key_hash: `flat-${n}`,
        scopes: "[]",
        created_at: NOW,
      }),
    },
    {
      table: "ai_calls",
      row: (n) => ({
        at: NOW - (MANY - n) * 60_000,
        task: rare(n, "detect", "chat"),
        model: rare(n, "model_b", "builtin"),
        input_tokens: 1,
        output_tokens: 1,
        duration_ms: 1,
      }),
    },
    {
      table: "webhook_endpoints",
      row: (n, personId) => ({
        id: FIRST_ID + n,
        user_id: personId,
        url: "https://example.com/hook",
        event_types: "[]",
        secret: "sealed",
        enabled: 0,
        ...times,
      }),
    },
    {
      table: "webhook_messages",
      row: (n) => ({ id: `flat-${n}`, type: "task.created", payload: "{}", created_at: NOW }),
    },
    {
      table: "webhook_deliveries",
      row: (n) => ({
        id: `flat-${n}`,
        message_id: `flat-${n}`,
        endpoint_id: FIRST_ID,
        type: "task.created",
        status: rare(n, "failed", "delivered"),
        attempts: 1,
        created_at: NOW + n,
      }),
    },
    {
      table: "chat_conversations",
      row: (n, personId) => ({
        id: `flat-${n}`,
        user_id: personId,
        title: "Talk",
        created_at: NOW,
        updated_at: NOW + n,
      }),
    },
    {
      table: "chat_messages",
      row: () => ({
        conversation_id: "flat-0",
        role: "user",
        text: "Hello",
        outside: 0,
        actions: "[]",
        created_at: NOW,
      }),
    },
  ],
  lists: [
    ...["audit-log", "login-history", "sessions", "api-keys"].map((list) => `/api/settings/security/${list}?`),
    ...["", "model=model_b", "model=builtin", "task=detect", "task=chat", `from=${at(NOW - HOUR)}`].map(
      (query) => `/api/settings/tokens/history?${query}`,
    ),
    ...[`/api/settings/tokens/history?until=${at(NOW - 90 * HOUR)}`, "/api/settings/tokens/usage/by-model?"],
    ...["", "status=failed", "status=delivered", "status=pending"].map(
      (query) => `/api/settings/webhooks/${FIRST_ID}/deliveries?${query}`,
    ),
    ...["/api/settings/webhooks?", "/api/ai/chat/conversations?", "/api/ai/chat/conversations/flat-0?"],
  ],
  empty: ["DELETE FROM webhook_messages WHERE id LIKE 'flat-%'", "DELETE FROM ai_calls"],
};

/** Inserts rows of a group. */
/** `now`: for a test with a clock of its own, to which every time is moved. */
export async function fill({ fills }: Group, from: number, to: number, personId: number, now = NOW): Promise<void> {
  const isTime = (value: unknown) => typeof value === "number" && value > 1e12;
  for (const { table, row } of fills) {
    const rows = Array.from({ length: to - from }, (_, index) =>
      Object.fromEntries(
        Object.entries(row(from + index, personId)).map(([name, value]) => [
          name,
          isTime(value) ? Number(value) + now - NOW : value,
        ]),
      ),
    );
    const columns = Object.keys(rows[0] ?? {});
    const values = columns.map((column) => `value ->> '${column}'`);
    const sql = `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?)`;
    await env.DB.prepare(sql).bind(JSON.stringify(rows)).run();
  }
}

export const GROUPS = { mails, tasks, calendar, sync, stream, account };
