import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, eventually, GRACE, overflows, SIZES } from "./console.ts";
import { composer, draftsOf, openAsGrace, peopleIn } from "./kept.ts";
import { type RunningService, startService } from "./service.ts";

/* Addresses become chips: checked at once, edited, moved and never dropped. */

describe.skipIf(!executablePath)("addresses of an email", () => {
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    await callApi(service.origin, "POST", "/api/auth/register", { ...GRACE, name: "Grace" });
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });
  beforeEach(async () => {
    for (const { id } of await draftsOf(service.origin)) {
      await callApi(service.origin, "DELETE", `/api/emails/drafts/${id}`);
    }
  });

  const field = (page: Page, name: string) => composer(page).getByRole("combobox", { name, exact: true });
  const chip = (page: Page, name: string) => composer(page).getByRole("button", { name, exact: true });

  async function write() {
    const { page, trouble } = await openAsGrace(browser, service.origin, "/app/mail/inbox");
    await page.keyboard.press("c");
    await field(page, "To").focus();
    return { page, trouble };
  }

  const paste = (page: Page, text: string) =>
    page.evaluate(`{
      const data = new DataTransfer();
      data.setData("text/plain", ${JSON.stringify(text)});
      const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
    }`);

  it("become chips by comma, semicolon, Enter, Tab and paste; a wrong one is marked, kept and edited", async () => {
    const { page, trouble } = await write();
    const to = field(page, "To");
    await page.keyboard.type("a@example.com,b@example.com;c@example.com");
    await page.keyboard.press("Enter");
    await paste(page, 'Weiss, Dana <dana@example.com>; "O\'Hara, Bo" <bo@example.com>\nzoe@example.com');
    await page.keyboard.type("priya");
    await page.keyboard.press("Tab");
    const all = [
      ...["a@example.com", "b@example.com", "c@example.com", '"Weiss, Dana" <dana@example.com>'],
      ...['"O\'Hara, Bo" <bo@example.com>', "zoe@example.com", "priya"],
    ];
    await eventually(() => peopleIn(to)).toBe(all.join(", "));
    await eventually(() => to.inputValue()).toBe("");
    await chip(page, "priya (not an email address)").waitFor();
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await axeFindings(page)).toEqual([]);
    }
    // The draft has all of it, the wrong one as its text.
    await eventually(async () => (await draftsOf(service.origin))[0]?.to.at(-1)).toBe("priya");
    await chip(page, "priya (not an email address)").dblclick();
    await eventually(() => to.inputValue()).toBe("priya");
    await page.keyboard.press("End");
    await page.keyboard.type("@example.com,");
    await chip(page, "priya@example.com").waitFor();
    await page.setViewportSize(SIZES.phone);
    expect(await overflows(page)).toBe(false);
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("are chosen by arrows, removed by Backspace and read out", async () => {
    const { page } = await write();
    const to = field(page, "To");
    await page.keyboard.type("a@example.com,b@example.com,c@example.com,");
    await page.keyboard.press("Backspace");
    // Chosen first, and removed by the second.
    await eventually(() => peopleIn(to)).toBe("a@example.com, b@example.com, c@example.com");
    await page.keyboard.press("Backspace");
    await composer(page).getByText("c@example.com removed.").waitFor();
    await eventually(() => peopleIn(to)).toBe("a@example.com, b@example.com");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Delete");
    await eventually(() => peopleIn(to)).toBe("b@example.com");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("d@example.com");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    // In the middle of what is there.
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.type(".org");
    await page.keyboard.press("Enter");
    await eventually(() => peopleIn(to)).toBe("b@example.com.org, d@example.com");
    await composer(page).getByRole("button", { name: "Remove d@example.com" }).click();
    await eventually(() => peopleIn(to)).toBe("b@example.com.org");
    await eventually(() => page.evaluate("document.activeElement.name")).toBe("to");
  });

  it("move between To, Cc and Bcc by keys and by dragging", async () => {
    const { page, trouble } = await write();
    await page.keyboard.type("a@example.com,b@example.com,");
    await page.keyboard.press("ArrowLeft");
    // The fields for copies are not there yet.
    await page.keyboard.press("Alt+ArrowDown");
    await eventually(() => peopleIn(field(page, "Cc"))).toBe("b@example.com");
    await eventually(() => page.evaluate("document.activeElement.title")).toBe("b@example.com");
    await page.keyboard.press("Alt+ArrowDown");
    await eventually(() => peopleIn(field(page, "Bcc"))).toBe("b@example.com");
    await chip(page, "a@example.com").dragTo(field(page, "Cc"));
    await eventually(() => peopleIn(field(page, "Cc"))).toBe("a@example.com");
    await eventually(() => peopleIn(field(page, "To"))).toBe("");
    await eventually(async () => {
      const [{ to, cc, bcc } = { to: [], cc: [], bcc: [] }] = (await draftsOf(service.origin)) as never as {
        [key in "to" | "cc" | "bcc"]: { email: string }[];
      }[];
      return [to, cc, bcc].map((all) => all.map(({ email }) => email));
    }).toEqual([[], ["a@example.com"], ["b@example.com"]]);
    expect(trouble).toEqual([]);
  });
});
