import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, eventually, GRACE, hold, openConsole, overflows, SIZES, signIn } from "./console.ts";
import { openAsGrace } from "./kept.ts";
import { type RunningService, startService } from "./service.ts";

/* Find: the search fields, and what they find. */

/** Types a letter as soon as the field is in the page, before the browser has drawn it. */
const TYPE_AT_ONCE = `new MutationObserver((_, observer) => {
  const field = document.querySelector('input[type="search"]');
  if (!field) return;
  observer.disconnect();
  field.focus();
  field.value = "d";
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
}).observe(document, { childList: true, subtree: true });`;

/** Keeps the navigations of the page until they are let go, one after the other. */
const HOLD_NAVIGATION = `{
  const go = navigation.navigate.bind(navigation);
  window.held = [];
  navigation.navigate = (...given) => {
    held.push(() => go(...given));
    return { committed: Promise.resolve(), finished: Promise.resolve() };
  };
}`;

describe.skipIf(!executablePath)("finding in the console", () => {
  let service: RunningService;
  let browser: Browser;

  const api = <T = { id: number }>(method: string, path: string, body?: object) =>
    callApi<T>(service.origin, method, path, body);

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    await api("POST", "/api/auth/register", { ...GRACE, name: "Grace" });
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  const open = (path: string) => openAsGrace(browser, service.origin, path);
  const field = (page: Page) => page.getByRole("searchbox");
  const asked = (page: Page) => new URL(page.url()).searchParams.get("q");

  describe.each([
    ["Mail", "/app/mail/inbox"],
    ["Tasks", "/app/tasks"],
    ["Contacts", "/app/contacts"],
  ])("the search field of %s", (_name, path) => {
    it("keeps letters that come before it is drawn", async () => {
      const { context, page } = await open("/app/settings/profile");
      const tab = await context.newPage();
      await tab.addInitScript(TYPE_AT_ONCE);
      const answers = await hold(tab, "**/api/{emails,tasks,contacts}?*");
      await tab.goto(`${service.origin}${path}`);
      await eventually(() => field(tab).inputValue()).toBe("d");
      await tab.keyboard.press("a");
      await eventually(() => field(tab).inputValue()).toBe("da");
      await eventually(() => asked(tab)).toBe("da");
      answers.release();
      await eventually(() => field(tab).inputValue()).toBe("da");
      await page.bringToFront();
    });

    it("keeps letters while navigations are under way, and takes what others set", async () => {
      const { page, trouble } = await open(path);
      await field(page).waitFor();
      await page.evaluate(HOLD_NAVIGATION);
      const held = () => page.evaluate<number>("held.length");
      const letGo = (index: number) => page.evaluate(`held[${index}]()`);
      for (const [index, letter] of ["d", "a", "n"].entries()) {
        await field(page).pressSequentially(letter);
        await eventually(held).toBe(index + 1);
      }
      await letGo(0);
      await eventually(() => asked(page)).toBe("d");
      await eventually(() => field(page).inputValue()).toBe("dan");
      await field(page).pressSequentially("a");
      await letGo(1);
      await eventually(() => asked(page)).toBe("da");
      await eventually(() => field(page).inputValue()).toBe("dana");
      await letGo(2);
      await eventually(held).toBe(4);
      await letGo(3);
      await eventually(() => asked(page)).toBe("dana");
      await eventually(() => field(page).inputValue()).toBe("dana");
      // What was given once and comes from elsewhere now is shown.
      await page.evaluate(`location.assign("?q=da"), null`);
      await eventually(() => field(page).inputValue()).toBe("da");
      // Not while somebody types.
      await page.evaluate(`{
        const field = document.querySelector('input[type="search"]');
        field.focus();
        field.value += "n";
        field.dispatchEvent(new InputEvent("input", { bubbles: true }));
        location.assign("?q=other");
      }`);
      await eventually(() => page.evaluate<number>("window.held?.length ?? -1")).toBe(5);
      await eventually(() => field(page).inputValue()).toBe("dan");
      await letGo(4);
      await eventually(() => asked(page)).toBe("dan");
      expect(trouble).toEqual([]);
    });
  });

  it("has every letter in the palette, whenever its code comes", async () => {
    const { page } = await openConsole(browser, service.origin);
    const code = await hold(page, "**/app/assets/dialogs-ahead*");
    await signIn(page, service.origin, "/app/tasks", GRACE);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("da");
    code.release();
    await eventually(() => page.getByRole("dialog").getByRole("combobox").inputValue()).toBe("da");
  });

  describe("the search of Mail", () => {
    const list = (page: Page) => page.getByRole("list", { name: "Emails" });
    const options = (page: Page) => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
    const note = (page: Page) => page.locator(".list-note");

    beforeAll(async () => {
      const store = (subject: string, more = {}) =>
        api("POST", "/api/emails", {
          from: "Ann Lee <ann@example.com>",
          to: GRACE.email,
          subject,
          body: "Ulm",
          ...more,
        });
      await store("Zeppelin here");
      await store("Zeppelin kept", { status: "archived" });
      await store("Zeppelin gone", { status: "trash" });
      await store("Balloon kept", { status: "archived" });
    });

    it("looks into all mail, says so, and looks elsewhere in one click", async () => {
      const { page, trouble } = await open("/app/mail/inbox");
      await field(page).fill("zeppelin");
      await eventually(() => list(page).getByRole("link").count()).toBe(2);
      await note(page).getByText("Results in all mail").waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await note(page).getByRole("link", { name: "Only Inbox" }).click();
      await note(page).getByText("Results in Inbox").waitFor();
      await eventually(() => field(page).inputValue()).toBe("zeppelin in:inbox");
      await eventually(() => list(page).getByRole("link").count()).toBe(1);
      await field(page).fill("balloon in:inbox");
      await page.getByText("No results in Inbox").waitFor();
      await page.getByRole("link", { name: "Search all mail" }).click();
      await list(page)
        .getByRole("link", { name: /Balloon kept/ })
        .waitFor();
      await field(page).fill("gone zeppelin");
      await page.getByText("No results in all mail").waitFor();
      await page.getByRole("link", { name: "Search spam and trash, too" }).click();
      await list(page)
        .getByRole("link", { name: /Zeppelin gone/ })
        .waitFor();
      await page.setViewportSize(SIZES.phone);
      expect(await overflows(page)).toBe(false);
      expect(await axeFindings(page)).toEqual([]);
      expect(trouble).toEqual([]);
    });

    it("explains its operators while they are typed, and completes them by Tab", async () => {
      const { page, trouble } = await open("/app/mail/inbox");
      await page.keyboard.press("/");
      await page.keyboard.type("la");
      await eventually(() => options(page).allTextContents()).toEqual(["larger:5mbLarger than"]);
      expect(await axeFindings(page)).toEqual([]);
      await page.keyboard.press("Tab");
      await eventually(() => field(page).inputValue()).toBe("larger:");
      await eventually(() => options(page).count()).toBe(3);
      await page.keyboard.press("Escape");
      await eventually(() => options(page).count()).toBe(0);
      await field(page).fill("");
      await page.keyboard.type("in");
      await page.keyboard.press("Tab");
      await page.keyboard.type("ar");
      await eventually(() => options(page).allTextContents()).toEqual(["in:archive"]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await eventually(() => field(page).inputValue()).toBe("in:archive ");
      await page.keyboard.type("zeppelin");
      await note(page).getByText("Results in Archive").waitFor();
      await list(page)
        .getByRole("link", { name: /Zeppelin kept/ })
        .waitFor();
      await field(page).fill("form:ann");
      await page.getByText("This search could not be read").waitFor();
      await page.getByText('"form:" is not an operator').waitFor();
      expect(trouble).toEqual([]);
    });

    it("keeps a search: saved by name for all devices, the recent ones on this one", async () => {
      const { page, trouble } = await open("/app/mail/inbox");
      await field(page).fill("zeppelin in:archive");
      await note(page).getByRole("button", { name: "Save search" }).click();
      const dialog = page.getByRole("dialog", { name: "Save search" });
      await dialog.getByLabel("Name").fill("Airships");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
      await note(page).getByText("Saved as Airships").waitFor();
      await eventually(() => page.evaluate("JSON.stringify(localStorage).includes('zeppelin in:archive')")).toBe(true);
      const boxes = page.getByRole("navigation", { name: "Mailboxes" });
      await boxes.getByRole("link", { name: "Inbox" }).click();
      await eventually(() => field(page).inputValue()).toBe("");
      await page.keyboard.press("/");
      await eventually(() => options(page).first().textContent()).toBe("zeppelin in:archiveRecent search");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await eventually(() => field(page).inputValue()).toBe("zeppelin in:archive");
      await boxes.getByRole("link", { name: "Inbox" }).click();
      await boxes.getByRole("link", { name: "Airships" }).click();
      await eventually(() => list(page).getByRole("link").count()).toBe(1);
      await note(page).getByRole("button", { name: "Delete search" }).click();
      await eventually(() => boxes.getByRole("link", { name: "Airships" }).count()).toBe(0);
      expect(trouble).toEqual([]);
    });
  });

  describe("attachments", () => {
    const files = (page: Page) => page.locator(".setting-list");

    beforeAll(async () => {
      const upload = async (name: string, type: string, content: string) => {
        const query = new URLSearchParams({ name, type });
        const response = await fetch(`${service.origin}/api/emails/attachments?${query}`, {
          method: "POST",
          headers: { "content-type": "application/octet-stream" },
          body: content,
        });
        expect(response.status).toBe(201);
        return ((await response.json()) as { id: string }).id;
      };
      const attachmentIds = [
        await upload("notes.html", "text/html", "<h1>Plan</h1><script>parent.document.title = 'taken'</script>"),
        await upload("plan.zip", "application/zip", "PK"),
      ];
      await api("POST", "/api/emails/send", {
        to: "ann@example.com",
        subject: "With files",
        body: "See",
        attachmentIds,
      });
    });

    it("are one view, with filters, previews that run nothing, and downloads", async () => {
      const { page, trouble } = await open("/app/mail/inbox");
      await page.getByRole("navigation", { name: "Mailboxes" }).getByRole("link", { name: "Attachments" }).click();
      await page.getByRole("heading", { level: 1, name: "Attachments" }).waitFor();
      await eventually(() => files(page).getByRole("listitem").count()).toBe(2);
      for (const size of [SIZES.phone, SIZES.desktop]) {
        await page.setViewportSize(size);
        expect(await axeFindings(page)).toEqual([]);
        expect(await overflows(page)).toBe(false);
      }
      const opener = page.getByRole("button", { name: "Open notes.html" });
      await opener.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "notes.html" });
      await dialog.waitFor();
      const frame = page.frameLocator('iframe[title="Preview of notes.html"]');
      await frame.getByText("<h1>Plan</h1>").waitFor();
      expect(await page.title()).not.toBe("taken");
      const download = page.waitForEvent("download");
      await dialog.getByRole("button", { name: "Download notes.html" }).click();
      expect((await download).suggestedFilename()).toBe("notes.html");
      await dialog.getByRole("heading").focus();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await eventually(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Open notes.html");
      await page.getByLabel("Kind of file").selectOption("archive");
      await eventually(() => files(page).getByRole("listitem").count()).toBe(1);
      await field(page).fill("from:nobody");
      await page.getByText("No attachments found").waitFor();
      expect(trouble).toEqual([]);
    });
  });
});
