import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeModels } from "../fakes/llm/server.ts";
import { close, listen } from "../fakes/server.ts";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, eventually, GRACE, openConsole, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* Chat with and without a model, the palette that reaches all there is, and what people read when the API refuses. */

const MODEL_KEY = "chat-key";
const DAY_MS = 86_400_000;
/** A day of the near future. */
const SOON = new Date(Date.now() + 9 * DAY_MS).toISOString().slice(0, 10);

interface Answer {
  data: { title: string }[];
  token: string;
}

describe.skipIf(!executablePath)("what the console can do", () => {
  const models = createFakeModels();
  let modelsUrl: string;
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser, modelsUrl] = await Promise.all([
      startService({ MODEL_A: "custom/llama-served" }),
      sharedChromium(),
      listen(models),
    ]);
    await api("POST", "/api/auth/register", { name: "Grace Hopper", ...GRACE });
    await api("POST", "/api/calendar/events", { title: "Zebra audit", start: `${SOON}T10:00:00Z` });
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
    close(models);
  });

  const api = (method: string, path: string, body?: object, token?: string) =>
    callApi<Answer>(service.origin, method, path, body, token);

  async function open(path: string) {
    const opened = await openConsole(browser, service.origin);
    await signIn(opened.page, service.origin, path, GRACE);
    return opened;
  }

  /** Names without what different ways of reading them put between their words. */
  const bare = (text: string) => text.replace(/[\s,.:]+/g, "");
  const log = (page: Page) => page.getByRole("log", { name: "Messages" });
  async function say(page: Page, text: string): Promise<void> {
    await page.getByLabel("Message", { exact: true }).fill(text);
    await page.keyboard.press("Enter");
  }

  it("chats: does it with a link and Undo, names the engine, and keeps conversations", async () => {
    const { page, trouble } = await open("/app/chat");
    await eventually(() => page.locator(".chat-start button").count()).toBe(3);
    await say(page, "Remind me to feed the cat tomorrow at 3pm");
    const done = log(page).getByRole("listitem").filter({ hasText: "Task created" });
    await done.getByRole("link", { name: /feed the cat/i }).waitFor();
    await log(page).getByText("By the built-in engine").waitFor();
    await eventually(() => new URL(page.url()).pathname).toMatch(/^\/app\/chat\/.+/);
    await done.getByRole("button", { name: /^Undo/ }).click();
    await eventually(async () => (await api("GET", "/api/tasks?status=open")).data.length).toBe(0);
    await done.getByRole("button", { name: /^Undo/ }).waitFor({ state: "detached" });

    await say(page, `Schedule a dentist appointment on ${SOON} at 10am`);
    await log(page)
      .getByRole("listitem")
      .filter({ hasText: "Event created" })
      .getByRole("link", { name: /dentist/i })
      .click();
    await page.getByRole("dialog", { name: "Edit event" }).waitFor();
    await eventually(() => new URL(page.url()).pathname).toMatch(new RegExp(`^/app/calendar/\\w+/${SOON}$`));
    await page.keyboard.press("Escape");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Chat" }).click();
    const list = page.getByRole("navigation", { name: "Conversations" });
    await list.getByRole("button", { name: /^Delete “/ }).click();
    const question = page.getByRole("dialog", { name: /^Delete “/ });
    await question.getByText("This cannot be undone.").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await question.getByRole("button", { name: "Cancel" }).click();
    await list.getByRole("button", { name: /^Delete “/ }).click();
    await question.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("status").getByText("Conversation deleted").waitFor();
    await eventually(() => list.getByRole("button", { name: /^Delete “/ }).count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("offers what the assistant suggests as buttons below its last reply, which send it", async () => {
    const { page, trouble } = await open("/app/chat");
    const offered = page.getByRole("list", { name: "Did you mean" });
    const suggestions = ["Remind me to water the ferns", "Add water the ferns to my calendar"];
    // What it suggests depends on how sure it is, so the reply is given some.
    await page.route("**/api/ai/chat", async (route) => {
      const answer = await route.fetch();
      const body = (await answer.text()).replace('"suggestions":[]', `"suggestions":${JSON.stringify(suggestions)}`);
      await route.fulfill({ response: answer, body });
    });
    await say(page, "hello");
    await eventually(() => offered.getByRole("button").allTextContents()).toEqual(suggestions);
    expect(await axeFindings(page)).toEqual([]);
    await page.unroute("**/api/ai/chat");
    await offered.getByRole("button", { name: suggestions[0] ?? "" }).click();
    const done = log(page).getByRole("listitem").filter({ hasText: "Task created" });
    await done.getByRole("link", { name: /water the ferns/i }).waitFor();
    expect(await offered.count()).toBe(0);
    await done.getByRole("button", { name: /^Undo/ }).click();
    await eventually(async () => (await api("GET", "/api/tasks?status=open")).data.length).toBe(0);
    expect(trouble).toEqual([]);
  });

  /** An answer as the API streams it, and what then becomes of the connection. */
  const streamed = (...events: [string, object][]) => ({
    status: 200,
    contentType: "text/event-stream",
    body: events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(""),
  });

  it("says what broke off, what was refused and that one is offline, and sends it again", async () => {
    const { page } = await open("/app/chat");
    let answer: (route: Route) => Promise<void> = (route) => route.fulfill(streamed(["delta", { text: "Half of an" }]));
    await page.route("**/api/ai/chat", (route) => answer(route));
    await say(page, "What does my day look like?");
    const failure = log(page).getByRole("alert");
    await failure.getByText("The response was interrupted.").waitFor();
    await log(page).getByText("Half of an").waitFor();
    answer = (route) =>
      route.fulfill(
        streamed(["error", { status: 503, code: "unavailable", detail: "The service is temporarily unavailable." }]),
      );
    await failure.getByRole("button", { name: "Try again" }).click();
    await failure.getByText("The service is temporarily unavailable.").waitFor();
    answer = (route) => route.abort("internetdisconnected");
    await failure.getByRole("button", { name: "Try again" }).click();
    await failure.getByText("The service could not be reached.").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    answer = (route) => route.continue();
    await failure.getByRole("button", { name: "Try again" }).click();
    await log(page).getByText("By the built-in engine").waitFor();
    expect(await failure.count()).toBe(0);
  });

  it("shows a model's proposals as cards that wait while it speaks, names it, and stops with Esc", async () => {
    const script = (turns: object[]) =>
      fetch(`${modelsUrl}/control/${MODEL_KEY}/script`, { method: "POST", body: JSON.stringify(turns) });
    const { token } = await api("POST", "/api/auth/login", GRACE);
    const proof = { currentPassword: GRACE.password };
    const key = { provider: "custom", key: MODEL_KEY, baseUrl: `${modelsUrl}/openai/v1`, ...proof };
    await api("POST", "/api/api-keys", key, token);
    await api("POST", "/api/ai-model", { model: "model_a" }, token);
    const { page, trouble } = await open("/app/chat");
    // An email of somebody else has been read, so the change waits for a person.
    await api("POST", "/api/emails", { from: "mallory@example.org", subject: "Party", body: "Please add a task." });
    await script([
      { tools: [{ name: "find_mail", input: { query: "party" } }] },
      { tools: [{ name: "create_task", input: { title: "Buy balloons" } }] },
      { text: "I suggest a task." },
      { hang: true },
    ]);
    await say(page, "What is in the email about the party? Do what it asks.");
    const card = page.getByRole("list", { name: "Waiting for your decision" }).getByRole("listitem");
    await card.getByText(/Buy balloons/).waitFor();
    await log(page)
      .getByText(/^By llama-served/)
      .waitFor();
    // It says nothing for now: the card waits, and Esc ends it.
    await say(page, "And what else?");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    const apply = card.getByRole("button", { name: "Apply" });
    await eventually(() => apply.getAttribute("aria-disabled")).toBe("true");
    await page.keyboard.press("Escape");
    await log(page).getByText("Stopped.").waitFor();
    await eventually(() => apply.getAttribute("aria-disabled")).not.toBe("true");
    await apply.click();
    await card.getByText("Applied").waitFor();
    await eventually(async () => (await api("GET", "/api/tasks?status=open")).data[0]?.title).toBe("Buy balloons");
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  /** What is on each screen when it is complete. */
  const SCREENS: Record<string, string> = {
    "/app": "The last 14 days",
    "/app/mail/inbox": "Compose",
    "/app/tasks": "Water the plants",
    [`/app/calendar/week/${SOON}`]: "Zebra audit",
    "/app/chat": "What can I do for you?",
    "/app/bookings": "Not connected",
    "/app/streams": "No stream yet",
    "/app/streams/captions": "No captions to approve",
    "/app/streams/milestones": "Ahead",
    "/app/streams/platforms": "Discord",
    "/app/settings": "Working hours",
    "/app/settings/profile": "Language and times",
    "/app/settings/notifications": "Quiet hours",
    "/app/settings/email": "Blocked senders",
    "/app/settings/calendars": "Import",
    "/app/settings/security": "Change the password",
    "/app/settings/api-keys": "Create an API key",
    "/app/settings/webhooks": "Add a webhook",
    "/app/settings/tokens": "Alerts",
    "/app/settings/billing": "Your plan",
    "/app/settings/data": "Delete my account",
    "/app/settings/ai-keys": "Anthropic",
    "/app/settings/models": "Active model",
    "/app/settings/service": "Queues",
  };

  it("reaches from the palette every button, link and field of every screen, and every key", async () => {
    await api("POST", "/api/tasks", { title: "Water the plants" });
    const { page, trouble } = await open("/app");
    for (const [path, ready] of Object.entries(SCREENS)) {
      await page.evaluate(`navigation.navigate(${JSON.stringify(path)}).finished`);
      await page.locator("main").getByText(ready).first().waitFor();
      // Again, because a screen that was still reading its data has other controls then.
      await expect.poll(() => absentFrom(page), { message: path }).toEqual([]);
    }
    expect(trouble).toEqual([]);
  });

  /** What the screen has and the palette does not, by the names that assistive technology hears. */
  async function absentFrom(page: Page): Promise<string[]> {
    const names = await namesIn(page);
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Search or type a command" });
    await field.waitFor();
    // Typed within the page, and counted in frames: it reads the screen once it is open, and draws a part at a time.
    const absent: string[] = await page.evaluate(`(async () => {
      const bare = ${bare};
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const field = document.querySelector("dialog [role=combobox]");
      const isThere = (name) => [...document.querySelectorAll("dialog [role=option]")]
        .some((each) => bare(each.textContent).includes(bare(name)));
      const absent = [];
      for (const name of ${JSON.stringify(names)}) {
        const query = name.slice(0, 60);
        field.value = query;
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
        for (let frames = 0; frames < 30 && !isThere(query); frames++) await frame();
        if (!isThere(query)) absent.push(name);
      }
      return absent;
    })()`);
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    return absent;
  }

  /** The controls of the page below its frame, as its accessibility tree names them, each once. Records are searched. */
  async function namesIn(page: Page): Promise<string[]> {
    const records: string[] = await page.evaluate(
      `[...document.querySelectorAll("main [data-row-focus]")].map((each) => {
        const heard = each.cloneNode(true);
        for (const hidden of heard.querySelectorAll("[aria-hidden=true]")) hidden.remove();
        return each.ariaLabel || heard.textContent;
      })`,
    );
    const known = new Set(records.map(bare));
    const tree = await page.locator("main").ariaSnapshot();
    // What is disabled cannot be done.
    const lines = tree.matchAll(
      /- (?:button|link|textbox|combobox|checkbox|switch|spinbutton|searchbox) "([^"\\]+)"(?!.*\[disabled\])/g,
    );
    const names = [...lines].map(([, name = ""]) => name.replace(/\s+/g, " ").trim());
    return [...new Set(names.filter((name) => !known.has(bare(name))))].slice(0, 40);
  }

  it("finds emails, tasks and events in the palette, opens one, and runs a key of the screen by its name", async () => {
    const { page } = await open(`/app/calendar/month/${SOON}`);
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Search or type a command" });
    await field.fill("zebra aud");
    await page
      .getByRole("group", { name: "Events" })
      .getByRole("option", { name: /Zebra audit/ })
      .click();
    await page.getByRole("dialog", { name: "Edit event" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await field.fill("agenda");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /^Agenda from/ }).waitFor();
  });

  it("writes a large export straight to the disk, where the browser can", async () => {
    const { page, trouble } = await open("/app");
    const job = { id: "large", state: "succeeded", progress: { done: 1, total: 1 }, error: null, size: 60_000_000 };
    const dates = {
      createdAt: "2026-01-02T03:04:05Z",
      finishedAt: "2026-01-02T03:04:06Z",
      expiresAt: `${SOON}T00:00:00Z`,
    };
    const result = { records: { tasks: 3 }, files: 1, missingFiles: 0 };
    await page.route("**/api/settings/data/exports?*", (route) =>
      route.fulfill({ json: { data: [{ ...job, ...dates, result, downloadUrl: "/x" }], nextCursor: null } }),
    );
    await page.route("**/exports/large/download", (route) => route.fulfill({ body: "the archive" }));
    await page.evaluate(`window.showSaveFilePicker = async ({ suggestedName }) => ({
      createWritable: async () => new WritableStream({
        write: (part) => { window.written = suggestedName + ": " + new TextDecoder().decode(part); },
      }),
    })`);
    await page.evaluate("navigation.navigate('/app/settings/data').finished");
    await page.getByRole("button", { name: "Download", exact: true }).click();
    await eventually(() => page.evaluate("window.written")).toBe("poa-export-2026-01-02.zip: the archive");
    expect(trouble).toEqual([]);
  });

  const REFUSALS = [
    [403, "forbidden", "You may not do this."],
    [409, "conflict", "Something is in the way."],
    [412, "version_conflict", "The record has another version."],
    [422, "unprocessable", "This cannot be done."],
    [429, "rate_limited", "Too many requests."],
    [500, "internal_error", "The service could not do this."],
    [0, "offline", ""],
  ] as const;

  /** Where something is typed, and how it is sent. What was typed has to stay, to be sent again. */
  const FORMS: Record<string, { path: string; open?: string; field: string | RegExp; typed: string; button?: RegExp }> =
    {
      "an event": {
        path: `/app/calendar/week/${SOON}?new=${SOON}T12:00/${SOON}T13:00`,
        field: "Title",
        typed: "Kept",
        button: /^Save/,
      },
      "an API key": { path: "/app/settings/api-keys?do=new", field: "Name", typed: "Kept", button: /^Create/ },
      "a webhook": {
        path: "/app/settings/webhooks?do=new",
        field: /Address|URL/,
        typed: "https://example.com/hook",
        button: /^(?:Add|Create|Save)/,
      },
      "a milestone": {
        path: "/app/streams/milestones",
        open: "New milestone",
        field: "Number to reach",
        typed: "123",
        button: /^Save/,
      },
    };

  it.each(Object.entries(FORMS))("says in plain words why it was refused, and keeps it: %s", async (_name, form) => {
    const { page, trouble } = await open(form.path);
    if (form.open) await page.getByRole("button", { name: form.open }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(form.field).fill(form.typed);
    for (const refusal of REFUSALS) {
      await page.route("**/api/**", (route) => refuse(route, refusal));
      await dialog.getByRole("button", { name: form.button }).last().click();
      await readsRefusal(page, refusal);
      await eventually(() => dialog.getByLabel(form.field).inputValue()).toBe(form.typed);
      await page.unroute("**/api/**");
    }
    expect(trouble).toEqual([]);
  });

  it("says in plain words why a setting was refused, and takes it back", async () => {
    const { page } = await open("/app/settings/profile");
    const clock = page.getByLabel("Clock");
    await clock.waitFor();
    const before = await clock.inputValue();
    for (const refusal of REFUSALS) {
      await page.route("**/api/**", (route) => refuse(route, refusal));
      await clock.selectOption(before === "24h" ? "12h" : "24h");
      await readsRefusal(page, refusal);
      await eventually(() => clock.inputValue()).toBe(before);
      await page.unroute("**/api/**");
    }
  });

  type Refusal = (typeof REFUSALS)[number];

  function refuse(route: Route, [status, code, detail]: Refusal): Promise<void> {
    const request = route.request();
    if (request.method() === "GET" || request.url().includes("/api/auth/")) return route.fallback();
    if (status === 0) return route.abort("internetdisconnected");
    return route.fulfill({
      status,
      contentType: "application/problem+json",
      body: JSON.stringify({ status, code, detail }),
      ...(status === 429 && { headers: { "retry-after": "7" } }),
    });
  }

  async function readsRefusal(page: Page, [status, , detail]: Refusal): Promise<void> {
    const own = { 0: "The service could not be reached.", 412: "The record was changed elsewhere." };
    const said = status === 0 || status === 412 ? own[status] : detail;
    const alert = page.getByRole("alert").filter({ hasText: said }).first();
    await alert.waitFor();
    if (status === 429) expect(await alert.textContent()).toContain("Try again in 7 seconds.");
  }
});
