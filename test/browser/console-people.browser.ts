import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, eventually, GRACE, gate, overflows, SIZES } from "./console.ts";
import { compose, composer, cut, draftsOf, mend, openAsGrace, peopleIn } from "./kept.ts";
import { type RunningService, startService } from "./service.ts";

/* People: suggested where addresses are typed, and kept in Contacts. */

describe.skipIf(!executablePath)("the people of the console", () => {
  let service: RunningService;
  let browser: Browser;

  const api = <T = { id: number }>(method: string, path: string, body?: object) =>
    callApi<T>(service.origin, method, path, body);

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    await api("POST", "/api/auth/register", { ...GRACE, name: "Grace" });
    for (const [name, ...addresses] of [
      ["Dana Weiss", "dana@example.com", "weiss@studio.example"],
      ["Daniel, Co", "daniel@example.com"],
      ["Zoë Öster", "zoe@example.com"],
    ]) {
      await api("POST", "/api/contacts", { name, addresses });
    }
    // She was written to, so she comes first.
    await api("POST", "/api/emails", {
      to: "dana@example.com",
      from: GRACE.email,
      subject: "Hi",
      body: "x",
      direction: "outbound",
    });
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });
  beforeEach(async () => {
    for (const { id } of await draftsOf(service.origin)) await api("DELETE", `/api/emails/drafts/${id}`);
  });

  const open = (path: string) => openAsGrace(browser, service.origin, path);
  const options = (page: Page) => page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
  /** A new email with the focus in its first field. */
  async function write(page: Page) {
    await page.keyboard.press("c");
    const to = composer(page).getByRole("combobox", { name: "To" });
    await to.focus();
    return to;
  }

  it("completes two letters by Tab, and goes on with the next person", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    const to = await write(page);
    await page.keyboard.type("da");
    await options(page).first().waitFor();
    expect(await options(page).allTextContents()).toEqual([
      "Dana Weissdana@example.com",
      "Dana Weissweiss@studio.example",
      "Daniel, Codaniel@example.comNot emailed yet",
    ]);
    await eventually(() => to.getAttribute("aria-activedescendant")).toBe(
      await options(page).first().getAttribute("id"),
    );
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await eventually(() => peopleIn(to)).toBe("Dana Weiss <dana@example.com>");
    // Only those who are not there yet. A name with a comma is quoted.
    await page.keyboard.type("da");
    await eventually(() => options(page).count()).toBe(2);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await eventually(() => peopleIn(to)).toBe('Dana Weiss <dana@example.com>, "Daniel, Co" <daniel@example.com>');
    // Without a list, Tab leaves the field.
    await page.keyboard.press("Tab");
    await eventually(() => page.evaluate("document.activeElement.name")).not.toBe("to");
    await eventually(async () => (await draftsOf(service.origin)).map((draft) => draft.to)).toEqual([
      [
        { name: "Dana Weiss", email: "dana@example.com" },
        { name: "Daniel, Co", email: "daniel@example.com" },
      ],
    ]);
    expect(trouble).toEqual([]);
  });

  it("chooses by arrow keys or a click, and Esc closes the list only", async () => {
    const { page } = await open("/app/mail/inbox");
    const to = await write(page);
    await page.keyboard.type("weiss stu");
    await eventually(() => options(page).count()).toBe(1);
    await page.keyboard.press("Escape");
    await eventually(() => options(page).count()).toBe(0);
    await eventually(() => peopleIn(to)).toBe("weiss stu");
    await eventually(() => to.getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.type("d");
    await options(page).first().click();
    await eventually(() => peopleIn(to)).toBe("Dana Weiss <weiss@studio.example>");
    await page.keyboard.type("zo");
    await page.getByRole("option", { name: "Zoë" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.type("dani");
    await options(page).first().waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("x@example.com, ");
    await eventually(() => peopleIn(to)).toBe(
      'Dana Weiss <weiss@studio.example>, Zoë Öster <zoe@example.com>, "Daniel, Co" <daniel@example.com>, x@example.com',
    );
    await composer(page).getByRole("button", { name: "Cc and Bcc" }).click();
    for (const name of ["Cc", "Bcc"]) {
      const field = composer(page).getByRole("combobox", { name, exact: true });
      await field.pressSequentially("oster");
      await page.getByRole("option", { name: "Zoë" }).waitFor();
      await page.keyboard.press("Tab");
      await eventually(() => peopleIn(field)).toBe("Zoë Öster <zoe@example.com>");
    }
  });

  it("takes no other address in place of one that was typed to its end", async () => {
    const { page } = await open("/app/mail/inbox");
    const to = await write(page);
    await page.keyboard.type("dana@example.co");
    await options(page).first().waitFor();
    await eventually(() => to.getAttribute("aria-activedescendant")).toBeNull();
    await page.keyboard.press("Tab");
    await eventually(() => peopleIn(to)).toBe("dana@example.co");
    // Back into its text.
    await to.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.type("m");
    await options(page).first().waitFor();
    await page.keyboard.press("Tab");
    await eventually(() => peopleIn(to)).toBe("Dana Weiss <dana@example.com>");
  });

  it("asks once for what is typed in one go, and shows no answer to an earlier question", async () => {
    const { page } = await open("/app/mail/inbox");
    const { opened, open: release } = gate();
    const asked: string[] = [];
    await page.route("**/api/contacts?*", async (route) => {
      const q = new URL(route.request().url()).searchParams.get("q") ?? "";
      asked.push(q);
      if (q === "da") await opened;
      // The request may be gone by now.
      await route.fallback().catch(() => {});
    });
    const to = await write(page);
    await page.keyboard.type("da");
    await eventually(() => asked).toEqual(["da"]);
    await to.fill("zoe");
    await page.getByRole("option", { name: "Zoë" }).waitFor();
    release();
    await to.fill("zoe ös");
    await eventually(() => asked).toEqual(["da", "zoe", "zoe ös"]);
    expect(await options(page).allTextContents()).toEqual(["Zoë Österzoe@example.comNot emailed yet"]);
    // Letter by letter, without a pause between them.
    await page.evaluate(`for (const text of ["da", "dan", "dani"]) {
      document.activeElement.value = text;
      document.activeElement.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }`);
    await page.getByRole("option", { name: "Daniel" }).waitFor();
    expect(asked.slice(3)).toEqual(["dani"]);
  });

  it("leaves what is typed alone while the service cannot be reached", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, { to: "", subject: "Tunnel", body: "No signal" });
    await cut(page);
    const failed = page.waitForEvent("requestfailed", (request) => request.url().includes("/api/contacts?"));
    const to = dialog.getByRole("combobox", { name: "To" });
    await to.pressSequentially("dan");
    await failed;
    expect(await options(page).count()).toBe(0);
    await page.keyboard.press("Tab");
    await eventually(() => peopleIn(to)).toBe("dan");
    await mend(page);
    await to.focus();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.type("a");
    await options(page).first().waitFor();
    await page.keyboard.press("Tab");
    await eventually(() => peopleIn(to)).toBe("Dana Weiss <dana@example.com>");
    expect(trouble).toEqual([]);
  });

  it("adds guests to an event, also on a phone", async () => {
    const { page, trouble } = await open("/app/calendar/day/2026-11-18?new=2026-11-18T10:00/2026-11-18T11:00");
    await page.setViewportSize(SIZES.phone);
    const sheet = page.getByRole("dialog", { name: "New event" });
    const field = sheet.getByRole("combobox", { name: "Add a person" });
    await field.pressSequentially("da");
    await eventually(() => options(page).count()).toBe(3);
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      expect(await axeFindings(page)).toEqual([]);
    }
    const box = await page.getByRole("listbox", { name: "Suggestions" }).boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= SIZES.phone.width && box.y >= 0).toBe(true);
    expect(box && box.y + box.height <= SIZES.phone.height).toBe(true);
    expect(await overflows(page)).toBe(false);
    await page.keyboard.press("Enter");
    await sheet.getByText("dana@example.com").waitFor();
    await eventually(() => field.inputValue()).toBe("");
    await field.pressSequentially("da");
    await eventually(() => options(page).count()).toBe(2);
    await page.keyboard.press("Escape");
    await eventually(() => options(page).count()).toBe(0);
    expect(await sheet.isVisible()).toBe(true);
    expect(trouble).toEqual([]);
  });

  interface Person {
    id: number;
    name: string;
    addresses: string[];
    company: string;
    phones: { label: string; number: string }[];
    isSaved: boolean;
  }
  const saved = async (q: string) => (await api<{ data: Person[] }>("GET", `/api/contacts?q=${q}`)).data;

  it("keeps contacts: added, edited, written to and deleted", async () => {
    const { page, trouble } = await open("/app");
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    await page.getByRole("button", { name: "New contact" }).click();
    const dialog = page.getByRole("dialog", { name: "New contact" });
    await dialog.getByLabel("Name").fill("Orla Quint");
    await dialog.getByLabel("Email addresses").fill("orla@example.com\nno address");
    await dialog.getByLabel("Phone numbers").fill("mobile: +353 1 555 0100\n+353 1 555 0101");
    await dialog.getByRole("button", { name: "Save" }).click();
    // The field says what is wrong, and everything typed is still there.
    await dialog.getByText("must be an email address").waitFor();
    await dialog.getByLabel("Email addresses").fill("orla@example.com");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { level: 1, name: "Orla Quint" }).waitFor();
    expect((await saved("orla"))[0]).toMatchObject({
      addresses: ["orla@example.com"],
      isSaved: true,
      phones: [
        { label: "mobile", number: "+353 1 555 0100" },
        { label: "", number: "+353 1 555 0101" },
      ],
    });
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("dialog", { name: "Edit contact" }).getByLabel("Company").fill("Quint & Co");
    await page.keyboard.press("Enter");
    await page.getByText("Quint & Co").waitFor();
    // Nothing is stored before something is typed.
    await page.getByRole("button", { name: "Write" }).click();
    await eventually(() => peopleIn(composer(page).getByRole("combobox", { name: "To" }))).toBe(
      "Orla Quint <orla@example.com>",
    );
    await page.keyboard.press("Escape");
    await composer(page).waitFor({ state: "detached" });
    expect(await draftsOf(service.origin)).toEqual([]);
    const [before] = await saved("orla");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("heading", { level: 1, name: "Contacts" }).waitFor();
    await eventually(async () => (await saved("orla")).length).toBe(0);
    await eventually(() => page.getByRole("link", { name: "Orla Quint" }).count()).toBe(0);
    // By keyboard, as it was.
    await page.getByText("Orla Quint deleted").waitFor();
    await page.getByRole("button", { name: "Undo" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Orla Quint" }).waitFor();
    await eventually(async () => (await saved("orla"))[0]).toMatchObject({
      id: before?.id,
      company: "Quint & Co",
      phones: before?.phones,
    });
    expect(trouble).toEqual([]);
  });

  it("says when a deletion failed or could not be taken back, and shows the contact as it is", async () => {
    const { id } = await api("POST", "/api/contacts", { name: "Una Stay", addresses: ["una@example.com"] });
    const { page } = await open(`/app/contacts/${id}`);
    await page.route(`**/api/contacts/${id}`, async (route) =>
      route.request().method() === "DELETE" ? route.abort() : route.fallback(),
    );
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByText("The contact was not deleted.").waitFor();
    await page.getByRole("link", { name: "Una Stay" }).click();
    await page.unroute(`**/api/contacts/${id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await eventually(async () => (await saved("una")).length).toBe(0);
    // Somebody else saves the address before the deletion is taken back.
    await api("POST", "/api/contacts", { name: "Una Other", addresses: ["una@example.com"] });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("alert").filter({ hasText: "address" }).waitFor();
    await page.getByRole("link", { name: "Una Other" }).waitFor();
    await eventually(() => page.getByRole("link", { name: "Una Stay" }).count()).toBe(0);
  });

  it("shows what is open with a person, and nothing where nothing is", async () => {
    const day = 86_400_000;
    const at = (days: number) => new Date(Date.now() + days * day).toISOString();
    const { id } = await api("POST", "/api/contacts", { name: "Pia Open", addresses: ["pia@open.example"] });
    const { page, trouble } = await open(`/app/contacts/${id}`);
    const cards = page.locator("main section h2");
    await page.getByText("No emails with this person.").waitFor();
    await eventually(() => cards.allTextContents()).toEqual(["Details", "Latest emails"]);
    const mail = { from: "Pia Open <pia@open.example>", to: GRACE.email, subject: "The offer", body: "As agreed." };
    const attachments = [
      { name: "a-very-long-name-of-an-offer-for-the-next-year.pdf", type: "application/pdf", size: 9 },
    ];
    const email = await api("POST", "/api/emails", { ...mail, attachments });
    const sent = { from: GRACE.email, to: "pia@open.example", direction: "outbound", subject: "Any news?", body: "x" };
    await api("POST", "/api/emails", { ...sent, receivedAt: at(-3) });
    await api("POST", "/api/tasks", { title: "Read the offer", emailId: email.id });
    const attendees = [{ name: "Pia", email: "pia@open.example" }];
    await api("POST", "/api/calendar/events", { title: "Call Pia", start: at(2), durationMinutes: 30, attendees });
    // Live, without a reload.
    await eventually(() => cards.allTextContents()).toEqual([
      "Details",
      "No answer yet",
      "Upcoming events",
      "Open tasks",
      "Latest files",
      "Latest emails",
    ]);
    const card = (name: string) => page.getByRole("region", { name });
    await card("Upcoming events").getByRole("link", { name: "Call Pia" }).waitFor();
    await card("Latest files")
      .getByRole("button", { name: /^Save a-very-long/ })
      .waitFor();
    for (const size of Object.values(SIZES)) {
      await page.setViewportSize(size);
      for (const scheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        expect(await axeFindings(page)).toEqual([]);
      }
      expect(await overflows(page)).toBe(false);
    }
    await card("Open tasks").getByRole("link", { name: "Read the offer" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.goBack();
    await card("No answer yet").getByRole("link", { name: "Any news?" }).click();
    await page.waitForURL(/\/app\/mail\/archive\/\d+/);
    expect(trouble).toEqual([]);
  });

  it("completes people in the search of Mail, behind from: and to: only", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    await page.keyboard.press("/");
    const search = page.getByRole("searchbox", { name: "Search mail" });
    await search.pressSequentially("da");
    await page.waitForURL(/q=da/);
    expect(await options(page).count()).toBe(0);
    await search.fill("");
    await search.pressSequentially("from:da");
    await eventually(() => options(page).count()).toBe(3);
    await eventually(() => search.getAttribute("aria-activedescendant")).toBe(
      await options(page).first().getAttribute("id"),
    );
    await page.setViewportSize(SIZES.phone);
    expect(await axeFindings(page)).toEqual([]);
    const box = await page.getByRole("listbox", { name: "Suggestions" }).boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= SIZES.phone.width).toBe(true);
    await page.setViewportSize(SIZES.desktop);
    await page.keyboard.press("Tab");
    await eventually(() => search.inputValue()).toBe("from:dana@example.com ");
    await page.waitForURL(/q=from/);
    // In the middle of other words.
    await search.pressSequentially("boat");
    await page.keyboard.press("Home");
    await page.keyboard.type('to:"zo ');
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("e");
    await eventually(() => search.inputValue()).toBe('to:"zoe from:dana@example.com boat');
    await options(page).first().waitFor();
    await page.keyboard.press("Enter");
    await eventually(() => search.inputValue()).toBe("to:zoe@example.com from:dana@example.com boat");
    await page.keyboard.type("cc:dan");
    await options(page).first().waitFor();
    await page.keyboard.press("Escape");
    await eventually(() => options(page).count()).toBe(0);
    await eventually(() => page.evaluate("document.activeElement.type")).toBe("search");
    expect(trouble).toEqual([]);
  });

  it("completes people in the chat after @, each once, and sends only when nobody is being chosen", async () => {
    const { page, trouble } = await open("/app/chat");
    const field = page.getByRole("textbox", { name: "Message" });
    await field.pressSequentially("Write to grace@da");
    await field.pressSequentially(" @d");
    expect(await options(page).count()).toBe(0);
    await field.pressSequentially("a");
    await eventually(() => options(page).allTextContents()).toEqual([
      "Dana Weissdana@example.com",
      "Daniel, Codaniel@example.comNot emailed yet",
    ]);
    await page.setViewportSize(SIZES.phone);
    expect(await axeFindings(page)).toEqual([]);
    const box = await page.getByRole("listbox", { name: "Suggestions" }).boundingBox();
    expect(box && box.y >= 0 && box.y + box.height <= SIZES.phone.height).toBe(true);
    expect(await overflows(page)).toBe(false);
    await page.keyboard.press("Tab");
    await eventually(() => field.inputValue()).toBe("Write to grace@da Dana Weiss ");
    await field.fill("When did I last write to ");
    await field.pressSequentially("@dana wei");
    await options(page).first().waitFor();
    await page.keyboard.press("Enter");
    await eventually(() => field.inputValue()).toBe("When did I last write to Dana Weiss ");
    await page.keyboard.press("Enter");
    await eventually(() => field.inputValue()).toBe("");
    await page.getByRole("log").getByText("When did I last write to Dana Weiss").waitFor();
    expect(trouble).toEqual([]);
  });

  it("shows a person with their emails, and saves somebody who was added by an email", async () => {
    await api("POST", "/api/emails", {
      from: "Tove Lind <tove@example.com>",
      to: GRACE.email,
      subject: "The boat",
      body: "Is it dry?",
    });
    const { page, trouble } = await open("/app/contacts");
    await page.getByRole("searchbox", { name: "Search contacts" }).fill("tov");
    await page.getByRole("link", { name: "Tove Lind" }).click();
    await page.getByRole("link", { name: "The boat" }).waitFor();
    await page.getByRole("button", { name: "Save contact" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit" }).waitFor();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Contacts" }).click();
    await page.getByRole("combobox", { name: "Show" }).selectOption("true");
    await page.getByRole("link", { name: "Tove Lind" }).waitFor();
    expect(trouble).toEqual([]);
  });

  it("imports a vCard file and exports what is saved", async () => {
    const { page, trouble } = await open("/app/contacts");
    const card = ["BEGIN:VCARD", "VERSION:3.0", "FN:Ines Prado", "EMAIL:ines@example.com", "END:VCARD", ""].join(
      "\r\n",
    );
    const file = { name: "people.vcf", mimeType: "text/vcard", buffer: Buffer.from(card) };
    await page.getByLabel("Import vCard").setInputFiles(file);
    await page.getByText("1 contact added").waitFor();
    await page.getByRole("link", { name: "Ines Prado" }).waitFor();
    await page.getByLabel("Import vCard").setInputFiles(file);
    await page.getByText("0 contacts added, 1 unchanged").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    const stream = await download.createReadStream();
    const text = Buffer.concat(await stream.toArray()).toString();
    expect(download.suggestedFilename()).toBe("contacts.vcf");
    expect(text).toContain("FN:Ines Prado");
    expect(trouble).toEqual([]);
  });
});
