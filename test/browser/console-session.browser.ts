import { randomBytes } from "node:crypto";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { ADA, callApi, eventually, newProfile, openConsole, openTab, signInByForm } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* The console's session from its beginning to its end, on a service that is open as `npm run dev` makes it. */

const JWT_SECRET = randomBytes(32).toString("base64url");
const MINUTE = 60_000;
const WRITING = "/api/tasks/quick";

let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService({ JWT_SECRET }), sharedChromium()]);
  await callApi(service.origin, "POST", "/api/auth/register", { ...ADA, name: "Ada" });
});
afterAll(async () => {
  await closeContexts();
  await service?.stop();
});

/** The same token as if it had been made so long ago. */
async function aged(token: string, ms: number): Promise<string> {
  const { iat = 0, exp = 0, ...claims } = decodeJwt(token);
  return new SignJWT({ ...claims, iat: iat - ms / 1000, exp: exp - ms / 1000 })
    .setProtectedHeader({ ...decodeProtectedHeader(token), alg: "HS256" })
    .sign(new TextEncoder().encode(JWT_SECRET));
}

/** Lets the page believe that the token of its next sign-in is new. */
async function giveOldToken(page: Page, ms: number): Promise<void> {
  await page.route(
    "**/api/auth/session",
    async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, token: await aged(body.token, ms) } });
    },
    { times: 1 },
  );
}

function answersOf(page: Page): string[] {
  const answers: string[] = [];
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith("/api/")) answers.push(`${response.request().method()} ${pathname} ${response.status()}`);
  });
  return answers;
}

/** Ends when the page has its answer: the task is shown, and can be read elsewhere, before that. */
async function addTask(page: Page, title: string): Promise<void> {
  const field = page.getByRole("main").getByLabel("Add a task");
  await field.fill(title);
  const answered = page.waitForResponse(
    (response) => response.url().endsWith(WRITING) && response.request().method() === "POST" && response.ok(),
  );
  await field.press("Enter");
  await answered;
  await page.getByRole("checkbox", { name: title }).waitFor();
}

async function storedTask(title: string): Promise<{ outside: boolean } | undefined> {
  const { data } = await callApi<{ data: { title: string; outside: boolean }[] }>(service.origin, "GET", "/api/tasks");
  return data.find((task) => task.title === title);
}

describe.skipIf(!executablePath)("the console's session", () => {
  it("goes on after the token has expired: what the person writes is their own", async () => {
    const { page } = await openConsole(browser, service.origin);
    await giveOldToken(page, 16 * MINUTE);
    const answers = answersOf(page);
    await signInByForm(page, service.origin, "/app/tasks");
    const title = "Written after a quarter of an hour";
    await addTask(page, title);
    await eventually(() => storedTask(title)).toMatchObject({ outside: false });
    await eventually(() => answers).toContain("POST /api/auth/session/refresh 200");
    await page.goto(`${service.origin}/app/chat`);
    await page.getByRole("textbox", { name: "Message" }).fill("Hello there");
    await page.keyboard.press("Enter");
    await eventually(() => page.url()).toMatch(/\/app\/chat\/.+/);
    await page.reload();
    await page.getByRole("log").getByText("Hello there").waitFor();
  });

  it("gets a new token before the old one ends, also when the clock has jumped over the end", async () => {
    // A clock cannot be taken out of a tab.
    const { page } = await openTab(await newProfile(browser), service.origin);
    await page.clock.install();
    await signInByForm(page, service.origin, "/app/tasks");
    const [first, second] = ["Before", "After"].map((when) => `${when} the machine slept`);
    await addTask(page, first ?? "");
    await eventually(() => storedTask(first ?? "")).toMatchObject({ outside: false });
    const answers = answersOf(page);
    // The timers of the page have not run, as after a sleep.
    await page.clock.setSystemTime(Date.now() + 14.5 * MINUTE);
    await addTask(page, second ?? "");
    await eventually(() => storedTask(second ?? "")).toMatchObject({ outside: false });
    const order = answers.filter((answer) => /refresh|quick/.test(answer));
    expect(order).toEqual(["POST /api/auth/session/refresh 200", `POST ${WRITING} 201`]);
    expect(answers.filter((answer) => answer.endsWith(" 401"))).toEqual([]);
  });

  it("that is ended elsewhere ends here by itself, in every tab, and says so", async () => {
    const { context, page, trouble } = await openConsole(browser, service.origin);
    await signInByForm(page, service.origin, "/app/tasks");
    const { page: other } = await openTab(context, service.origin);
    await other.goto(`${service.origin}/app/mail/inbox`);
    await other.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
    await page.evaluate(`localStorage.setItem("poa-kept-text", "Not yet saved")`);
    const { token } = await callApi<{ token: string }>(service.origin, "POST", "/api/auth/login", ADA);
    await callApi(service.origin, "DELETE", "/api/settings/security/sessions", {}, token);
    for (const tab of [page, other]) {
      await tab.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
      await tab.getByText("Your session has ended.").waitFor();
    }
    // What somebody typed and could not save is theirs, however the session ended.
    expect(await page.evaluate(`localStorage.getItem("poa-kept-text")`)).toBe("Not yet saved");
    expect(trouble).toEqual([]);
  });

  it("is not asked for where there can be none", async () => {
    const { page } = await openConsole(browser, service.origin);
    const answers = answersOf(page);
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    for (const path of ["/app/sign-in", "/app/register", "/app/forgot", "/app"]) {
      await page.goto(`${service.origin}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForLoadState("networkidle");
    }
    expect(answers.filter((answer) => !answer.endsWith(" 200"))).toEqual([]);
    expect(errors).toEqual([]);
    // After signing in, a new page goes on with the session; after signing out, it asks for nothing again.
    await signInByForm(page, service.origin);
    await page.goto(`${service.origin}/app/tasks`);
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    answers.length = 0;
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.waitForLoadState("networkidle");
    expect(answers.filter((answer) => !answer.endsWith(" 200"))).toEqual([]);
  });
});
