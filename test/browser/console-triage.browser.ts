import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { eventually, GRACE, openConsole, signIn } from "./console.ts";
import { peopleIn } from "./kept.ts";
import { type RunningService, startService } from "./service.ts";

/*
 * A person with a full mailbox, who has read no documentation: they import it, answer what asks them something, clear the
 * inbox, and find an old invoice. Only keys and controls that can be seen. What each chore costs is printed, not tested.
 */

const DAY = 86_400_000;
const QUESTIONS = 10;
const FRESH = 300;

describe.skipIf(!executablePath)("a person with 300 messages", () => {
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    await fetch(`${service.origin}/api/auth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...GRACE, name: "Grace Hopper" }),
    });
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  async function read<Answer>(path: string): Promise<Answer> {
    const answer: unknown = await (await fetch(`${service.origin}${path}`)).json();
    return answer as Answer;
  }
  const boxes = () => read<Record<string, { count: number }>>("/api/emails/boxes");
  const listed = async (query: string) =>
    (
      await read<{ data: { subject: string; to: { email: string }[]; delivery: string | null }[] }>(
        `/api/emails?${query}`,
      )
    ).data;

  it("imports them, answers ten, clears the inbox, and forwards an old invoice", async () => {
    const opened = await openConsole(browser, service.origin);
    await signIn(opened.page, service.origin, "/app/settings/data", GRACE);
    const person = new Person(opened.page);
    const { page } = opened;

    let slowest = 0;
    await person.chore("import a mailbox", async () => {
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        person.click(page.getByRole("region", { name: "Import emails" }).getByText("Choose a file")),
      ]);
      await chooser.setFiles({ name: "grace.mbox", mimeType: "application/mbox", buffer: Buffer.from(mailbox()) });
      const done = page.getByRole("link", { name: `${FRESH} in Inbox` });
      let isDone = false;
      const others = async () => {
        while (!isDone) {
          const start = performance.now();
          await read("/api/emails?limit=10");
          slowest = Math.max(slowest, performance.now() - start);
        }
      };
      const asking = others();
      await done.waitFor({ timeout: 120_000 });
      isDone = true;
      await asking;
      await person.click(done);
      await page.getByRole("list", { name: "Emails" }).waitFor();
    });
    expect((await boxes()).inbox?.count).toBe(FRESH);

    await person.chore("answer ten", async () => {
      await person.press("/");
      await person.type("in:inbox kind:person");
      await person.press("Enter");
      const rows = page.getByRole("list", { name: "Emails" }).getByRole("listitem");
      await eventually(() => rows.count()).toBe(QUESTIONS);
      await person.click(rows.first().getByRole("link"));
      for (let answered = 1; answered <= QUESTIONS; answered += 1) {
        await page.getByRole("article").getByRole("button", { name: "Reply", exact: true }).last().waitFor();
        await person.press("r");
        const text = page.getByLabel("Message", { exact: true });
        await text.waitFor();
        await text.and(page.locator(":focus")).waitFor();
        await eventually(() => peopleIn(page.getByLabel("To", { exact: true }))).toContain("@example.org");
        await person.type("Yes, I will be there.");
        await person.press("Control+Enter");
        await text.waitFor({ state: "detached" });
        await person.press("e");
        await eventually(() => rows.count()).toBe(QUESTIONS - answered);
      }
    });
    await eventually(async () => (await listed("direction=outbound")).length).toBe(QUESTIONS);

    await person.chore("clear the inbox", async () => {
      await person.click(page.getByRole("link", { name: "Inbox" }));
      // The newsletters first, with a tag.
      await person.press("/");
      await person.type("in:inbox kind:newsletter");
      await person.press("Enter");
      await eventually(async () => page.url()).toContain("newsletter");
      await selectAll("Select everything found", 200);
      await person.press("l");
      await page.getByLabel("Add a tag").waitFor();
      await person.type("reading");
      await person.press("Enter");
      await eventually(async () => (await read<{ emails: number }>("/api/emails/count?tag=reading")).emails).toBe(200);
      await person.press("Escape");
      await person.press("e");
      await eventually(async () => (await boxes()).inbox?.count).toBe(FRESH - QUESTIONS - 200);
      await person.click(page.getByRole("link", { name: "Clear", exact: true }));
      await selectAll("Select everything in Inbox", FRESH - QUESTIONS - 200);
      await person.press("e");
      await page.getByText("Your inbox is empty").waitFor();
    });
    expect((await boxes()).inbox?.count).toBe(0);

    await person.chore("find an old invoice and forward it", async () => {
      await person.press("/");
      await person.type("invoice harbour");
      await person.press("Enter");
      // The inbox has none; a search looks into all mail.
      await person.click(page.getByRole("link", { name: /Invoice 2024-118/ }));
      await page.getByRole("heading", { name: "Invoice 2024-118" }).waitFor();
      await person.press("f");
      await page.getByLabel("Message", { exact: true }).waitFor();
      await page.locator("input:focus").waitFor();
      await person.type("accounts@example.net");
      await eventually(() => page.getByLabel("Subject", { exact: true }).inputValue()).toBe("Fwd: Invoice 2024-118");
      await person.press("Control+Enter");
      await page.getByLabel("Message", { exact: true }).waitFor({ state: "detached" });
    });
    await eventually(async () => (await listed("to=accounts@example.net")).map(({ subject }) => subject)).toEqual([
      "Fwd: Invoice 2024-118",
    ]);
    expect(opened.trouble).toEqual([]);
    process.stdout.write(`${person.report()}\n  slowest other request during the import: ${Math.round(slowest)} ms\n`);

    async function selectAll(name: string, count: number): Promise<void> {
      const list = page.getByRole("list", { name: "Emails" });
      await list.getByRole("listitem").first().waitFor();
      await person.click(list.getByRole("checkbox").first());
      await person.click(page.getByRole("button", { name }));
      await page.getByText(`${count} selected`, { exact: true }).waitFor();
    }
  }, 300_000);
});

/** Counts what a person does. */
class Person {
  readonly #page: Page;
  readonly #done: string[] = [];
  #keys = 0;
  #clicks = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(key: string): Promise<void> {
    this.#keys += 1;
    await this.#page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.#keys += text.length;
    await this.#page.keyboard.type(text);
  }

  async click(target: Locator): Promise<void> {
    this.#clicks += 1;
    await target.click();
  }

  async chore(name: string, act: () => Promise<void>): Promise<void> {
    const [keys, clicks, start] = [this.#keys, this.#clicks, performance.now()];
    await act();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    this.#done.push(`  ${name}: ${this.#keys - keys} keys, ${this.#clicks - clicks} clicks, ${seconds} s`);
  }

  report(): string {
    return ["chores:", ...this.#done].join("\n");
  }
}

/** Ten questions, 200 newsletters, 90 receipts and notices of the last weeks, and an invoice of two years ago. */
function mailbox(): string {
  const fresh = Array.from({ length: FRESH }, (_, n) => {
    const days = (n * 25) / FRESH;
    if (n % 30 === 0)
      return message(
        n,
        days,
        `Person ${n} <person${n}@example.org>`,
        `Dinner on the ${n + 1}th`,
        "Hi Grace,\n\nwill you come to the dinner? Please let me know.\n\nBest",
      );
    if (n % 30 <= 20)
      return message(
        n,
        days,
        `Weekly ${n} <news${n}@letters.example>`,
        `Issue ${n}`,
        "All that happened this week.",
        "List-Unsubscribe: <https://letters.example/leave>",
      );
    return message(
      n,
      days,
      `Shop <no-reply@shop${n}.example>`,
      `Your order ${n} has shipped`,
      "It is on its way.",
      "Auto-Submitted: auto-generated",
    );
  });
  const old = message(
    9000,
    740,
    "Harbour Ltd <billing@harbour.example>",
    "Invoice 2024-118",
    "Please find the invoice for the harbour works: 1,180 EUR.",
  );
  return [...fresh, old].join("");
}

function message(n: number, days: number, from: string, subject: string, body: string, ...headers: string[]): string {
  const date = new Date(Date.now() - days * DAY - 3_600_000).toUTCString();
  const head = [
    `From ${n}@example.org ${date}`,
    `From: ${from}`,
    "To: Grace Hopper <grace@example.com>",
    `Subject: ${subject}`,
    `Date: ${date}`,
    `Message-ID: <triage${n}@example.org>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    ...headers,
  ];
  return `${head.join("\n")}\n\n${body}\n\n`;
}
