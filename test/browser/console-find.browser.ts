import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { callApi, eventually, GRACE, hold, openConsole, signIn } from "./console.ts";
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
      expect(await field(tab).inputValue()).toBe("da");
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
      expect(await field(page).inputValue()).toBe("dan");
      await field(page).pressSequentially("a");
      await letGo(1);
      await eventually(() => asked(page)).toBe("da");
      expect(await field(page).inputValue()).toBe("dana");
      await letGo(2);
      await eventually(held).toBe(4);
      await letGo(3);
      await eventually(() => asked(page)).toBe("dana");
      expect(await field(page).inputValue()).toBe("dana");
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
      expect(await field(page).inputValue()).toBe("dan");
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
});
