import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

export const executablePath = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

// The sandbox needs rights that containers lack; the rest keeps Chromium from calling home.
const ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** For whatever a page is waited for. Long enough for any machine: how busy it is must not decide a test. */
export const PATIENCE_MS = 240_000;

/** Each launch makes a profile of its own and throws it away. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  // Here and not where contexts are made, so that none is forgotten: Playwright's own limit is half a minute.
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => patient(await newContext(options));
  return browser;
}

let shared: Browser | undefined;

/** One browser for all the files that a process runs; it ends with the process. Contexts keep tests apart. */
export async function sharedChromium(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await launchChromium();
  return shared;
}

/** Ends what a test that failed has left open. */
export async function closeContexts(): Promise<void> {
  await Promise.all(shared?.contexts().map((context) => context.close()) ?? []);
}

export function patient(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/** Shows or hides the operations of one group. Swagger UI draws only what is in view when too many are open. */
export async function toggleGroup(page: Page, name: string): Promise<void> {
  // By script, here and below: Playwright first waits for the page to come to rest, which adds up to minutes.
  await page.evaluate(`document.querySelector("[data-tag='${name}']").click()`);
}
