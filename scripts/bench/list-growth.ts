import { addSessions, addWebhooks, register } from "./account-cases.ts";
import type { Bundles } from "./build.ts";
import type { Call } from "./client.ts";
import { measureGrowth } from "./cost.ts";
import type { Plan } from "./plan.ts";
import type { GrowthResult } from "./report.ts";
import { addEvents, addMails, addTasks, MONTH } from "./rows.ts";
import { type Stage, withStage } from "./stage.ts";

const SIZES = [1000, 10_000, 100_000];
const HOUR = 3_600_000;
const MINUTE = 60_000;
const NOW = Date.now();

/** Lists over the same tables, which are filled once for all of them. */
export interface ListGroup {
  name: string;
  /** Its tables are those of the data endpoints, so it is measured while those are filled. */
  isData?: true;
  paths: readonly string[];
  fill(stage: Stage, from: number, to: number): Promise<void>;
}

const times = { version: 1, created_at: NOW, updated_at: NOW };
/** One row in ten thousand is of the rare kind, the first one among them. */
const rare = (number: number, exception: string, rule: string) => (number % 10_000 === 0 ? exception : rule);

function add(table: string, row: (number: number) => Record<string, string | number | null>): ListGroup["fill"] {
  return (stage, from, to) =>
    stage.insertRows(
      table,
      Array.from({ length: to - from }, (_, index) => row(from + index)),
    );
}

export const LIST_GROUPS: readonly ListGroup[] = [
  {
    name: "tasks",
    isData: true,
    paths: [
      ...["", "status=done", "status=done,todo", "priority=urgent", "priority=low", "source=chat", "source=manual"],
      ...[
        "tag=seldom",
        "tag=often",
        "overdue=true",
        "q=quarterly",
        "tag=seldom&sort=priority",
        "source=chat&sort=created",
      ],
    ].map((query) => `/api/tasks?${query}`),
    fill: addTasks,
  },
  {
    name: "mail",
    isData: true,
    paths: [
      ...[
        "",
        "tag=hello",
        "unread=true",
        "q=quarterly",
        "status=trash",
        "starred=true",
        "q=quarterly&status=trash",
        `q=${encodeURIComponent("quarterly -newsletter from:ann in:inbox after:2020-01-01")}`,
        "from=nobody@example.com",
      ].map((query) => `/api/emails?${query}`),
      "/api/emails/threads?",
      "/api/emails/threads?q=quarterly",
      "/api/emails/boxes?",
      "/api/stats?",
    ],
    fill: addMails,
  },
  {
    name: "events",
    isData: true,
    paths: [`/api/calendar/events?${MONTH}`, "/api/calendar/upcoming?", `/api/calendar/freebusy?${MONTH}`],
    fill: addEvents,
  },
  {
    name: "the stream",
    paths: ["", "status=skipped", "status=posted", "platform=x", "platform=discord"].map(
      (query) => `/api/stream/captions?${query}`,
    ),
    fill: add("captions", (number) => ({
      kind: "go_live",
      platform: rare(number, "x", "discord"),
      subject: `bench-${number}`,
      text: "Live now",
      hashtags: "[]",
      status: rare(number, "skipped", "posted"),
      uncertain: 0,
      attempts: 1,
      engine: '{"kind":"builtin","model":null,"provider":null,"upstreamModel":null,"fallbackReason":null}',
      ...times,
    })),
  },
  {
    name: "the log",
    paths: ["/api/settings/security/audit-log?", "/api/settings/security/login-history?"],
    fill: add("audit_log", (number) => ({
      user_id: 1,
      action: rare(number, "login.succeeded", "profile.updated"),
      actor: "user",
      ip: "127.0.0.1",
      at: NOW,
    })),
  },
  {
    name: "AI calls",
    paths: ["", "model=model_b", "model=builtin", "task=detect", "task=chat"].map(
      (query) => `/api/settings/tokens/history?${query}`,
    ),
    fill: add("ai_calls", (number) => ({
      at: NOW - number * MINUTE,
      task: rare(number, "detect", "chat"),
      model: rare(number, "model_b", "builtin"),
      input_tokens: 1,
      output_tokens: 1,
      duration_ms: 1,
    })),
  },
  { name: "sessions", paths: ["/api/settings/security/sessions?"], fill: addSessions },
  { name: "webhooks", paths: ["/api/settings/webhooks?"], fill: addWebhooks },
  {
    name: "sync runs",
    paths: ["/api/bookingsvc/sync/runs?"],
    fill: add("sync_runs", (number) => ({
      id: `bench-${number}`,
      trigger: "cron",
      mode: "incremental",
      status: "succeeded",
      lease_until: NOW,
      started_at: NOW - number * HOUR,
      finished_at: NOW,
    })),
  },
  {
    name: "conversations",
    paths: ["/api/ai/chat/conversations?"],
    fill: add("chat_conversations", (number) => ({
      id: `bench-${number}`,
      user_id: 1,
      title: "Talk",
      created_at: NOW,
      updated_at: NOW + number,
    })),
  },
];

/** What the pages of the groups read while their tables fill, on a stage of their own. */
export function measureLists(bundles: Bundles, groups: readonly ListGroup[], plan: Plan): Promise<GrowthResult[]> {
  if (groups.length === 0) return Promise.resolve([]);
  return withStage(bundles, async (stage) => {
    const { token } = await register(stage);
    const results: GrowthResult[] = [];
    for (const group of groups) results.push(...(await measureGroup(stage, token, group, plan)));
    return results;
  });
}

/** What a page of each list reads while its table fills. No comparison: rows read are the same on any machine. */
export async function measureGroup(
  stage: Stage,
  token: string,
  { paths, fill }: ListGroup,
  plan: Plan,
): Promise<GrowthResult[]> {
  const headers = { authorization: `Bearer ${token}` };
  const calls = paths.map(
    (path): Call => ({ path: /stats|freebusy|boxes/.test(path) ? path : `${path}&limit=50`, headers }),
  );
  const costs = await measureGrowth(
    stage,
    calls.map((call) => ({ ours: () => call, status: 200, concurrency: 1 })),
    { sizes: SIZES, fill },
    plan,
  );
  return paths.map((path, index) => ({
    name: `GET ${path.replace(/\?$|\?start=.*/, "")}`,
    growth: costs[index] ?? [],
  }));
}
