import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SETTINGS_PAGES } from "../../src/console/lib/settings-pages.ts";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import {
  ADA,
  axeFindings,
  confirmPassword,
  newProfile,
  openConsole,
  openTab,
  overflows,
  SIZES,
  signIn,
  type Theme,
} from "./console.ts";
import { type RunningService, startSeededService } from "./service.ts";

/* Every screen and dialog of the console, in both themes, wide and narrow. */

/** What is on the page when it is ready, and how to get there. */
interface Look {
  path: string;
  ready: (page: Page) => Promise<unknown>;
  act?: (page: Page) => Promise<unknown>;
}

const heading = (name: string) => (page: Page) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

const OUTSIDE: Record<string, Look> = {
  "sign-in": { path: "/app/sign-in", ready: heading("Sign in") },
  register: { path: "/app/register", ready: heading("Create your account") },
  forgot: { path: "/app/forgot", ready: heading("Reset your password") },
  reset: { path: "/app/reset#token=abc", ready: heading("Choose a new password") },
  verify: { path: "/app/verify#token=abc", ready: heading("Confirm your email address") },
};

const tasksReady = (page: Page) => page.getByRole("heading", { level: 2, name: /^This week/ }).waitFor();

const mailReady = (page: Page) =>
  page
    .getByRole("link", { name: /Coffee next week/ })
    .first()
    .waitFor();
const openCoffee = async (page: Page) => {
  await page
    .getByRole("link", { name: /Coffee next week/ })
    .first()
    .click();
  await page.getByRole("region", { name: "Analysis" }).waitFor();
};

const gridReady = (page: Page) => page.getByRole("gridcell").first().waitFor();

const INSIDE: Record<string, Look> = {
  today: { path: "/app", ready: (page) => page.getByText("The last 14 days").waitFor() },
  tasks: { path: "/app/tasks", ready: tasksReady },
  "a task": { path: "/app/tasks/1", ready: (page) => page.getByRole("dialog").getByLabel("Title").waitFor() },
  mail: { path: "/app/mail/inbox", ready: mailReady },
  "an email": { path: "/app/mail/inbox", ready: mailReady, act: openCoffee },
  "an answer": {
    path: "/app/mail/inbox",
    ready: mailReady,
    act: async (page) => {
      await openCoffee(page);
      await page.getByRole("button", { name: "Reply", exact: true }).click();
      await page.getByRole("dialog").getByText("Saved as a draft").waitFor();
    },
  },
  drafts: { path: "/app/mail/drafts", ready: heading("Drafts") },
  calendar: { path: "/app/calendar/week/2026-11-18", ready: gridReady },
  "a month": { path: "/app/calendar/month/2026-11-18", ready: gridReady },
  "an agenda": { path: "/app/calendar/agenda/2026-11-18", ready: heading("Agenda from 18 November 2026") },
  "a new event": {
    path: "/app/calendar/day/2026-11-18?new=2026-11-18T10:00/2026-11-18T11:00",
    ready: gridReady,
    act: async (page) => {
      await page.getByRole("dialog", { name: "New event" }).getByLabel("Repeat").selectOption({ label: "Other…" });
      await page.getByRole("dialog").getByText("More", { exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Find a time" }).click();
      await page.getByRole("dialog").getByText("Free times within your working hours").waitFor();
    },
  },
  "the calendar on a phone": {
    path: "/app/calendar/week/2026-11-18?phone=1",
    ready: gridReady,
    act: async (page) => {
      await page.getByRole("dialog").getByRole("button", { name: "Create a link" }).click();
      await confirmPassword(page, ADA.password);
      await page.getByRole("img", { name: "QR code of the calendar link" }).waitFor();
    },
  },
  chat: { path: "/app/chat", ready: (page) => page.getByText("What can I do for you?").waitFor() },
  streams: { path: "/app/streams", ready: (page) => page.getByText("All streams").waitFor() },
  captions: {
    path: "/app/streams/captions",
    ready: (page) => page.locator(".caption").first().waitFor(),
    act: (page) => page.getByRole("button", { name: "Edit" }).first().click(),
  },
  milestones: {
    path: "/app/streams/milestones",
    ready: (page) => page.getByRole("img").first().waitFor(),
    act: (page) => page.getByRole("button", { name: "New milestone" }).click(),
  },
  platforms: {
    path: "/app/streams/platforms",
    ready: (page) => page.getByRole("heading", { name: "Discord" }).waitFor(),
    act: (page) => page.getByRole("button", { name: "Voice on Discord" }).click(),
  },
  contacts: { path: "/app/contacts", ready: (page) => page.getByRole("link", { name: "Dana Whitfield" }).waitFor() },
  "a contact": {
    path: "/app/contacts?q=dana",
    ready: (page) => page.getByRole("link", { name: "Dana Whitfield" }).waitFor(),
    act: async (page) => {
      await page.getByRole("link", { name: "Dana Whitfield" }).click();
      await page.getByRole("heading", { name: "Latest emails" }).waitFor();
      await page.getByRole("button", { name: "Edit" }).click();
    },
  },
  "a new email with suggestions": {
    path: "/app/mail/inbox",
    ready: mailReady,
    act: async (page) => {
      await page.keyboard.press("c");
      await page.getByRole("dialog").getByRole("combobox", { name: "To" }).pressSequentially("da");
      await page.getByRole("option", { name: /Dana Whitfield/ }).waitFor();
    },
  },
  bookings: { path: "/app/bookings", ready: (page) => page.getByRole("heading", { name: "Connection" }).waitFor() },
  "several tasks": {
    path: "/app/tasks",
    ready: tasksReady,
    act: async (page) => {
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.getByRole("toolbar", { name: "1 selected" }).waitFor();
    },
  },
  "not found": { path: "/app/nothing", ready: heading("Not found") },
  palette: {
    path: "/app/tasks",
    ready: tasksReady,
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search or type a command" }).fill("contract");
      await page.getByRole("option", { name: /Send the signed contract/ }).waitFor();
    },
  },
  shortcuts: {
    path: "/app/tasks",
    ready: tasksReady,
    act: async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    },
  },
  "quick add": {
    path: "/app",
    ready: (page) => page.getByText("The last 14 days").waitFor(),
    act: async (page) => {
      await page.keyboard.press("q");
      await page.getByRole("dialog").getByLabel("Add a task").fill("Call Ann tomorrow #home p1 every week");
      await page.getByRole("dialog").getByText("Every week").waitFor();
    },
  },
  "account menu": {
    path: "/app/tasks",
    ready: tasksReady,
    act: async (page) => {
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menu").waitFor();
    },
  },
};

/** Every page of Settings, and the dialogs that its commands open. */
const SETTINGS: Record<string, Look> = {
  settings: { path: "/app/settings", ready: heading("Settings") },
  ...Object.fromEntries(
    SETTINGS_PAGES.map(({ id, label }) => [`settings: ${id}`, { path: `/app/settings/${id}`, ready: settled(label) }]),
  ),
  ...Object.fromEntries(
    ["api-keys?do=new", "webhooks?do=new", "email?do=rule", "email?do=identity", "data?do=delete"].map((address) => [
      `settings: ${address}`,
      {
        path: `/app/settings/${address}`,
        ready: (page: Page) => page.getByRole("dialog").getByRole("textbox").first().waitFor(),
      },
    ]),
  ),
};

/** The heading comes before the content, which is one or more regions. */
function settled(label: string) {
  return async (page: Page) => {
    await heading(label)(page);
    await page.locator("main .setting-section, main .provider-card").first().waitFor();
  };
}

/** One for each kind of layout. Here the colors are compared in both themes at both sizes. */
const CROSSED = ["today", "an email", "calendar", "settings: profile"];

describe.skipIf(!executablePath)("the console", () => {
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startSeededService(), sharedChromium()]);
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  /** Shows a screen. Unless the console is there and has no dialog open, it is loaded. */
  async function show(page: Page, { path, ready, act }: Look, isLoaded: boolean): Promise<void> {
    if (isLoaded) await page.evaluate(`navigation.navigate(${JSON.stringify(path)}).finished`);
    else {
      // The same document with another fragment would not be loaded.
      await page.goto("about:blank");
      await page.goto(`${service.origin}${path}`);
    }
    await ready(page);
    await act?.(page);
  }

  /**
   * Wide and light, then narrow and dark. axe takes as long as all the rest, so it looks once for each theme. A screen
   * that is narrow from the start is in `console-layout.browser.ts`.
   */
  async function look(page: Page, isCrossed: boolean): Promise<string[]> {
    const findings: string[] = [];
    const colors = async (theme: Theme) => {
      await page.emulateMedia({ colorScheme: theme });
      findings.push(...(await axeFindings(page, "colors")));
    };
    const width = async (size: { width: number; height: number }) => {
      await page.setViewportSize(size);
      if (await overflows(page)) findings.push(`can be scrolled sideways, ${size.width} px wide`);
    };
    await width(SIZES.desktop);
    findings.push(...(await axeFindings(page)));
    if (isCrossed) await colors("dark");
    await width({ ...SIZES.phone, width: 320 });
    await width(SIZES.phone);
    if (isCrossed) await colors("light");
    await page.emulateMedia({ colorScheme: "dark" });
    findings.push(...(await axeFindings(page)));
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize(SIZES.desktop);
    return findings;
  }

  it("has nothing that axe finds in either theme, breaks no policy, stays at home and is not too wide", async () => {
    const { page, trouble } = await openConsole(browser, service.origin);
    const found: Record<string, string[]> = {};
    const lookAll = async (screens: Record<string, Look>) => {
      // One page load for all that leave nothing open: dialogs of the frame would stay over the next screen.
      let isLoaded = false;
      for (const [name, each] of Object.entries(screens)) {
        await show(page, each, isLoaded && !each.path.includes("#"));
        found[name] = await look(page, CROSSED.includes(name));
        isLoaded = !each.act;
      }
    };
    await lookAll(OUTSIDE);
    await signIn(page, service.origin);
    await lookAll({ ...INSIDE, ...SETTINGS });
    expect(Object.entries(found).filter(([, findings]) => findings.length > 0)).toEqual([]);
    expect(CROSSED.filter((name) => !(name in found))).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("stores no token and no data, and signs out of everything", async () => {
    const { page } = await openTab(await newProfile(browser), service.origin);
    await signIn(page, service.origin);
    await page.getByText("The last 14 days").waitFor();
    await page.evaluate("navigator.serviceWorker.ready");
    const stored: string = await page.evaluate(`(async () => {
      const databases = (await indexedDB.databases()).map(({ name }) => name);
      const kept = await Promise.all((await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => url)));
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases, kept]);
    })()`);
    expect(stored).not.toMatch(/eyJ|@example|\/api\//);
    expect(stored).toContain("/app/assets/");
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await heading("Sign in")(page);
    expect(await page.evaluate("localStorage.length + sessionStorage.length")).toBe(0);
    await page.goto(`${service.origin}/app/tasks`);
    await heading("Sign in")(page);
  });
});
