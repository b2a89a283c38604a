import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { eventually, GRACE, hold, newProfile, type Opened, openConsole, openTab, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* The console in use: the first start, keyboard only, two tabs, a network that fails, is slow or is not there. */

describe.skipIf(!executablePath)("the console in use", () => {
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  async function open(path = "/app"): Promise<Opened> {
    const opened = await openConsole(browser, service.origin);
    await signIn(opened.page, service.origin, path, GRACE);
    return opened;
  }

  interface Answer {
    id: number;
    title: string;
    status: string;
    code?: string;
    data: { status: string }[];
  }

  /** The service is open, as `npm run dev` makes it: no credential is needed. */
  async function api(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${service.origin}${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    return answer as Answer;
  }

  const box = (page: Page, title: string) => page.getByRole("checkbox", { name: title, exact: true });

  it("leads a newcomer from the root address to Today and the first task", async () => {
    const { page, trouble } = await openConsole(browser, service.origin);
    await page.goto(service.origin);
    // Nobody could sign in yet.
    await page.getByRole("heading", { level: 1, name: "Create your account" }).waitFor();
    await page.getByText("This account will own the service").waitFor();
    expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(0);
    await page.getByLabel("Name").fill("Grace Hopper");
    await page.getByLabel("Email").fill(GRACE.email);
    await page.getByLabel("Password").fill("password123");
    await page.getByRole("button", { name: "Create account" }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: /guess|common|easy/i })
      .waitFor();
    await eventually(() => page.evaluate("document.activeElement.name")).toBe("password");
    await page.getByLabel("Password").fill(GRACE.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
    await eventually(() => page.title()).toBe("Today – Personal Operations Assistant");
    await page.getByRole("heading", { name: "Start here" }).waitFor();
    await page.keyboard.press("q");
    await page.getByRole("dialog").getByLabel("Add a task").fill("Water the plants tomorrow 5pm #home");
    // While one types, it shows what it understood: on this person's clock, which the browser's language gave.
    await page.getByRole("dialog").getByText("Tomorrow, 5:00 PM").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Tasks" }).click();
    await box(page, "Water the plants").waitFor();
    await eventually(async () => (await api("GET", "/api/tasks")).data.length).toBe(1);
    expect(trouble).toEqual([]);
  });

  it("says in an alert that the password is wrong, and returns only to its own addresses", async () => {
    const { page } = await openConsole(browser, service.origin);
    await page.goto(`${service.origin}/app/sign-in?next=https://evil.example/`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").filter({ hasText: "Enter your email address." }).waitFor();
    await eventually(() => page.evaluate("document.activeElement.name")).toBe("email");
    // At its field, too, as what the service refuses.
    for (const [field, reason] of [
      ["Email", "Enter your email address."],
      ["Password", "Enter your password."],
    ] as const) {
      const marked = page.getByLabel(field);
      await eventually(() => marked.getAttribute("aria-invalid")).toBe("true");
      await page
        .locator(`#${await marked.getAttribute("aria-describedby")}`)
        .getByText(reason)
        .waitFor();
    }
    await page.getByLabel("Email").fill(GRACE.email);
    await page.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: /wrong/ }).waitFor();
    await eventually(() => page.evaluate("document.activeElement.name")).toBe("password");
    await page.getByLabel("Password").fill(GRACE.password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
    expect(page.url()).toBe(`${service.origin}/app`);
  });

  it("works by keyboard alone", async () => {
    await api("POST", "/api/tasks", { title: "First of two", dueText: "today" });
    await api("POST", "/api/tasks", { title: "Second of two", dueText: "today" });
    const { page } = await open();
    await page.goto(`${service.origin}/app`);
    await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
    await page.keyboard.press("Tab");
    await eventually(() => page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await eventually(() => page.evaluate("document.activeElement.id")).toBe("main");
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await box(page, "First of two").waitFor();
    await eventually(() => page.evaluate("document.activeElement.tagName + document.activeElement.textContent")).toBe(
      "H1Tasks",
    );
    await page.keyboard.press("j");
    await eventually(() => page.evaluate("document.activeElement.textContent")).toBe("First of two");
    await page.keyboard.press("e");
    await page.getByRole("status").filter({ hasText: "Done: First of two" }).waitFor();
    await eventually(() => page.evaluate("document.activeElement.textContent")).toBe("Second of two");
    await page.keyboard.press("z");
    await box(page, "First of two").waitFor();
    await eventually(async () => (await api("GET", "/api/tasks?q=First&status=all")).data[0]?.status).toBe("todo");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Second of two" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await eventually(() => page.evaluate("document.activeElement.textContent")).toBe("Second of two");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or type a command" }).fill("today");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
    // Inside a field, keys are letters.
    await page.keyboard.press("q");
    await page.getByRole("dialog").getByLabel("Add a task").waitFor();
    await page.keyboard.type("egg ?");
    await eventually(() => page.getByRole("dialog").getByLabel("Add a task").inputValue()).toBe("egg ?");
  });

  it("shows a change before the API has heard of it, and keeps it through a refetch", async () => {
    const { id } = await api("POST", "/api/tasks", { title: "Slow one" });
    const { page } = await open("/app/tasks");
    await box(page, "Slow one").waitFor();
    const { release } = await hold(page, "**/api/tasks/*", "PATCH");
    await box(page, "Slow one").click();
    await box(page, "Slow one").waitFor({ state: "detached" });
    // Something else changes meanwhile: the list is read again, and the row stays away.
    await api("POST", "/api/tasks", { title: "From elsewhere" });
    await box(page, "From elsewhere").waitFor();
    expect(await box(page, "Slow one").count()).toBe(0);
    expect((await api("GET", `/api/tasks/${id}`)).status).toBe("todo");
    release();
    await eventually(async () => (await api("GET", `/api/tasks/${id}`)).status).toBe("done");
  });

  it("takes a change back and says why when the API refuses it", async () => {
    await api("POST", "/api/tasks", { title: "Refused one" });
    const { page } = await open("/app/tasks");
    await page.route("**/api/tasks/*", (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({
            status: 503,
            contentType: "application/problem+json",
            body: JSON.stringify({ code: "unavailable", detail: "The service is temporarily unavailable." }),
          })
        : route.continue(),
    );
    await box(page, "Refused one").click();
    await page.getByRole("alert").filter({ hasText: "The task was not saved." }).waitFor();
    await page.getByRole("alert").filter({ hasText: "The service is temporarily unavailable." }).waitFor();
    await box(page, "Refused one").waitFor();
    await eventually(() => box(page, "Refused one").isChecked()).toBe(false);
  });

  it("brings back what was deleted, and leaves it deleted when the page is closed", async () => {
    const { id } = await api("POST", "/api/tasks", { title: "Kept after all" });
    const { page } = await open(`/app/tasks/${id}`);
    const sheet = page.getByRole("dialog", { name: "Kept after all" });
    const stored = async () => (await api("GET", `/api/tasks/${id}`)).code ?? "stored";
    await sheet.getByRole("button", { name: "Delete the task" }).click();
    await eventually(() => box(page, "Kept after all").count()).toBe(0);
    await eventually(stored).toBe("not_found");
    await page.getByRole("button", { name: "Undo" }).click();
    await box(page, "Kept after all").waitFor();
    await eventually(stored).toBe("stored");
    await page.getByRole("link", { name: "Kept after all" }).click();
    await sheet.getByRole("button", { name: "Delete the task" }).click();
    await eventually(() => box(page, "Kept after all").count()).toBe(0);
    await eventually(stored).toBe("not_found");
    await page.goto("about:blank");
    expect(await stored()).toBe("not_found");
  });

  it("shows what both sides say when a task was changed elsewhere, and keeps mine or takes theirs", async () => {
    const { id } = await api("POST", "/api/tasks", { title: "Two minds" });
    const { page } = await open(`/app/tasks/${id}`);
    const title = page.getByRole("dialog").getByLabel("Title");
    await title.waitFor();
    // The live channel would tell of the other change before ours is sent.
    let isChanged = false;
    await page.route("**/api/tasks/*", async (route) => {
      if (route.request().method() === "PATCH" && !isChanged) {
        isChanged = true;
        await api("PATCH", `/api/tasks/${id}`, { title: "Their title" });
      }
      await route.continue();
    });
    await title.fill("My title");
    await title.blur();
    const conflict = page.getByRole("alert").filter({ hasText: "changed somewhere else" });
    await conflict.getByText("Their title").waitFor();
    await conflict.getByText("My title").waitFor();
    await conflict.getByRole("button", { name: "Keep mine" }).click();
    await eventually(async () => (await api("GET", `/api/tasks/${id}`)).title).toBe("My title");
  });

  it("shows in one tab what another does, and ends the session in both", async () => {
    const { context, page } = await open("/app/tasks");
    const { page: other } = await openTab(context, service.origin);
    await other.goto(`${service.origin}/app/tasks`);
    await other.getByRole("textbox", { name: "Add a task" }).fill("Seen in both");
    await other.keyboard.press("Enter");
    await box(page, "Seen in both").waitFor();
    await box(page, "Seen in both").click();
    await eventually(() => box(other, "Seen in both").count()).toBe(0);
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await other.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  });

  it("opens offline and says so, and goes on when the network is back", async () => {
    const context = await newProfile(browser);
    const { page } = await openTab(context, service.origin);
    await signIn(page, service.origin, "/app/tasks", GRACE);
    await page.evaluate("navigator.serviceWorker.ready");
    await page.getByRole("textbox", { name: "Add a task" }).waitFor();
    await eventually(() => page.evaluate("caches.keys().then((names) => names.length)")).toBeGreaterThan(0);
    await context.setOffline(true);
    await page.getByText("Offline", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Add a task" }).fill("Not lost silently");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "“Not lost silently” was not added." }).waitFor();
    await context.setOffline(false);
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await box(page, "Not lost silently").waitFor();
    await eventually(async () => (await api("GET", "/api/tasks?q=silently")).data.length).toBe(1);
    await context.setOffline(true);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "You are offline" }).waitFor();
    await context.setOffline(false);
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
  });
});
