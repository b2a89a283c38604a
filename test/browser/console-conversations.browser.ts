import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import {
  axeFindings,
  callApi,
  eventually,
  GRACE,
  hold,
  type Opened,
  openConsole,
  overflows,
  type Size,
  signIn,
  type Theme,
} from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* Conversations in Mail: one row each, what is folded and what is read, changes of the whole and their undo. */

interface Stored {
  id: number;
  threadId: number;
  status: string;
  isRead: boolean;
  isStarred: boolean;
}

describe.skipIf(!executablePath)("conversations in the console", () => {
  let service: RunningService;
  let browser: Browser;
  let minutes = 0;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    await call("POST", "/api/auth/register", { ...GRACE, name: "Grace Hopper" });
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  const call = <Answer>(method: string, path: string, body?: object) =>
    callApi<Answer>(service.origin, method, path, body);
  const read = (id: number) => call<Stored>("GET", `/api/emails/${id}`);
  const statuses = async (emails: readonly Stored[]) =>
    (await Promise.all(emails.map(({ id }) => read(id)))).map(({ status }) => status);
  const readOnes = async (emails: readonly Stored[]) =>
    (await Promise.all(emails.map(({ id }) => read(id)))).map(({ isRead }) => isRead);

  async function open(path: string, options: { size?: Size; theme?: Theme } = {}): Promise<Opened> {
    const opened = await openConsole(browser, service.origin, options);
    await signIn(opened.page, service.origin, path, GRACE);
    return opened;
  }

  /** The next email of the conversation with this subject. */
  function store(subject: string, n: number, more: object = {}): Promise<Stored> {
    const name = subject.replaceAll(" ", "-");
    minutes += 1;
    return call("POST", "/api/emails", {
      messageId: `<${name}-${n}@example.org>`,
      ...(n > 1 && { inReplyTo: `<${name}-${n - 1}@example.org>`, references: [`<${name}-1@example.org>`] }),
      from: n % 2 === 1 ? "Rita Report <rita@example.org>" : "Ulf Umber <ulf@example.org>",
      to: GRACE.email,
      subject: n > 1 ? `Re: ${subject}` : subject,
      body: `Part ${n} of ${subject}.`,
      receivedAt: new Date(Date.now() - 86_400_000 + minutes * 60_000).toISOString(),
      ...more,
    });
  }

  async function conversation(subject: string, count: number, each: (n: number) => object = () => ({})) {
    const emails: Stored[] = [];
    for (let n = 1; n <= count; n += 1) emails.push(await store(subject, n, each(n)));
    return emails;
  }

  const row = (page: Page, subject: string) => page.getByRole("listitem").filter({ hasText: subject });
  const link = (page: Page, subject: string) => page.getByRole("link", { name: new RegExp(subject) });
  const messages = (page: Page) => page.getByRole("list", { name: "Conversation" });
  const folded = (page: Page) => messages(page).locator("button.folded");

  it("has one row for a conversation and marks as read only what was shown", async () => {
    const emails = await conversation("Garden plan", 4, (n) => ({ isRead: n === 1 || n === 3 }));
    const { page, trouble } = await open("/app/mail/inbox");
    await eventually(() => link(page, "Garden plan").count()).toBe(1);
    const text = await link(page, "Garden plan").textContent();
    for (const part of ["Unread", "Rita, Ulf", "4", "Part 4 of Garden plan."]) expect(text).toContain(part);
    await link(page, "Garden plan").click();
    // Oldest first: what has been read is one line, what has not and the newest are open.
    await messages(page).getByText("Part 2 of Garden plan.").waitFor();
    await messages(page).locator(".message-text").filter({ hasText: "Part 4" }).waitFor();
    await eventually(() => folded(page).count()).toBe(2);
    await page.getByText("4 messages", { exact: true }).last().waitFor();
    await messages(page).getByText("<ulf@example.org>").first().waitFor();
    await eventually(() => messages(page).locator("article time").count()).toBe(2);
    await eventually(() => readOnes(emails)).toEqual([true, true, true, true]);
    await eventually(() => link(page, "Garden plan").textContent()).not.toContain("Unread");

    // What is folded is unfolded by key and folded again, with the focus on it.
    await folded(page).first().focus();
    await page.keyboard.press("Enter");
    await messages(page).locator(".message-text").filter({ hasText: "Part 1" }).waitFor();
    await eventually(() => page.evaluate("document.activeElement.ariaExpanded")).toBe("true");
    await page.keyboard.press("Enter");
    await eventually(() => folded(page).count()).toBe(2);
    await page.getByRole("button", { name: "Unfold all" }).click();
    await eventually(() => folded(page).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("leaves folded messages unread", async () => {
    const emails = await conversation("Long talk", 13);
    const { page, trouble } = await open(`/app/mail/inbox/${emails[12]?.id}`);
    await messages(page).locator(".message-text").filter({ hasText: "Part 13" }).waitFor();
    await eventually(() => readOnes(emails)).toEqual([false, false, false, ...Array(10).fill(true)]);
    await eventually(() => link(page, "Long talk").textContent()).toContain("Unread");
    await folded(page).nth(1).click();
    await eventually(() => readOnes(emails.slice(0, 3))).toEqual([false, true, false]);
    expect(trouble).toEqual([]);
  });

  it("folds quoted text, of plain and of formatted emails", async () => {
    const quote = "On Mon, 16 Nov 2026 at 10:00, Rita Report <rita@example.org> wrote:\n> Secret lines\n> of before";
    const plain = await conversation("Plain quote", 2, (n) => (n === 2 ? { body: `Fine by me.\n\n${quote}` } : {}));
    const html =
      '<p>Good idea.</p><div class="gmail_quote"><div>On Monday Rita wrote:</div><blockquote>Old words</blockquote></div>';
    const rich = await conversation("Rich quote", 2, (n) => (n === 2 ? { html } : {}));
    const { page, trouble } = await open(`/app/mail/inbox/${plain[1]?.id}`);
    await messages(page).getByText("Fine by me.").waitFor();
    expect(await messages(page).getByText("Secret lines").count()).toBe(0);
    await page.getByRole("button", { name: "Show quoted text" }).click();
    await messages(page).getByText("Secret lines").waitFor();
    await page.getByRole("button", { name: "Hide quoted text" }).click();
    await eventually(() => messages(page).getByText("Secret lines").count()).toBe(0);

    await page.goto(`${service.origin}/app/mail/inbox/${rich[1]?.id}`);
    const frame = page.frameLocator('iframe[title="Message body"]');
    await frame.getByText("Good idea.").waitFor();
    expect(await frame.getByText("Old words").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Show quoted text" }).click();
    await frame.getByText("Old words").waitFor();
    await frame.getByText("On Monday Rita wrote:").waitFor();
    expect(trouble).toEqual([]);
  });

  it("archives and trashes a whole conversation, at once, and takes it back as it was", async () => {
    const [first, ...others] = await conversation("Roof repair", 3);
    const sent = await store("Roof repair", 4, { direction: "outbound", from: GRACE.email, to: "rita@example.org" });
    await call("PATCH", `/api/emails/${first?.id}`, { status: "trash" });
    const all = [...(first ? [first] : []), ...others, sent];
    await store("Roof tiles", 1);
    const { page, trouble } = await open("/app/mail/inbox");
    await row(page, "Roof repair").first().waitFor();
    expect(await link(page, "Roof repair").textContent()).toContain("me");
    await link(page, "Roof repair").focus();
    const { release } = await hold(page, "**/api/emails", "PATCH");
    await page.keyboard.press("e");
    await eventually(() => link(page, "Roof repair").count()).toBe(0);
    release();
    await page.getByRole("status").filter({ hasText: "Archived" }).waitFor();
    await eventually(() => statuses(all)).toEqual(["trash", "archived", "archived", "archived"]);
    await page.keyboard.press("z");
    await link(page, "Roof repair").waitFor();
    await eventually(() => statuses(all)).toEqual(["trash", "inbox", "inbox", "archived"]);

    // Open, by its button; what was sent goes with it.
    await link(page, "Roof repair").click();
    await messages(page).locator(".message-text").first().waitFor();
    await page.getByRole("toolbar").getByRole("button", { name: "Move to trash" }).click();
    await eventually(() => statuses(all)).toEqual(["trash", "trash", "trash", "trash"]);
    await page.keyboard.press("z");
    await link(page, "Roof repair").waitFor();
    await eventually(() => statuses(all)).toEqual(["trash", "inbox", "inbox", "archived"]);

    // From the archive, what was sent stays there.
    await call("PATCH", "/api/emails", { ids: others.map(({ id }) => id), status: "archived" });
    await page.goto(`${service.origin}/app/mail/archive`);
    await page.getByRole("checkbox", { name: "Select Re: Roof repair" }).check();
    await page.getByRole("toolbar", { name: "1 selected" }).getByRole("button", { name: "Move to inbox" }).click();
    await eventually(() => statuses(all)).toEqual(["trash", "inbox", "inbox", "archived"]);
    expect(trouble).toEqual([]);
  });

  it("stars, marks and snoozes a conversation by key, also while the list is on its way", async () => {
    const emails = await conversation("Boat trip", 3);
    const last = emails[2];
    const { page, trouble } = await open("/app/tasks");
    await hold(page, "**/api/emails/threads?*");
    await page.goto(`${service.origin}/app/mail/inbox/${last?.id}`);
    await messages(page).locator(".message-text").filter({ hasText: "Part 3" }).waitFor();
    await eventually(() => readOnes(emails)).toEqual([true, true, true]);
    await page.keyboard.press("s");
    await eventually(async () => (await read(last?.id ?? 0)).isStarred).toBe(true);
    await page.keyboard.press("u");
    await eventually(() => readOnes(emails)).toEqual([true, true, false]);
    await page.keyboard.press("u");
    await eventually(() => readOnes(emails)).toEqual([true, true, true]);
    await page.keyboard.press("b");
    await page
      .getByRole("dialog", { name: "Snooze" })
      .getByRole("button", { name: /Tomorrow morning/ })
      .click();
    await page.getByRole("status").filter({ hasText: "Snoozed" }).waitFor();
    const asleep = async () => (await call<{ data: Stored[] }>("GET", "/api/emails?snoozed=true")).data.length;
    await eventually(asleep).toBe(3);
    await page.keyboard.press("z");
    await eventually(asleep).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("mutes a conversation, takes it back, and keeps what comes later out of the inbox", async () => {
    const emails = await conversation("Office party", 2);
    const { page, trouble } = await open("/app/mail/inbox");
    await link(page, "Office party").focus();
    await page.keyboard.press("m");
    await page.getByRole("status").filter({ hasText: "Muted" }).waitFor();
    await eventually(() => link(page, "Office party").count()).toBe(0);
    await eventually(() => statuses(emails)).toEqual(["archived", "archived"]);
    await page.keyboard.press("z");
    await link(page, "Office party").waitFor();
    await eventually(() => statuses(emails)).toEqual(["inbox", "inbox"]);
    await link(page, "Office party").click();
    await messages(page).locator(".message-text").first().waitFor();
    await page.getByRole("toolbar").getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Mute" }).click();
    await eventually(() => statuses(emails)).toEqual(["archived", "archived"]);
    await page.goto(`${service.origin}/app/mail/archive`);
    await row(page, "Office party").getByText("Muted").waitFor();
    await link(page, "Office party").click();
    await page.getByText("This conversation is muted").waitFor();
    await page.keyboard.press("m");
    await page.getByRole("status").filter({ hasText: "No longer muted" }).waitFor();
    await eventually(() => page.getByText("This conversation is muted").count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("adds what arrives to an open conversation, folded and unread", async () => {
    const emails = await conversation("Live wire", 2);
    const { page, trouble } = await open(`/app/mail/inbox/${emails[1]?.id}`);
    await messages(page).locator(".message-text").filter({ hasText: "Part 2" }).waitFor();
    await eventually(() => readOnes(emails)).toEqual([true, true]);
    const third = await store("Live wire", 3);
    await folded(page).filter({ hasText: "Part 3 of Live wire." }).getByText("New").waitFor();
    await eventually(() => link(page, "Live wire").textContent()).toContain("Unread");
    expect(await page.locator('[data-row][data-open="true"]').textContent()).toContain("Live wire");
    expect((await read(third.id)).isRead).toBe(false);
    await folded(page).filter({ hasText: "Part 3" }).click();
    await eventually(async () => (await read(third.id)).isRead).toBe(true);
    // Keys go on from its row, although that has another email now.
    await page.keyboard.press("e");
    await eventually(() => statuses([...emails, third])).toEqual(["archived", "archived", "archived"]);
    expect(trouble).toEqual([]);
  });

  it("shows single messages by choice", async () => {
    const emails = await conversation("Single rows", 3);
    const { page, trouble } = await open("/app/settings/profile");
    await page.getByRole("checkbox", { name: "Show single messages" }).click();
    await page.getByText("Saved").first().waitFor();
    await page.goto(`${service.origin}/app/mail/inbox?q=rows`);
    await eventually(() => link(page, "Single rows").count()).toBe(3);
    await link(page, "Part 2 of Single rows").click();
    await messages(page).locator(".message-text").filter({ hasText: "Part 2" }).waitFor();
    await eventually(() => folded(page).count()).toBe(2);
    await eventually(() => readOnes(emails)).toEqual([false, true, false]);
    await page.keyboard.press("e");
    await eventually(() => statuses(emails)).toEqual(["inbox", "archived", "inbox"]);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or type a command" }).fill("Show conversations");
    await page.keyboard.press("Enter");
    await eventually(() => link(page, "Single rows").count()).toBe(1);
    expect(trouble).toEqual([]);
  });

  it("fits a phone, in the dark, and axe finds nothing", async () => {
    const emails = await conversation("Small screen with a subject that is longer than the line", 4, (n) => ({
      isRead: n < 4,
      body: `Hi Grace,\n\ncould you send me the figures of part ${n} by Friday?\n\nRita`,
    }));
    await call("POST", `/api/emails/${emails[3]?.id}/ai-analysis`);
    const { page, trouble } = await open("/app/mail/inbox", { size: "phone", theme: "dark" });
    await link(page, "Small screen").waitFor();
    expect(await overflows(page)).toBe(false);
    expect(await axeFindings(page)).toEqual([]);
    await link(page, "Small screen").click();
    await messages(page).locator(".message-text").waitFor();
    const analysis = page.getByRole("region", { name: "Analysis" });
    await analysis.getByText("1 action item").waitFor();
    expect(await analysis.getByRole("button", { name: "Create tasks" }).isVisible()).toBe(false);
    await analysis.getByText("Analysis").click();
    await analysis.getByRole("button", { name: "Create tasks" }).waitFor();
    expect(await overflows(page)).toBe(false);
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });
});
