// npm run pictures: takes the pictures of the console in docs/images from the sample data, so that they can be taken again.
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { launchChromium } from "../test/browser/chromium.ts";
import { ADA, signIn } from "../test/browser/console.ts";
import { newDataFolder, seed, start } from "../test/tooling/running-service.ts";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "docs", "images");

interface Picture {
  name: string;
  path: string;
  /** What is on the page when it is complete. */
  ready: string;
  theme?: "light" | "dark";
  isPhone?: boolean;
  /** What a person does before the picture is taken. */
  act?: (page: Page) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  { name: "today", path: "/app", ready: "Emre Yıldız" },
  {
    name: "mail",
    path: "/app/mail/inbox",
    ready: "Dashboard shows yesterday's numbers",
    act: async (page) => {
      await page
        .getByRole("link", { name: /Re: Contract for the March workshop/ })
        .first()
        .click();
      await page.getByRole("region", { name: "Analysis" }).waitFor();
    },
  },
  { name: "tasks-dark", path: "/app/tasks", ready: "Call the bank about the card limit", theme: "dark" },
  { name: "calendar", path: "/app/calendar/week", ready: "Stand-up" },
  { name: "calendar-month-dark", path: "/app/calendar/month", ready: "Stand-up", theme: "dark" },
  { name: "calendar-phone", path: "/app/calendar/agenda", ready: "Stand-up", isPhone: true },
  {
    name: "chat",
    path: "/app/chat",
    ready: "What can I do for you?",
    act: async (page) => {
      for (const message of [
        "Schedule lunch with Dana on Friday at 12:30",
        "Make it 1pm instead",
        "What is left for today?",
      ]) {
        await page.getByRole("textbox", { name: "Message" }).fill(message);
        await page.keyboard.press("Enter");
        await page.getByRole("button", { name: "Send" }).waitFor();
        await page.waitForTimeout(1000);
      }
    },
  },
  { name: "streams", path: "/app/streams", ready: "All streams" },
  { name: "captions", path: "/app/streams/captions", ready: "To decide" },
  { name: "milestones-dark", path: "/app/streams/milestones", ready: "Ahead", theme: "dark" },
  { name: "bookings", path: "/app/bookings", ready: "Connection" },
  { name: "settings", path: "/app/settings", ready: "Working hours" },
  { name: "settings-tokens-dark", path: "/app/settings/tokens", ready: "Alerts", theme: "dark" },
  { name: "settings-email", path: "/app/settings/email", ready: "Newsletters to read later" },
  { name: "settings-phone", path: "/app/settings/profile", ready: "Language and times", isPhone: true },
  { name: "today-phone", path: "/app", ready: "Emre Yıldız", isPhone: true },
];

async function take(browser: Browser, origin: string, { name, path, ready, theme = "light", isPhone, act }: Picture) {
  const context = await browser.newContext({
    viewport: isPhone ? { width: 390, height: 844 } : { width: 1280, height: 800 },
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  // The banner is for the person who runs an open service, not for those who look at a picture.
  await page.addInitScript('localStorage.setItem("poa-open-mode-seen", "yes")');
  await signIn(page, origin, path, ADA);
  await page.getByText(ready).first().waitFor();
  await act?.(page);
  // The pointer rests where the sign-in button was.
  await page.mouse.move(0, 0);
  await page.waitForTimeout(1000);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await context.close();
}

mkdirSync(folder, { recursive: true });
const data = newDataFolder();
seed(data);
const [service, browser] = await Promise.all([start(data, { secrets: "machine" }), launchChromium()]);
try {
  for (const picture of PICTURES) await take(browser, service.origin, picture);
} finally {
  await browser.close();
  await service.stop();
  rmSync(data, { recursive: true, force: true });
}
