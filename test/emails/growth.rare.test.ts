import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { storeEmail } from "../../src/features/emails/store.ts";
import type { StoredAttachment } from "../../src/lib/attachments.ts";
import { asSystem } from "../webhooks/receiver.ts";

/* 100,000 messages of 75 KB must fit a database of 10 GB several times: it grows by less than 6 KB a message. */

const MESSAGES = 120;
const MOST_BYTES = 6000;
const SYLLABLES = "ba ce di fo gu ka le mi no pu ra se ti vo wu za che dri flo gren".split(" ");

/** The same sequence in every run. */
let state = 7;
const random = () => {
  state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
  return state / 0x7fffffff;
};
/** Few words are frequent and many are rare, as in texts of people. */
function word(): string {
  let number = Math.floor(random() ** 3 * 20_000);
  let text = "";
  do {
    text += SYLLABLES[number % SYLLABLES.length];
    number = Math.floor(number / SYLLABLES.length);
  } while (number > 0);
  return text;
}
const words = (bytes: number) => {
  let text = "";
  while (text.length < bytes) text += `${word()} `;
  return text;
};
const html = (bytes: number) =>
  `<html><style>p { color: red }</style>${words(bytes).replaceAll(/(\w+ \w+) /g, "<p class='a'>$1</p>")}</html>`;
const file = (n: number): StoredAttachment => ({
  name: `report-${n}.pdf`,
  type: "application/pdf",
  size: 50_000,
  offset: 2000,
  length: 68_000,
  encoding: "base64",
});

interface Sent {
  body: string;
  html: string | null;
  attachments: StoredAttachment[];
}

const MIXTURES: Record<string, (n: number) => Sent> = {
  "mostly HTML": () => ({ body: words(8000), html: html(67_000), attachments: [] }),
  "plain text": () => ({ body: words(75_000), html: null, attachments: [] }),
  "a short text and attachments": (n: number) => ({
    body: words(1200),
    html: null,
    attachments: [file(n), file(n + 1)],
  }),
  "text, HTML and an attachment": (n: number) => ({ body: words(3000), html: html(5000), attachments: [file(n)] }),
};

const size = async () => (await env.DB.prepare("SELECT 1").run()).meta.size_after;

async function store(ctx: Context, n: number, content: Sent) {
  const address = (who: string) => ({ name: `${word()} ${word()}`, email: `${who}${n}@example.com` });
  await storeEmail(ctx, {
    ...content,
    messageId: `<${crypto.randomUUID()}@mail.example.com>`,
    inReplyTo: null,
    references: [],
    direction: "inbound",
    source: "inbound",
    kind: "person",
    authentication: { spf: "pass", dkim: "pass", dmarc: "pass" },
    delivery: null,
    from: address("sender"),
    to: [address("me")],
    cc: [],
    replyTo: null,
    subject: words(40),
    tags: ["hello"],
    status: "inbox",
    isRead: n % 3 > 0,
    isStarred: false,
    receivedAt: new Date(ctx.now.getTime() - n * 60_000),
    raw: { key: `emails/2026-11-16/${crypto.randomUUID()}`, size: 75_000 },
  });
}

describe("the database grows by less than 6 KB for a message of 75 KB:", () => {
  it.each(Object.entries(MIXTURES))(
    "%s",
    async (name, content) => {
      // Pages that earlier tests have left empty would hide what is written.
      await env.DB.exec("CREATE TABLE IF NOT EXISTS growth_filler (text TEXT)");
      for (let n = 0; n < 10; n++) {
        await env.DB.prepare("INSERT INTO growth_filler VALUES (?)").bind("x".repeat(500_000)).run();
      }
      const before = await size();
      await asSystem(async (ctx) => {
        for (let n = 0; n < MESSAGES; n++) await store(ctx, n, content(n));
      });
      const grown = Math.round(((await size()) - before) / MESSAGES);
      await env.DB.exec("DROP TABLE growth_filler");
      console.info(`${name}: ${grown} bytes a message`);
      expect(grown).toBeGreaterThan(500);
      expect(grown).toBeLessThan(MOST_BYTES);
    },
    60_000,
  );
});
