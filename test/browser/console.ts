import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";

/* What the tests of the console share: pages that note all that goes wrong in them, and a look through axe's eyes. */

export const ADA = { email: "ada@example.com", password: "correct horse battery staple" };
export const GRACE = { email: "grace@example.com", password: "seven purple elephants dance" };

export const SIZES = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const;
export type Size = keyof typeof SIZES;
export type Theme = "light" | "dark";

export interface Opened {
  context: BrowserContext;
  page: Page;
  /** Exceptions, violations of the policy and requests to another origin. Has to stay empty. */
  trouble: string[];
}

/** Asks again until the answer is the expected one. What the browser does and what it tells us of it arrive late. */
export const eventually = (ask: () => unknown) => expect.poll(ask);

/** Calls the API beside the browser. The service is open, as `npm run dev` makes it: few calls need a token. */
export async function callApi<Answer>(
  origin: string,
  method: string,
  path: string,
  body?: object,
  token?: string,
): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer: unknown = response.status === 204 ? {} : await response.json();
  expect(response.status, JSON.stringify(answer)).toBeLessThan(400);
  return answer as Answer;
}

/** Something to wait for that the test itself lets happen. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Holds requests back: none is sent before `release` is called. */
export async function hold(page: Page, address: string, method?: string): Promise<{ release: () => void }> {
  const { opened, open } = gate();
  await page.route(address, async (route) => {
    if (method === undefined || route.request().method() === method) await opened;
    await route.fallback();
  });
  return { release: open };
}

/** Waits until what the page has heard of is drawn. */
export function drawn(page: Page): Promise<unknown> {
  return page.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
}

interface Options {
  size?: Size;
  theme?: Theme;
}

/** What a tab tells of, and tests listen to. */
const TOLD = ["console", "pageerror", "request", "requestfailed", "response"] as const;

/**
 * A browser profile of its own, with nothing in it, that installs the service worker as a person's does. Motion is off,
 * so that nothing has to be waited for.
 */
export function newProfile(browser: Browser, { size = "desktop", theme = "light" }: Options = {}, more = {}) {
  return browser.newContext({
    viewport: SIZES[size],
    colorScheme: theme,
    reducedMotion: "reduce",
    // Not the zone of the sample data's profile: times follow the profile.
    timezoneId: "Asia/Tokyo",
    locale: "en-US",
    ...more,
  });
}

const free = new Map<string, Page[]>();

/**
 * A tab in which nobody is signed in and nothing is stored. When the test has passed, the next one gets the same tab:
 * in a new profile a page costs more than three times as much. It has no service worker, which would go on installing
 * itself beside the test; `newProfile` is for tests that need one, or leave in the tab what cannot be undone.
 */
export async function openConsole(browser: Browser, origin: string, options: Options = {}): Promise<Opened> {
  const kind = JSON.stringify(options);
  const tabs = free.get(kind) ?? [];
  free.set(kind, tabs);
  let page = tabs.pop();
  // Closed with the file that made it.
  while (page?.isClosed()) page = tabs.pop();
  if (!page) {
    page = await (await newProfile(browser, options, { serviceWorkers: "block" })).newPage();
    await page.addInitScript(REPORT_VIOLATIONS);
  }
  const tab = page;
  onTestFinished(async ({ task }) => {
    if (tab.isClosed() || task.result?.state !== "pass") return tab.context().close();
    await clean(tab, origin, options);
    tabs.push(tab);
  });
  return { context: tab.context(), page: tab, trouble: watch(tab, origin) };
}

/** Takes away what a test has left in a tab. */
async function clean(page: Page, origin: string, { size = "desktop", theme = "light" }: Options): Promise<void> {
  const context = page.context();
  for (const event of TOLD) page.removeAllListeners(event);
  await Promise.all(context.pages().map((each) => each !== page && each.close()));
  await Promise.all([page, context].map((each) => each.unrouteAll({ behavior: "ignoreErrors" })));
  await context.setOffline(false);
  // No page of the console any more, but of its origin: nothing can be stored after this.
  await page.goto(`${origin}/api/health`);
  await page.evaluate("localStorage.clear(), sessionStorage.clear()");
  await context.clearCookies();
  await page.setViewportSize(SIZES[size]);
  await page.emulateMedia({ colorScheme: theme });
}

export async function openTab(context: BrowserContext, origin: string): Promise<Opened> {
  const page = await context.newPage();
  await page.addInitScript(REPORT_VIOLATIONS);
  return { context, page, trouble: watch(page, origin) };
}

const REPORT_VIOLATIONS = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample));`;

function watch(page: Page, origin: string): string[] {
  const trouble: string[] = [];
  page.on("pageerror", (error) => trouble.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    // A refused request is part of many tests, and the first refresh of somebody who is not signed in.
    if (message.type() === "error" && !/Failed to load resource|net::ERR/.test(text)) trouble.push(`console: ${text}`);
  });
  page.on("request", (request) => {
    const { origin: other, protocol } = new URL(request.url());
    if (other !== origin && !["data:", "blob:"].includes(protocol)) trouble.push(`left the origin: ${request.url()}`);
  });
  return trouble;
}

/** Signs in as the form does, without drawing it: most tests are about what comes after. */
export async function signIn(page: Page, origin: string, path = "/app", person = ADA): Promise<void> {
  const { email, password } = person;
  const response = await page.context().request.post(`${origin}/api/auth/session`, {
    headers: { "X-POA-Console": "1", origin, "sec-fetch-site": "same-origin" },
    data: { email, password },
  });
  expect(response.status(), await response.text()).toBe(200);
  await page.goto(`${origin}${path}`);
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  // What says that the service is open comes late, above all else, and would move what a test has just measured.
  const { accessMode } = await callApi<{ accessMode: string }>(origin, "GET", "/api/auth/registration");
  const isHidden = await page.evaluate('localStorage.getItem("poa-open-mode-seen") === "yes"');
  if (accessMode === "open" && !isHidden) await page.locator(".banner").waitFor();
}

export async function signInByForm(page: Page, origin: string, path = "/app", person = ADA): Promise<void> {
  await page.goto(`${origin}/app/sign-in?next=${encodeURIComponent(path)}`);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What axe finds, as short lines. Most of its rules ask for structure, which is the same in both themes. */
export async function axeFindings(page: Page, rules: "all" | "colors" = "all"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE);
  const options = {
    runOnly: rules === "all" ? RULES : { type: "rule", values: ["color-contrast"] },
    resultTypes: ["violations"],
  };
  return page.evaluate(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ": " + target.join(" ") + " " + failureSummary.split("\\n").slice(1, 2))))`,
  );
}

/** Whether the page can be scrolled sideways. */
export function overflows(page: Page): Promise<boolean> {
  return page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
}

/** Answers the dialog that asks who is there. */
export async function confirmPassword(page: Page, password: string, code?: string): Promise<void> {
  const proof = page.getByRole("dialog", { name: "Confirm your identity" });
  await proof.getByLabel("Password").fill(password);
  if (code !== undefined) await proof.getByLabel("Two-factor code").fill(code);
  await proof.getByRole("button", { name: "Confirm" }).click();
}
