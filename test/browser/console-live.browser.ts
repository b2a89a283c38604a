import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { callApi, drawn, eventually, GRACE, gate, hold, openConsole, openTab, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* What is changed elsewhere is shown by itself, whatever the page is doing at that moment. */

/** Held by none but what gathers changes before it passes them on: drawing waits for less, the other timers for more. */
const HOLD_GATHERING = `(() => {
  const start = setTimeout;
  window.held = 0;
  window.setTimeout = (run, ms, ...rest) => (ms >= 100 && ms <= 1000 ? ++window.held : start(run, ms, ...rest));
})()`;

interface Draft {
  id: number;
  version: number;
  body: string;
}

describe.skipIf(!executablePath)("a change made elsewhere", () => {
  let service: RunningService;
  let browser: Browser;

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
  const addTask = (title: string) => call("POST", "/api/tasks", { title });
  const box = (page: Page, title: string) => page.getByRole("checkbox", { name: title, exact: true });
  /** The response begins when the service tells the page of every later change. */
  const connection = (page: Page) => page.waitForResponse((response) => response.url().endsWith("/api/live"));

  it("is shown although the tab that heard of it is closed before it has told the others", async () => {
    const { context, page } = await openConsole(browser, service.origin);
    const connected = connection(page);
    await signIn(page, service.origin, "/app/tasks", GRACE);
    await connected;
    const { page: other, trouble } = await openTab(context, service.origin);
    await other.goto(`${service.origin}/app/tasks`);
    await other.getByLabel("Add a task").first().waitFor();
    await addTask("Told to all");
    await Promise.all([page, other].map((each) => box(each, "Told to all").waitFor()));
    const bookmarks: (string | undefined)[] = [];
    other.on("request", (request) => void bookmarks.push(request.headers()["x-d1-bookmark"]));
    await page.evaluate(HOLD_GATHERING);
    await addTask("Told to one");
    await eventually(() => page.evaluate("window.held")).toBeGreaterThan(0);
    await page.close();
    await box(other, "Told to one").waitFor();
    // A replica that answers may not have the change yet.
    await eventually(() => bookmarks).toContain("first-primary");
    expect(trouble).toEqual([]);
  });

  it("is shown although it was made after the page had read and before it was connected", async () => {
    const { page } = await openConsole(browser, service.origin);
    await addTask("Read at first");
    const { release } = await hold(page, "**/api/live");
    await signIn(page, service.origin, "/app/tasks", GRACE);
    await box(page, "Read at first").waitFor();
    await addTask("Made in between");
    release();
    await box(page, "Made in between").waitFor();
  });

  it("is shown although it was made while the page read for the first time", async () => {
    const { context, page } = await openConsole(browser, service.origin);
    const [reading, released] = [gate(), gate()];
    await page.route("**/api/tasks?*", async (route) => {
      const response = await route.fetch();
      reading.open();
      await released.opened;
      await route.fulfill({ response });
    });
    const connected = connection(page);
    await signIn(page, service.origin, "/app/tasks", GRACE);
    await Promise.all([reading.opened, connected]);
    await addTask("Made while reading");
    // This tab hears of it from the first.
    const { page: other } = await openTab(context, service.origin);
    await other.goto(`${service.origin}/app/tasks`);
    await box(other, "Made while reading").waitFor();
    await addTask("Made after that");
    await box(other, "Made after that").waitFor();
    released.open();
    await box(page, "Made after that").waitFor();
  });

  /** Resolves when the page has read this text of the draft and drawn what it makes of it. */
  async function readBy(page: Page, body: string): Promise<void> {
    await page.waitForResponse(
      async (response) =>
        response.request().method() === "GET" &&
        /\/drafts\/\d+$/.test(response.url()) &&
        ((await response.json()) as Draft).body === body,
    );
    await drawn(page);
  }

  async function openDraft(subject: string) {
    const draft = await call<Draft>("POST", "/api/emails/drafts", { subject, body: "As it was." });
    const { page } = await openConsole(browser, service.origin);
    const connected = connection(page);
    await signIn(page, service.origin, "/app/mail/drafts", GRACE);
    await connected;
    await page.getByRole("button", { name: new RegExp(subject) }).click();
    const dialog = page.getByRole("dialog", { name: "Draft" });
    const text = dialog.getByLabel("Message");
    await eventually(() => text.textContent()).toBe("As it was.");
    const path = `/api/emails/drafts/${draft.id}`;
    const stored = async () => (await call<Draft>("GET", path)).body;
    return { page, dialog, text, stored, writeElsewhere: (body: string) => call("PATCH", path, { body }) };
  }

  it("of a draft is shown although it was read before the reply to the window's own change", async () => {
    const { page, text, stored, writeElsewhere } = await openDraft("Overtaken");
    const replied = gate();
    await page.route("**/api/emails/drafts/*", async (route) => {
      if (route.request().method() !== "PATCH") return route.fallback();
      const response = await route.fetch();
      await replied.opened;
      await route.fulfill({ response });
    });
    await text.fill("Written here.");
    await eventually(stored).toBe("Written here.");
    const read = readBy(page, "Written elsewhere.");
    await writeElsewhere("Written elsewhere.");
    await read;
    replied.open();
    await eventually(() => text.textContent()).toBe("Written elsewhere.");
  });

  it("of a draft is shown although it was made while the person chose between two others", async () => {
    const { page, dialog, text, writeElsewhere } = await openDraft("Three texts");
    await page.route("**/api/emails/drafts/*", async (route) => {
      if (route.request().method() === "PATCH") await writeElsewhere("Written elsewhere.");
      await route.continue();
    });
    await text.fill("Written here.");
    const conflict = dialog.getByRole("alert").filter({ hasText: "changed in another window" });
    await conflict.getByText("Written elsewhere.").waitFor();
    const read = readBy(page, "Written later.");
    await writeElsewhere("Written later.");
    await read;
    await conflict.getByRole("button", { name: "Take theirs" }).click();
    await eventually(() => text.textContent()).toBe("Written later.");
  });
});
