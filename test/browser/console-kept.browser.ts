import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../tooling/running-service.ts";
import { executablePath, launchChromium } from "./chromium.ts";
import {
  axeFindings,
  callApi,
  eventually,
  GRACE,
  type Opened,
  openConsole,
  openTab,
  overflows,
  signIn,
} from "./console.ts";

/*
 * Nothing a person wrote is lost: the network is cut, the service is killed and comes back, tabs are closed, pickers are
 * cancelled, and Esc is pressed at each step of writing.
 */

interface Draft {
  id: number;
  to: (string | { email: string })[];
  cc: (string | { email: string })[];
  subject: string;
  body: string;
  inReplyTo: number | null;
}

describe.skipIf(!executablePath)("what a person typed in the console", () => {
  let service: RunningService;
  let browser: Browser;
  let count = 0;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium()]);
    await callApi(service.origin, "POST", "/api/auth/register", { ...GRACE, name: "Grace Hopper" });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function open(path: string): Promise<Opened> {
    const opened = await openConsole(browser, service.origin);
    await signIn(opened.page, service.origin, path, GRACE);
    return opened;
  }

  const drafts = async () => (await callApi<{ data: Draft[] }>(service.origin, "GET", "/api/emails/drafts")).data;
  const draftOf = async (subject: string) => (await drafts()).find((each) => each.subject === subject);

  /** An email to answer. */
  async function receive(subject: string): Promise<number> {
    count += 1;
    const from = "Rita Report <rita@example.org>";
    const body = {
      from,
      to: "grace@example.com",
      subject,
      body: "Can you help?",
      messageId: `<kept${count}@example.org>`,
    };
    return (await callApi<{ id: number }>(service.origin, "POST", "/api/emails", body)).id;
  }

  /** Every request of the page fails, as when the cable is pulled. */
  const cut = (page: Page, afterMs = 0) =>
    page.context().route("**/api/**", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      // A page that was closed meanwhile has no request any more.
      await route.abort().catch(() => {});
    });
  const mend = (page: Page) => page.context().unroute("**/api/**");

  const composer = (page: Page, name = "New email") => page.getByRole("dialog", { name, exact: true });

  async function compose(page: Page, { to, subject, body }: { to: string; subject: string; body: string }) {
    await page.keyboard.press("c");
    const dialog = composer(page);
    await dialog.getByLabel("To").fill(to);
    await dialog.getByLabel("Subject").fill(subject);
    await dialog.getByLabel("Message").fill(body);
    return dialog;
  }

  it("in an email with a bare name or half an address is a draft, whenever Esc is pressed", async () => {
    const { context, page, trouble } = await open("/app/mail/inbox");
    const steps = ["To", "Subject", "Message"] as const;
    for (const [last] of steps.entries()) {
      const before = (await drafts()).length;
      await page.keyboard.press("c");
      const dialog = composer(page);
      for (const label of steps.slice(0, last + 1)) await dialog.getByLabel(label).fill(`Priya ${last}`);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await eventually(async () => (await drafts()).length).toBe(before + 1);
      const [draft] = await drafts();
      expect(draft).toMatchObject({
        to: [`Priya ${last}`],
        subject: last > 0 ? `Priya ${last}` : "",
        body: last > 1 ? `Priya ${last}` : "",
      });
    }
    // The list shows the name, and the draft opens with it.
    await page.goto(`${service.origin}/app/mail/drafts`);
    await page.getByRole("button", { name: /Priya 2/ }).click();
    expect(await page.getByLabel("To").inputValue()).toBe("Priya 2");
    expect(await page.getByLabel("Message").inputValue()).toBe("Priya 2");
    await page.keyboard.press("Escape");
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("in an email to a bare name stays when it is sent: the field is marked, and nothing says that it was sent", async () => {
    const { context, page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, { to: "Priya", subject: "Marked", body: "Dear Priya" });
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await dialog.getByText("“Priya” is not an email address.").waitFor();
    expect(await dialog.getByLabel("To").getAttribute("aria-invalid")).toBe("true");
    expect(await page.evaluate("document.activeElement.name")).toBe("to");
    expect(await page.getByRole("status").filter({ hasText: /^Sent/ }).count()).toBe(0);
    expect(await dialog.getByLabel("Message").inputValue()).toBe("Dear Priya");
    expect(await axeFindings(page)).toEqual([]);

    // What only the service refuses comes back to the window, with the field and no success beside it.
    await dialog.getByLabel("To").fill("priya@example.com");
    await page.route("**/send?*", (route) =>
      route.fulfill({
        status: 422,
        contentType: "application/problem+json",
        body: JSON.stringify({
          code: "validation_failed",
          detail: "to.0: “priya@example.com” is not an email address.",
          errors: [{ path: "to.0", message: "“priya@example.com” is not an email address" }],
        }),
      }),
    );
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("alert").getByText("The email was not sent.").waitFor();
    const again = composer(page);
    expect(await again.getByLabel("To").getAttribute("aria-invalid")).toBe("true");
    expect(await again.getByLabel("Message").inputValue()).toBe("Dear Priya");
    expect(await page.getByRole("alert").textContent()).toContain("To: “priya@example.com” is not an email address.");
    expect(await page.getByText("Something went wrong in this page").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("in an email that cannot be stored: Esc asks, it stays on this device, and is stored when the service is back", async () => {
    const { context, page, trouble } = await open("/app/mail/inbox");
    await page.keyboard.press("c");
    await composer(page).waitFor();
    await page.keyboard.press("Escape");
    await cut(page);
    const dialog = await compose(page, { to: "Priya", subject: "Cut off", body: "While the cable is out" });
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: "This email is not saved yet" });
    await question.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // Esc in the question is no answer, and no way around it.
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    expect(await dialog.getByLabel("Message").inputValue()).toBe("While the cable is out");
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Keep editing" }).click();
    await dialog.getByLabel("Message").fill("While the cable is still out");
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Keep on this device" }).click();
    await page.getByText("“Cut off” is not saved yet.").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    expect(await dialog.getByLabel("Message").inputValue()).toBe("While the cable is still out");
    await page.keyboard.press("Escape");
    await question.getByRole("button", { name: "Keep on this device" }).click();
    expect(await draftOf("Cut off")).toBeUndefined();
    await mend(page);
    await eventually(async () => (await draftOf("Cut off"))?.body).toBe("While the cable is still out");
    expect((await drafts()).filter(({ subject }) => subject === "Cut off")).toHaveLength(1);
    await page.getByText("“Cut off” is saved as a draft.").waitFor();
    expect(await page.getByText("“Cut off” is not saved yet.").count()).toBe(0);
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("in an email is discarded only where the person says so", async () => {
    const { context, page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, { to: "Priya", subject: "Thrown away", body: "Never mind" });
    await dialog.getByText("Saved as a draft").waitFor();
    await cut(page);
    await dialog.getByLabel("Message").fill("Never mind that");
    await page.keyboard.press("Escape");
    const discard = page
      .getByRole("dialog", { name: "This email is not saved yet" })
      .getByRole("button", { name: "Discard" });
    await discard.waitFor();
    await mend(page);
    await discard.click();
    await eventually(() => draftOf("Thrown away")).toBeUndefined();
    await page.reload();
    await page.getByRole("navigation", { name: "Main" }).waitFor();
    expect(await page.evaluate("Object.keys(localStorage).filter((key) => key.includes('kept'))")).toEqual([]);
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("survives a service that is killed, a tab that is closed, and the start of both again", async () => {
    const { context, page } = await open("/app/tasks");
    const field = page.getByRole("textbox", { name: "Add a task" });
    await field.waitFor();
    await page.keyboard.press("c");
    await composer(page).waitFor();
    await page.keyboard.press("Escape");
    await service.kill();
    await field.fill("Buy milk for the killed service");
    await field.press("Enter");
    // Its words come back, and the notice has them as well.
    await page.getByRole("alert").getByText("“Buy milk for the killed service” was not added.").waitFor();
    await eventually(() => field.inputValue()).toBe("Buy milk for the killed service");
    expect(await page.getByRole("checkbox", { name: "Buy milk" }).count()).toBe(0);
    await page.getByRole("heading", { name: "Tasks" }).click();
    const dialog = await compose(page, { to: "Priya", subject: "Killed", body: "Written without a service" });
    await dialog.getByText("kept on this device").waitFor();
    await page.close();

    await service.revive();
    const { page: next, trouble } = await openTab(context, service.origin);
    await next.goto(`${service.origin}/app/tasks`);
    const again = next.getByRole("textbox", { name: "Add a task" });
    await eventually(() => again.inputValue()).toBe("Buy milk for the killed service");
    await again.press("Enter");
    await next.getByRole("checkbox", { name: "Buy milk for the killed service" }).waitFor();
    await next.getByText("“Killed” is saved as a draft.").waitFor();
    expect(await draftOf("Killed")).toMatchObject({ to: ["Priya"], body: "Written without a service" });
    expect(trouble).toEqual([]);
    await context.close();
  }, 180_000);

  it("as an answer is one draft: pressing r again goes on with it, and the email shows it", async () => {
    const id = await receive("One answer");
    const { context, page, trouble } = await open(`/app/mail/inbox/${id}`);
    const answers = async () => (await drafts()).filter(({ inReplyTo }) => inReplyTo === id);
    const reply = composer(page, "Reply");
    await page.getByRole("heading", { name: "One answer" }).waitFor();
    await page.keyboard.press("r");
    await eventually(() => reply.getByLabel("To").inputValue()).toContain("rita@example.org");
    await page.keyboard.press("Escape");
    await reply.waitFor({ state: "detached" });
    // Nobody has written anything: nothing is left.
    await eventually(async () => (await answers()).length).toBe(0);

    await page.keyboard.press("r");
    await eventually(() => reply.getByLabel("To").inputValue()).toContain("rita@example.org");
    await reply.getByRole("button", { name: "Cc and Bcc" }).click();
    await reply.getByLabel("Cc", { exact: true }).fill("priya");
    await reply.getByLabel("Message").fill("Yes, I can.");
    await page.keyboard.press("Escape");
    await reply.waitFor({ state: "detached" });
    const note = page.getByRole("list", { name: "Drafts" });
    await note.getByText("Yes, I can.").waitFor();
    for (const key of ["r", "a"]) {
      await page.keyboard.press(key);
      const again = page.getByRole("dialog");
      await eventually(() => again.getByLabel("Message").inputValue()).toBe("Yes, I can.");
      expect(await again.getByLabel("Cc", { exact: true }).inputValue()).toBe("priya");
      await page.keyboard.press("Escape");
      await again.waitFor({ state: "detached" });
    }
    expect(await answers()).toMatchObject([{ cc: ["priya"], body: "Yes, I can." }]);
    await note.getByRole("button", { name: "Continue" }).click();
    await eventually(() => page.getByLabel("Message").inputValue()).toBe("Yes, I can.");
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("stays when a file picker is cancelled, in every dialog that has one", async () => {
    const { context, page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, { to: "priya@example.com", subject: "Picker", body: "With a file" });
    const picker = page.waitForEvent("filechooser");
    await dialog.getByRole("button", { name: "Attach files" }).click();
    await picker;
    // What browsers tell the page when the picker is closed without a choice.
    const files = page.locator("dialog input[type=file]");
    expect(await files.count()).toBeGreaterThan(0);
    for (const input of await files.all()) {
      await input.evaluate((field) => field.dispatchEvent(new Event("cancel", { bubbles: true })));
    }
    expect(await dialog.getByLabel("Message").inputValue()).toBe("With a file");
    await dialog.getByText("Saved as a draft").waitFor();

    // No dialog closes at the cancel of something inside it, whatever it holds.
    await page.keyboard.press("Escape");
    for (const [path, button] of [
      ["/app/settings/lists", "Add a list"],
      ["/app/settings/webhooks", "Add a webhook"],
    ] as const) {
      await page.goto(service.origin + path);
      await page.getByRole("button", { name: button }).first().click();
      await page.getByRole("dialog").waitFor();
      await page.evaluate(`(() => {
        const input = document.createElement("input");
        input.type = "file";
        document.querySelector("dialog .dialog-content").append(input);
        input.dispatchEvent(new Event("cancel", { bubbles: true }));
      })()`);
      expect(await page.getByRole("dialog").count()).toBe(1);
    }
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("is asked about before Esc, the cross or a click beside a form throws it away, whatever the form", async () => {
    const { context, page, trouble } = await open("/app");
    const forms = [
      ["/app/calendar/week/2026-11-16?new=2026-11-17T10:00/2026-11-17T10:30", null, "New event", "Title"],
      ["/app/settings/lists", "Add a list", "Add a list", "Name"],
      ["/app/settings/email", "Add a rule", "Add a rule", "Name"],
      ["/app/settings/email", "Add an identity", "Add an identity", "Name"],
      ["/app/settings/webhooks", "Add a webhook", "Add a webhook", "Address (https)"],
      ["/app/streams/milestones", "New milestone", "New milestone", "Name"],
    ] as const;
    for (const [path, button, title, label] of forms) {
      await page.goto(service.origin + path);
      if (button) await page.getByRole("button", { name: button }).first().click();
      const dialog = page.getByRole("dialog", { name: title, exact: true });
      // Nothing to lose, nothing to ask.
      await dialog.waitFor();
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      if (button) await page.getByRole("button", { name: button }).first().click();
      else await page.goto(service.origin + path);
      const field = dialog.getByLabel(label, { exact: true });
      await field.fill("Typed with care");
      const question = page.getByRole("dialog", { name: "Discard what you typed?" });
      for (const leave of [
        () => page.keyboard.press("Escape"),
        () => page.keyboard.press("Escape"),
        () => dialog.getByRole("button", { name: "Close" }).first().click(),
      ]) {
        await leave();
        await question.waitFor();
        await page.keyboard.press("Escape");
        await question.waitFor({ state: "detached" });
        expect(await field.inputValue(), title).toBe("Typed with care");
      }
      // A reload is no reason to lose it, and it does not haunt the form after it was thrown away.
      await page.reload();
      if (button) await page.getByRole("button", { name: button }).first().click();
      await eventually(() => field.inputValue()).toBe("Typed with care");
      await page.keyboard.press("Escape");
      await question.getByRole("button", { name: "Discard" }).click();
      await dialog.waitFor({ state: "detached" });
      if (button) await page.getByRole("button", { name: button }).first().click();
      else await page.goto(service.origin + path);
      expect(await field.inputValue(), title).toBe("");
      await page.keyboard.press("Escape");
    }
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("as a task, message, subtask or tag comes back into its field when it cannot be stored, also after a reload", async () => {
    const email = await receive("Tagged");
    const { id } = await callApi<{ id: number }>(service.origin, "POST", "/api/tasks", { title: "Pack" });
    const { context, page, trouble } = await open("/app");
    const fields = [
      ["/app/tasks", "Add a task", null],
      ["/app/chat", "Message", null],
      [`/app/tasks/${id}`, "Add a step", null],
      [`/app/mail/inbox/${email}`, "Add a tag", "Tags"],
    ] as const;
    for (const [path, label, button] of fields) {
      const show = async () => {
        if (button) await page.getByRole("button", { name: button, exact: true }).first().click();
      };
      await page.goto(service.origin + path);
      await show();
      const field = page.getByRole("main").or(page.getByRole("dialog")).getByLabel(label, { exact: true });
      await field.fill("kept words");
      await page.reload();
      await show();
      await eventually(() => field.inputValue()).toBe("kept words");
      await cut(page);
      await field.press("Enter");
      await page.getByRole("alert").first().waitFor();
      await eventually(() => field.inputValue()).toBe("kept words");
      expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
      await mend(page);
      await page.reload();
      await show();
      await eventually(() => field.inputValue()).toBe("kept words");
      await field.press("Enter");
      await eventually(() => page.evaluate("Object.keys(localStorage).filter((key) => key.includes('kept'))")).toEqual(
        [],
      );
    }
    const tasks = await callApi<{ data: { title: string }[] }>(service.origin, "GET", "/api/tasks?limit=100");
    expect(tasks.data.filter(({ title }) => title === "kept words").length).toBeGreaterThan(0);
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("as several tasks without a network is all kept: one in the field, the others to try again", async () => {
    const { context, page, trouble } = await open("/app/tasks");
    const field = page.getByRole("textbox", { name: "Add a task" });
    await field.waitFor();
    await page.route("**/api/tasks/quick", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.abort();
    });
    for (const line of ["first offline", "second offline", "third offline"]) {
      await field.fill(line);
      await field.press("Enter");
    }
    const rest = page.getByRole("list", { name: "Not saved yet" });
    await eventually(async () => `${await field.inputValue()} ${await rest.textContent()}`).toMatch(/first offline/);
    const words = async () => `${await field.inputValue()} ${(await rest.count()) ? await rest.textContent() : ""}`;
    for (const line of ["first offline", "second offline", "third offline"]) await eventually(words).toContain(line);
    expect(await axeFindings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await overflows(page)).toBe(false);
    await page.unroute("**/api/tasks/quick");
    await page.reload();
    for (const line of ["first offline", "second offline", "third offline"]) await eventually(words).toContain(line);
    await field.press("Enter");
    for (const line of ["first offline", "second offline", "third offline"]) {
      const row = rest.getByRole("listitem").filter({ hasText: line });
      if ((await row.count()) > 0) await row.getByRole("button", { name: "Try again" }).click();
    }
    for (const line of ["first offline", "second offline", "third offline"]) {
      await page.getByRole("checkbox", { name: line }).waitFor();
    }
    await eventually(() => rest.count()).toBe(0);
    // What was said of the first try is no longer so.
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("in the fields of a task and of the profile is kept when it cannot be saved", async () => {
    const { id } = await callApi<{ id: number }>(service.origin, "POST", "/api/tasks", { title: "Notes" });
    const { context, page, trouble } = await open(`/app/tasks/${id}`);
    const notes = page.getByRole("textbox", { name: "Notes" });
    await notes.waitFor();
    await cut(page);
    await notes.fill("A long thought");
    await page.keyboard.press("Escape");
    await page.getByRole("alert").getByText("The task was not saved.").waitFor();
    await mend(page);
    await page.goto(`${service.origin}/app/tasks/${id}`);
    await page.getByText("A long thought").waitFor();
    await page.getByRole("button", { name: "Save it" }).click();
    const saved = () => callApi<{ description: string }>(service.origin, "GET", `/api/tasks/${id}`);
    await eventually(async () => (await saved()).description).toBe("A long thought");

    await page.goto(`${service.origin}/app/settings/profile`);
    const company = page.getByLabel("Company");
    await company.waitFor();
    await cut(page);
    await company.fill("Kept & Sons");
    await company.press("Tab");
    await page.getByRole("alert").first().waitFor();
    expect(await company.inputValue()).toBe("Kept & Sons");
    await mend(page);
    await page.reload();
    await eventually(() => company.inputValue()).toBe("Kept & Sons");
    await eventually(() => page.evaluate("Object.keys(localStorage).filter((key) => key.includes('kept'))")).toEqual(
      [],
    );
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("a change that fails says only that: the row is back, and nothing says that it was done", async () => {
    const id = await receive("Not archived");
    const { context, page, trouble } = await open("/app/mail/inbox");
    const row = page.getByRole("link", { name: /Not archived/ });
    await row.focus();
    await cut(page, 300);
    await page.keyboard.press("e");
    await page.getByRole("status").filter({ hasText: "Archived" }).waitFor();
    await page.getByRole("alert").getByText("The email was not changed.").waitFor();
    expect(await page.getByText("Archived").count()).toBe(1);
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    await row.waitFor();
    // Undone before it fails: nothing was done, so nothing is said.
    await page.getByRole("button", { name: "Hide notice" }).first().click();
    await row.focus();
    await page.keyboard.press("e");
    await page.keyboard.press("z");
    await row.waitFor();
    await page.waitForTimeout(900);
    expect(await page.getByRole("alert").count()).toBe(0);
    await mend(page);
    expect(await callApi(service.origin, "GET", `/api/emails/${id}`)).toMatchObject({ status: "inbox" });
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("into a task stays while another field of it is saved", async () => {
    const { id } = await callApi<{ id: number }>(service.origin, "POST", "/api/tasks", { title: "Paint the fence" });
    const { context, page, trouble } = await open(`/app/tasks/${id}`);
    const sheet = page.getByRole("dialog", { name: "Paint the fence" });
    const [saved, save] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await context.route(`**/api/tasks/${id}`, async (route) => {
      if (route.request().method() === "PATCH") await save.promise;
      await route.continue();
      if (route.request().method() === "PATCH") saved.resolve();
    });
    await sheet.getByLabel("Tags").fill("garden");
    const notes = sheet.getByLabel("Notes");
    await notes.pressSequentially("White, ");
    save.resolve();
    await saved.promise;
    // The task that the service has now is there, and the words as well.
    await page.locator("[data-row]").getByText("garden").waitFor();
    await page.keyboard.type("two coats");
    expect(await notes.inputValue()).toBe("White, two coats");
    await notes.blur();
    const stored = async () => callApi<{ description: string }>(service.origin, "GET", `/api/tasks/${id}`);
    await eventually(async () => (await stored()).description).toBe("White, two coats");
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("is no longer said to be missing when another tab has stored it, or the next try has", async () => {
    const { context, page, trouble } = await open("/app/tasks");
    const field = page.getByRole("textbox", { name: "Add a task" });
    await cut(page);
    await field.fill("Oil the gate");
    await field.press("Enter");
    const notice = page.getByRole("alert").getByText("“Oil the gate” was not added");
    await notice.waitFor();
    await mend(page);
    const { page: other } = await openTab(context, service.origin);
    await other.goto(`${service.origin}/app/tasks`);
    const same = other.getByRole("textbox", { name: "Add a task" });
    await eventually(() => same.inputValue()).toBe("Oil the gate");
    await same.press("Enter");
    await notice.waitFor({ state: "detached" });
    await eventually(() => field.inputValue()).toBe("");
    // Two tabs do not write into each other's fields.
    await field.fill("From the first");
    await same.fill("From the second");
    await page.keyboard.press("Tab");
    expect(await field.inputValue()).toBe("From the first");
    await cut(page);
    const dialog = await compose(other, { to: "rita@example.org", subject: "Gate", body: "It is oiled." });
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    const unsent = other.getByText("The email was not sent.");
    await unsent.waitFor();
    await mend(page);
    await composer(other).getByRole("button", { name: "Send", exact: true }).click();
    await other.getByText("Sent", { exact: true }).waitFor();
    await unsent.waitFor({ state: "detached" });
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("is asked about before signing out deletes it, and is nobody else's", async () => {
    const { context, page, trouble } = await open("/app/tasks");
    await page.getByRole("textbox", { name: "Add a task" }).fill("My secret plan");
    const leave = async () => {
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
    };
    await leave();
    const question = page.getByRole("dialog", { name: "Sign out and discard what is not saved?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByRole("textbox", { name: "Add a task" }).inputValue()).toBe("My secret plan");
    await leave();
    await question.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain("secret plan");
    expect(trouble).toEqual([]);
    await context.close();
  });
});
