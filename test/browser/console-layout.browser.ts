import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SETTINGS_PAGES } from "../../src/console/lib/settings-pages.ts";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { ADA, callApi, eventually, openConsole, overflows, type Size, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* How long and how wide the pages are with much in them, and where Back leads to. */

const EMAILS = 45;
const WORD = "Donaudampfschifffahrtsgesellschaftskapitän";
const LONG = `${WORD} `.repeat(40);

let service: RunningService;
let browser: Browser;
let longEmail: number;
let longTask: number;

async function fill(): Promise<void> {
  const { origin } = service;
  await callApi(origin, "POST", "/api/auth/register", { ...ADA, name: `Ada ${WORD}` });
  const email = (subject: string, body: string) =>
    callApi<{ id: number }>(origin, "POST", "/api/emails", {
      from: { name: `Ann ${WORD}`, email: "ann@example.com" },
      to: "ada@example.com",
      subject,
      body,
    });
  for (let n = 1; n <= EMAILS; n++) await email(`Number ${n}`, `Could you send me the figures by Friday? ${LONG}`);
  // Unread in the archive: its tab has a badge then.
  for (let n = 1; n <= 3; n++) {
    const { id } = await email(`Old ${n}`, LONG);
    await callApi(origin, "PATCH", `/api/emails/${id}`, { status: "archived" });
  }
  longEmail = (await email("The long one", `${LONG}\n\n`.repeat(60))).id;
  for (let n = 1; n <= 40; n++) {
    const task = { title: `Task ${n} ${WORD.repeat(3)}`, description: LONG, tags: [WORD.slice(0, 30)] };
    longTask = (await callApi<{ id: number }>(origin, "POST", "/api/tasks", task)).id;
  }
  const start = new Date();
  for (let n = 0; n < 12; n++) {
    const at = new Date(start.getTime() + n * 1_200_000).toISOString();
    await callApi(origin, "POST", "/api/calendar/events", {
      title: LONG.slice(0, 180),
      start: at,
      durationMinutes: 60,
    });
  }
}

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), sharedChromium()]);
  await fill();
});
afterAll(async () => {
  await closeContexts();
  await service?.stop();
});

/** How far the page can be scrolled beyond what is in it, in pixels. */
function beyond(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const { scrollHeight, clientHeight } = document.documentElement;
    const content = document.body.getBoundingClientRect().bottom + scrollY;
    return scrollHeight - Math.max(clientHeight, Math.ceil(content));
  })()`);
}

const OUTSIDE = ["/app/sign-in", "/app/register", "/app/forgot", "/app/reset#token=a", "/app/verify#token=a"];
const inside = () => [
  "/app",
  ...["inbox", "starred", "snoozed", "archive", "trash", "sent", "drafts"].map((box) => `/app/mail/${box}`),
  `/app/mail/inbox/${longEmail}`,
  "/app/tasks",
  `/app/tasks/${longTask}`,
  ...["month", "week", "day", "agenda"].map((view) => `/app/calendar/${view}`),
  "/app/calendar/week?new=2026-11-18T10:00/2026-11-18T11:00",
  "/app/calendar/week?find=1",
  "/app/chat",
  "/app/bookings",
  ...["", "/captions", "/milestones", "/platforms"].map((tab) => `/app/streams${tab}`),
  "/app/settings",
  ...SETTINGS_PAGES.map(({ id }) => `/app/settings/${id}`),
  "/app/nothing",
];

/** The shape of what comes is gone, and nothing is under way. */
async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  await eventually(() => page.locator(".skeleton, .skeleton-wait").count()).toBe(0);
  await page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))");
}

/** Signs in and waits until nothing moves any more: what says that the service is open comes late, above all else. */
async function arrive(page: Page, path: string): Promise<void> {
  await signIn(page, service.origin, path);
  await page.locator(".banner").waitFor();
  await settled(page);
}

describe.skipIf(!executablePath)("every screen with much in it", () => {
  it.each(["desktop", "phone"] as const)(
    "is neither wider than the window nor longer than its content: %s",
    async (size: Size) => {
      const { page } = await openConsole(browser, service.origin, { size });
      const wrong: string[] = [];
      const look = async (path: string) => {
        await settled(page);
        if (await overflows(page)) wrong.push(`${path} is wider than the window`);
        const more = await beyond(page);
        if (more > 0) wrong.push(`${path} goes on for ${more} px below its content`);
      };
      for (const path of OUTSIDE) {
        await page.goto("about:blank");
        await page.goto(`${service.origin}${path}`);
        await look(path);
      }
      await signIn(page, service.origin);
      for (const [at, path] of inside().entries()) {
        // A dialog that stands in the address changes it when it closes, so what follows one is opened anew.
        const isDialog = path.includes("?") || inside()[at - 1]?.includes("?");
        if (isDialog) await page.goto(`${service.origin}${path}`);
        else await page.evaluate(`navigation.navigate(${JSON.stringify(path)}).finished`);
        await look(path);
      }
      expect(wrong).toEqual([]);
    },
  );

  it("stays where it is when the wheel goes on past the end of a long email", async () => {
    const { page } = await openConsole(browser, service.origin);
    await arrive(page, `/app/mail/inbox/${longEmail}`);
    const pane = page.locator(".mail-reading");
    await pane.hover();
    for (let turn = 0; turn < 40; turn++) await page.mouse.wheel(0, 2000);
    await eventually(() => pane.evaluate((each) => each.scrollTop + each.clientHeight >= each.scrollHeight - 2)).toBe(
      true,
    );
    expect(await page.evaluate("scrollY")).toBe(0);
  });

  it("keeps the bottom navigation of a phone in the window while Archive has unread emails", async () => {
    const { page } = await openConsole(browser, service.origin, { size: "phone" });
    await arrive(page, "/app/mail/inbox");
    const box = await page.getByRole("navigation", { name: "Main" }).boundingBox();
    expect([box?.x, box?.width]).toEqual([0, 390]);
  });
});

describe.skipIf(!executablePath)("Back", () => {
  it.each(["desktop", "phone"] as const)("leads to the same place of the inbox: %s", async (size: Size) => {
    const { page } = await openConsole(browser, service.origin, { size });
    await arrive(page, "/app/mail/inbox");
    const row = page.getByRole("link", { name: /Number 15\b/ });
    await row.scrollIntoViewIfNeeded();
    const top = async () => Math.round((await row.boundingBox())?.y ?? -1);
    const before = await top();
    await row.click();
    await page.getByRole("heading", { level: 2, name: "Number 15" }).waitFor();
    await page.goBack();
    await eventually(top).toBe(before);
    // From another screen, too, whose list is drawn anew.
    await page.evaluate(`navigation.navigate("/app/settings/profile").finished`);
    await page.getByRole("heading", { level: 1, name: "Profile" }).waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.goBack();
    await eventually(top).toBe(before);
  });

  it("leads to the same place of a page", async () => {
    const { page } = await openConsole(browser, service.origin);
    await arrive(page, "/app/tasks");
    const row = page.getByRole("link", { name: /^Task 20 / });
    const top = async () => Math.round((await row.boundingBox())?.y ?? -1);
    await row.scrollIntoViewIfNeeded();
    expect(await page.evaluate("scrollY")).toBeGreaterThan(0);
    const before = await top();
    await page.getByRole("link", { name: "Chat" }).click();
    await page.getByRole("heading", { level: 1, name: "Chat" }).waitFor();
    await page.goBack();
    await eventually(top).toBe(before);
    // A link begins at the top.
    await page.getByRole("link", { name: "Today" }).click();
    await page.getByRole("heading", { level: 1, name: "Today" }).waitFor();
    await eventually(() => page.evaluate("scrollY")).toBe(0);
  });
});

describe.skipIf(!executablePath)("a date", () => {
  it("is shown as the profile writes it, whatever the machine's language", async () => {
    const { page } = await openConsole(browser, service.origin);
    const { token } = await callApi<{ token: string }>(service.origin, "POST", "/api/auth/login", ADA);
    await callApi(
      service.origin,
      "PATCH",
      "/api/settings/profile",
      { locale: "de-DE", timeZone: "Europe/Berlin" },
      token,
    );
    await signIn(page, service.origin, "/app/calendar/week?find=1");
    const field = page.getByRole("dialog").getByLabel("From");
    await field.fill("2027-03-04");
    await expect
      .poll(() =>
        page
          .getByRole("dialog")
          .getByText(/Do\., 4\. März 2027/)
          .count(),
      )
      .toBe(1);
    await callApi(service.origin, "PATCH", "/api/settings/profile", { locale: "en-GB" }, token);
  });
});

describe.skipIf(!executablePath)("a long form in a dialog", () => {
  it.each(["desktop", "phone"] as const)(
    "always shows its buttons, and never under them the field: %s",
    async (size) => {
      const { page } = await openConsole(browser, service.origin, { size });
      await signIn(page, service.origin, "/app/settings/email?do=identity");
      const dialog = page.getByRole("dialog", { name: "Add an identity" });
      const save = dialog.getByRole("button", { name: "Save" });
      await dialog.getByLabel("Name").waitFor();
      await page.setViewportSize({ width: size === "phone" ? 390 : 1280, height: 560 });
      expect(await page.locator(".dialog-content").evaluate((each) => each.scrollHeight > each.clientHeight)).toBe(
        true,
      );
      for (const field of ["Name", "Signature of HTML emails", "Default identity"]) {
        await dialog.getByLabel(field).focus();
        expect(await isOnTop(save.locator("span"))).toBe(true);
        expect(await isOnTop(dialog.getByLabel(field))).toBe(true);
      }
    },
  );
});

/** Whether the middle of an element can be seen and clicked, without scrolling. */
function isOnTop(element: Locator): Promise<boolean> {
  return element.evaluate((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return each.contains(each.ownerDocument.elementFromPoint(x + width / 2, y + height / 2));
  });
}

describe.skipIf(!executablePath)("deleting the account", () => {
  it("says that the address is wrong before it asks for the password", async () => {
    const { page } = await openConsole(browser, service.origin);
    await signIn(page, service.origin, "/app/settings/data?do=delete");
    const dialog = page.getByRole("dialog", { name: /Delete/ });
    await dialog.getByRole("textbox").first().fill("somebody@example.com");
    await dialog.getByRole("button", { name: /Delete/ }).click();
    await dialog.getByText("This is not the address of your account.").first().waitFor();
    expect(await page.getByRole("dialog").count()).toBe(1);
  });
});
