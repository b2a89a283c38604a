import type { Case, Growth, Requests } from "./case.ts";
import type { Stage } from "./stage.ts";

const SIZES = [1000, 10_000, 100_000];
const MINUTE_MS = 60_000;
const NOW = Date.now();
/** So far apart, the first thousand fill the fortnight that the dashboard shows. */
const GAP_MS = 21 * MINUTE_MS;
const LIMIT = 50;

const growth: Growth = { sizes: SIZES, fill: addMails };

/** The same page of mail, of which the bare Worker is asked by the same filter. */
function list(name: string, filter: string, bareFilter: string): Case {
  return {
    name,
    async requests(stage): Promise<Requests> {
      await addMails(stage, 0, 200);
      return {
        ours: { path: `/api/emails?limit=${LIMIT}${filter}` },
        bare: { path: `/emails?limit=${LIMIT}&${bareFilter}` },
      };
    },
    // The first rows are there already, for the comparison of speed.
    growth: { sizes: SIZES, fill: (stage, from, to) => addMails(stage, Math.max(from, 200), to) },
  };
}

/** Mail and what is counted of it. At any size a page should cost a page. */
export const MAIL_CASES: readonly Case[] = [
  list("GET /api/emails", "", ""),
  list("GET /api/emails?tag=", "&tag=hello", "tag=hello"),
  list("GET /api/emails?unread=true", "&unread=true", "unread=1"),
  list("GET /api/emails?q= (a word of every mail)", "&q=quarterly", "q=quarterly"),
  {
    name: "GET /api/stats",
    requests: { ours: { path: "/api/stats?timeZone=UTC" }, bare: { path: "/dashboard/stats" } },
    growth,
  },
];

/** Mails numbered after `from`, each some minutes before the last; every other one is unread. Triggers do the rest. */
export async function addMails(stage: Stage, from: number, to: number): Promise<void> {
  const numbers = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index + 1);
  await stage.insertRows(
    "emails",
    numbers.map((id) => ({
      id,
      message_id: `<bench-${id}@example.com>`,
      thread_id: id,
      reference_ids: "[]",
      direction: "inbound",
      source: "import",
      kind: "person",
      from_name: "Ann Lee",
      from_email: "ann@example.com",
      to_recipients: '[{"name":"","email":"hello@example.com"}]',
      cc_recipients: "[]",
      subject: `Report ${id}`,
      snippet: "The quarterly figures are in.",
      attachments: "[]",
      tags: '["hello"]',
      status: id % 10_000 === 1 ? "trash" : "inbox",
      is_read: id % 2,
      is_starred: id % 10_000 === 1 ? 1 : 0,
      received_at: NOW - id * GAP_MS,
      version: 1,
      created_at: NOW,
      updated_at: NOW,
      body: `The quarterly figures are in, and number ${id} is the best of them.`,
    })),
  );
}
