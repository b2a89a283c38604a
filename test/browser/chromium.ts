import { existsSync } from "node:fs";
import { chromium, type Page } from "playwright-core";

export const executablePath = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path !== undefined && existsSync(path));

if (!executablePath) {
  const line = "!".repeat(78);
  console.error(
    `\n${line}\n!! THE BROWSER TEST DID NOT RUN: no Chromium was found on this machine.\n` +
      "!! Get one with `apt-get install chromium`, or set CHROMIUM_PATH to its file.\n" +
      `${line}\n`,
  );
}

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

/** Each launch makes a profile of its own and throws it away. */
export function launchChromium() {
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

/** Shows or hides the operations of one group. Swagger UI draws only what is in view when too many are open. */
export async function toggleGroup(page: Page, name: string): Promise<void> {
  // By script, here and below: Playwright first waits for the page to come to rest, which adds up to minutes.
  await page.evaluate(`document.querySelector("[data-tag='${name}']").click()`);
}
