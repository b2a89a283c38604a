import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, eventually, GRACE, type Opened, openConsole, overflows, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* The console says only what happens: spam, answers, guests, imports, agents. */

const FRAUD =
  "Dear customer, you have won the lottery: 5 million dollars! Send your bank details and your password within 24 hours to claim your prize, or your account will be closed.";
const QUESTION = "Hi Grace,\n\ncould you please tell me by Friday whether you can come? I need your answer.";

interface Stored {
  id: number;
  status: string;
  isRead: boolean;
  replyNeeded: boolean | null;
}

describe.skipIf(!executablePath)("what the console says", () => {
  let service: RunningService;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    const person = { ...GRACE, name: "Grace Hopper" };
    token = (await call<{ token: string }>("POST", "/api/auth/register", person)).token;
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  const call = <Answer>(method: string, path: string, body?: object, credential?: string) =>
    callApi<Answer>(service.origin, method, path, body, credential);
  const read = (id: number) => call<Stored>("GET", `/api/emails/${id}`);

  async function open(path: string, options: Parameters<typeof openConsole>[2] = {}): Promise<Opened> {
    const opened = await openConsole(browser, service.origin, options);
    await signIn(opened.page, service.origin, path, GRACE);
    return opened;
  }

  const store = (subject: string, body: string, more: object = {}) =>
    call<Stored>("POST", "/api/emails", { from: "Rita <rita@example.org>", to: GRACE.email, subject, body, ...more });

  async function ask(subject: string): Promise<Stored> {
    const mail = await store(subject, QUESTION, { messageId: `<${subject.replaceAll(" ", "-")}@example.org>` });
    await call("GET", `/api/emails/${mail.id}/ai-analysis`);
    return mail;
  }

  it("shows suspected spam in a box of its own, and takes it out for good", async () => {
    const spam = await store("You have won", FRAUD);
    const other = await store("Claim your prize", FRAUD);
    await store("Lunch on Monday", "Shall we?");
    const { page, trouble } = await open("/app/mail/inbox");
    await page.getByRole("link", { name: /Lunch on Monday/ }).waitFor();
    expect(await page.getByRole("link", { name: /You have won/ }).count()).toBe(0);
    await page.getByLabel("Search mail").fill("lottery");
    await page.getByText("No results in all mail").waitFor();
    await page.getByRole("link", { name: "Search spam and trash, too" }).click();
    await page.getByRole("link", { name: /You have won/ }).waitFor();

    await page.getByRole("navigation", { name: "Mailboxes" }).getByRole("link", { name: "Spam" }).click();
    await page.getByText(/kept here for 30 days/).waitFor();
    await page.getByRole("link", { name: /You have won/ }).click();
    await page.getByRole("note").filter({ hasText: "Suspected spam" }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("toolbar").getByRole("button", { name: "Not spam" }).click();
    await page.getByRole("status").filter({ hasText: "New emails from this sender go to the inbox." }).waitFor();
    await eventually(async () => (await read(spam.id)).status).toBe("inbox");
    // Nothing opens that nobody has chosen.
    await page.getByText("No email is open").waitFor();
    expect(new URL(page.url()).pathname).toBe("/app/mail/spam");
    expect((await read(other.id)).isRead).toBe(false);

    await page.goto(`${service.origin}/app/mail/inbox/${spam.id}`);
    await page.getByRole("heading", { name: "You have won" }).waitFor();
    await page.keyboard.press("!");
    await eventually(async () => (await read(spam.id)).status).toBe("spam");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await eventually(async () => (await read(spam.id)).status).toBe("inbox");
    expect(trouble).toEqual([]);
  });

  it("acts by key on the email that is open, also while its list is on its way", async () => {
    const email = await store("The lease", "Here it is.");
    const { page, trouble } = await open("/app/mail/drafts");
    await page.route("**/api/emails/threads?*", () => {});
    await page.goto(`${service.origin}/app/mail/inbox/${email.id}`);
    await page.getByRole("heading", { name: "The lease" }).waitFor();
    await page.keyboard.press("e");
    await eventually(async () => (await read(email.id)).status).toBe("archived");
    await eventually(() => new URL(page.url()).pathname).toBe("/app/mail/inbox");
    await page.unroute("**/api/emails/threads?*");

    // The inbox no longer lists it.
    await page.goto(`${service.origin}/app/mail/inbox/${email.id}`);
    await page.getByRole("heading", { name: "The lease" }).waitFor();
    await page.keyboard.press("#");
    await eventually(async () => (await read(email.id)).status).toBe("trash");
    expect(trouble).toEqual([]);
  });

  it("shows the address of a sender, and takes a block back", async () => {
    const offer = await store("A rare offer", "Buy now.", { from: "Olga Offer <olga@offers.example>" });
    const blocked = async () => (await call<{ data: { sender: string }[] }>("GET", "/api/emails/blocked-senders")).data;
    const { page, trouble } = await open(`/app/mail/inbox/${offer.id}`);
    const block = async () => {
      await page.getByText("<olga@offers.example>").first().waitFor();
      await page.getByRole("toolbar").getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Block this sender" }).click();
      await page.getByRole("status").filter({ hasText: "Olga Offer is blocked." }).waitFor();
      await eventually(() => new URL(page.url()).pathname).not.toBe(`/app/mail/inbox/${offer.id}`);
    };
    await block();
    // The service has it while it can still be undone.
    await eventually(blocked).toMatchObject([{ sender: "olga@offers.example" }]);
    const row = page.getByRole("link", { name: /A rare offer/ });
    await eventually(() => row.count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await row.click();
    await eventually(blocked).toEqual([]);
    await eventually(async () => (await read(offer.id)).status).toBe("inbox");
    await block();
    // A page that is left can no longer undo it.
    await page.goto("about:blank");
    await eventually(async () => (await read(offer.id)).status).toBe("trash");
    await eventually(blocked).toMatchObject([{ sender: "olga@offers.example" }]);
    // A block that was there before stays when the email is put back.
    await call("PATCH", `/api/emails/${offer.id}`, { status: "inbox" });
    await page.goto(`${service.origin}/app/mail/inbox/${offer.id}`);
    await block();
    await eventually(async () => (await read(offer.id)).status).toBe("trash");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await eventually(async () => (await read(offer.id)).status).toBe("inbox");
    expect(await blocked()).toMatchObject([{ sender: "olga@offers.example" }]);
    expect(trouble).toEqual([]);
  });

  it("sends deletions in Settings at once, takes them back by the API, and asks before what it cannot take back", async () => {
    type Records = { data: { name?: string; sender?: string; position?: number }[] };
    const all = async (path: string) => (await call<Records>("GET", path)).data;
    const [rules, senders] = ["/api/emails/rules", "/api/emails/blocked-senders"];
    const rule = { name: "Bills", position: 7, enabled: false, match: "any", actions: { star: true } };
    await call("POST", rules, { ...rule, conditions: [{ field: "subject", op: "contains", value: "bill" }] });
    await call("POST", senders, { sender: "half.example", unverifiedOnly: true });
    const { page, trouble } = await open("/app/settings/email");
    const removeRule = async () => {
      await page.getByRole("button", { name: "Actions for Bills" }).click();
      await page.getByRole("menuitem", { name: "Delete" }).click();
      await eventually(() => all(rules)).toEqual([]);
    };
    await removeRule();
    await page.getByRole("button", { name: "Undo" }).last().click();
    await eventually(() => all(rules)).toMatchObject([rule]);
    await page.getByRole("button", { name: "Unblock half.example" }).click();
    const isBlocked = async () => (await all(senders)).filter(({ sender }) => sender === "half.example");
    await eventually(isBlocked).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await eventually(isBlocked).toMatchObject([{ unverifiedOnly: true }]);
    await removeRule();
    await page.goto("about:blank");
    expect(await all(rules)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("asks for the password after the form is checked, says what for, and loses nothing when it cannot be sent", async () => {
    const { context, page, trouble } = await open("/app/settings/webhooks");
    await page.getByRole("button", { name: "Add a webhook" }).first().click();
    const form = page.getByRole("dialog", { name: "Add a webhook" });
    await form.getByText("An email arrived outside spam and trash.").waitFor();
    expect(await form.textContent()).not.toContain("`");
    const proof = page.getByRole("dialog", { name: "Confirm your identity" });
    const address = form.getByLabel("Address (https)");
    await address.fill("not an address");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await form.getByRole("alert").filter({ hasText: "Check the marked fields." }).waitFor();
    expect(await proof.count()).toBe(0);

    await address.fill("https://hooks.example.com/one");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await proof.getByText("“Create a webhook” needs your password").waitFor();
    await proof.getByText("for 15 minutes").waitFor();
    await context.setOffline(true);
    await proof.getByLabel("Password").fill(GRACE.password);
    await proof.getByRole("button", { name: "Confirm" }).click();
    await proof.getByRole("alert").filter({ hasText: "You are offline." }).waitFor();
    await page.keyboard.press("Escape");
    await eventually(() => proof.count()).toBe(0);
    expect(await page.getByText("Discard your changes?").count()).toBe(0);
    await eventually(() => address.inputValue()).toBe("https://hooks.example.com/one");
    await context.setOffline(false);
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await proof.getByLabel("Password").fill(GRACE.password);
    await proof.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("dialog", { name: "The webhook was added" }).waitFor();

    // Within the 15 minutes, and told apart where all access is listed.
    await page.goto(`${service.origin}/app/settings/webhooks`);
    await page.getByRole("button", { name: "Add a webhook" }).first().click();
    await address.fill("https://hooks.example.com/two");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("dialog", { name: "The webhook was added" }).waitFor();
    await call("POST", "/api/calendar/feed", { currentPassword: GRACE.password }, token);
    await page.goto(`${service.origin}/app/settings/sessions`);
    for (const name of ["hooks.example.com/one", "hooks.example.com/two", "Calendar link"]) {
      await page.getByRole("button", { name: new RegExp(`^End \\w+ ${name}$`) }).waitFor();
    }
    await page.getByRole("button", { name: "End Link Calendar link" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End", exact: true }).click();
    await eventually(() => page.getByRole("button", { name: "End Link Calendar link" }).count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("comes back by itself when the service does", async () => {
    const { page } = await open("/app/tasks");
    for (const address of ["**/api/tasks?*", "**/api/auth/session/refresh"]) {
      await page.route(address, (route) => route.abort());
    }
    await page.goto(`${service.origin}/app/tasks`);
    await page.getByRole("heading", { name: "The service is not responding" }).waitFor();
    await page.unroute("**/api/auth/session/refresh");
    await page.getByText("The service could not be reached.").first().waitFor();
    await page.unroute("**/api/tasks?*");
    await page.getByText("No open tasks").waitFor();
  });

  it("names what is wrong in plain words, and nothing twice", async () => {
    const { context, page, trouble } = await open("/app/mail/inbox?q=before%3Afoo");
    const search = page.getByRole("alert").filter({ hasText: "This search could not be read" });
    await search.getByText(/^"before:" must be a date such as/).waitFor();

    await call("POST", "/api/tasks", { title: "Named" });
    await page.goto(`${service.origin}/app/tasks`);
    await page.getByRole("link", { name: /Named/ }).first().click();
    const title = page.getByRole("dialog").getByLabel("Title");
    await title.fill(" ");
    await title.blur();
    await page.getByRole("alert").filter({ hasText: "A task needs a title." }).first().waitFor();
    await eventually(() => title.inputValue()).toBe("Named");

    await page.goto(`${service.origin}/app/chat`);
    await page.getByText("What can I do for you?").waitFor();
    await context.setOffline(true);
    const message = page.getByRole("textbox", { name: "Message" });
    await message.fill("What is due today?");
    await page.keyboard.press("Enter");
    await page.getByText("The assistant did not respond.").waitFor();
    await eventually(() => message.inputValue()).toBe("What is due today?");
    await eventually(() => page.getByRole("log").getByText("What is due today?").count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("forgets an answered email on Today and takes the word that none is needed", async () => {
    await call("GET", "/api/emails");
    const answered = await ask("Come to the party");
    const needless = await ask("Come to the fair");
    const { page, trouble } = await open("/app");
    const card = page.getByRole("region", { name: /Needs an answer/ });
    await card.getByText("Come to the party").waitFor();
    const line = card.getByRole("listitem").filter({ hasText: "Come to the fair" });
    await line.getByRole("button", { name: "No answer needed" }).click();
    await eventually(() => card.getByText("Come to the fair").count()).toBe(0);
    await eventually(async () => (await read(needless.id)).replyNeeded).toBe(false);
    await page.getByRole("button", { name: "Undo" }).click();
    await card.getByText("Come to the fair").waitFor();
    await eventually(async () => (await read(needless.id)).replyNeeded).toBe(true);

    await store("Re: Come to the party", "Yes!", {
      direction: "outbound",
      inReplyTo: "<Come-to-the-party@example.org>",
      from: GRACE.email,
      to: "rita@example.org",
    });
    await eventually(() => card.getByText("Come to the party").count()).toBe(0);
    expect((await read(answered.id)).replyNeeded).toBe(false);

    await page.goto(`${service.origin}/app/mail/inbox/${needless.id}`);
    const analysis = page.getByRole("region", { name: "Analysis" });
    await analysis.getByText("Needs an answer").waitFor();
    await analysis.getByText("Needs an answer").click();
    await analysis.getByRole("button", { name: "No answer needed" }).click();
    await eventually(() => analysis.getByText("Needs an answer").count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("says that guests are not invited, and shows no missing answer of theirs", async () => {
    const start = new Date(Date.now() + 86_400_000);
    start.setUTCHours(10, 0, 0, 0);
    await call("POST", "/api/calendar/events", {
      title: "Planning with Rita",
      start: start.toISOString(),
      durationMinutes: 30,
      attendees: ["Rita <rita@example.org>"],
    });
    const { page, trouble } = await open(`/app/calendar/day/${start.toISOString().slice(0, 10)}`);
    await page
      .getByRole("link", { name: /Planning with Rita/ })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("No invitations or updates are sent to attendees.").waitFor();
    await dialog.getByText("rita@example.org").waitFor();
    expect(await dialog.getByText("No answer yet").count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("says what becomes of imported email, lets it be chosen, and leads to where it is", async () => {
    const { page, trouble } = await open("/app/settings/data");
    const message = (name: string) =>
      `From rita@example.org Tue Nov 10 10:00:00 2020\nFrom: rita@example.org\nTo: ${GRACE.email}\nMessage-ID: <${name}@import.example>\nSubject: Old ${name}\nDate: Tue, 10 Nov 2020 10:00:00 +0000\n\nHello.\n\n`;
    const load = (name: string, text: string) =>
      page.getByLabel("Choose a file").setInputFiles({
        name,
        mimeType: "application/mbox",
        buffer: Buffer.from(text),
      });
    await load("old.mbox", message("one") + message("two"));
    const first = page.getByRole("listitem").filter({ hasText: "old.mbox" });
    await first.getByText("2 new emails").waitFor();
    await first.getByRole("link", { name: "2 in Archive" }).waitFor();
    await page.getByLabel("Where they go").selectOption("inbox");
    await page.getByLabel("Analyze them").check();
    await load("new.mbox", message("three"));
    const second = page.getByRole("listitem").filter({ hasText: "new.mbox" });
    await second.getByRole("link", { name: "1 in Inbox" }).waitFor();
    await load("junk.mbox", "\u0000 no email at all");
    await page.getByRole("listitem").filter({ hasText: "junk.mbox" }).getByText("Nothing imported").waitFor();
    await second.getByRole("link", { name: "1 in Inbox" }).click();
    await page.getByRole("link", { name: /Old three/ }).click();
    await page.getByRole("region", { name: "Analysis" }).getByText("Analysis").click();
    await page.getByRole("region", { name: "Analysis" }).getByText("the built-in engine").waitFor();
    expect(trouble).toEqual([]);
  });

  it("names the agent on what it proposes, on Today, where the agent's answer leads", async () => {
    const { key } = await call<{ key: string }>(
      "POST",
      "/api/settings/security/api-keys",
      { name: "Desk agent", scopes: ["emails:read", "tasks:write"], currentPassword: GRACE.password },
      token,
    );
    const tool = async (name: string, input: object) => {
      const params = { name, arguments: input };
      const response = await fetch(`${service.origin}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${key}`,
          "mcp-protocol-version": "2025-11-25",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      const { result } = (await response.json()) as {
        result: { structuredContent: { proposal?: { url: string; note: string } } };
      };
      return result.structuredContent;
    };
    await tool("find_mail", { box: "all" });
    const { proposal } = await tool("create_task", { title: "Call the bank" });
    expect(proposal?.note).toContain("on Today");
    const { page, trouble } = await open("/app", { size: "phone", theme: "dark" });
    await page.goto(proposal?.url ?? "");
    const card = page.getByRole("listitem").filter({ hasText: "Call the bank" });
    await card.getByText("Proposed by Desk agent").waitFor();
    expect(await overflows(page)).toBe(false);
    expect(await axeFindings(page)).toEqual([]);
    await card.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("status").filter({ hasText: "Applied" }).waitFor();
    expect(trouble).toEqual([]);
  });
});
