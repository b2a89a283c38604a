import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, drawn, eventually, GRACE, gate, hold, openTab, overflows } from "./console.ts";
import { compose, composer, cut, draftsOf, mend, openAsGrace, receive } from "./kept.ts";
import { type DevelopmentService, startForDevelopment } from "./service.ts";

/*
 * Nothing a person wrote in fields and forms is lost: the network is cut, the service is killed and comes back, tabs are
 * closed, and Esc is pressed.
 */

describe.skipIf(!executablePath)("what a person typed in the console", () => {
  let service: DevelopmentService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startForDevelopment(), sharedChromium()]);
    await callApi(service.origin, "POST", "/api/auth/register", { ...GRACE, name: "Grace Hopper" });
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  const open = (path: string) => openAsGrace(browser, service.origin, path);
  const drafts = () => draftsOf(service.origin);
  const draftOf = async (subject: string) => (await drafts()).find((each) => each.subject === subject);

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
  });

  it("is asked about before Esc, the cross or a click beside a form throws it away, whatever the form", async () => {
    const { page, trouble } = await open("/app");
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
      const question = page.getByRole("dialog", { name: "Discard your changes?" });
      for (const leave of [
        () => page.keyboard.press("Escape"),
        () => page.keyboard.press("Escape"),
        () => page.keyboard.press("Escape"),
        () => dialog.getByRole("button", { name: "Close" }).first().click(),
      ]) {
        await leave();
        await question.waitFor();
        await page.keyboard.press("Escape");
        await question.waitFor({ state: "detached" });
        // It went to the question alone: the form does not ask again.
        await drawn(page);
        expect(await question.count(), title).toBe(0);
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
  });

  it("as a task, message, subtask or tag comes back into its field when it cannot be stored, also after a reload", async () => {
    const email = await receive(service.origin, "Tagged");
    const { id } = await callApi<{ id: number }>(service.origin, "POST", "/api/tasks", { title: "Pack" });
    const { page, trouble } = await open("/app");
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
  });

  it("as several tasks without a network is all kept: one in the field, the others to try again", async () => {
    const { page, trouble } = await open("/app/tasks");
    const field = page.getByRole("textbox", { name: "Add a task" });
    await field.waitFor();
    // All are on their way before the first one fails.
    await page.route("**/api/tasks/quick", (route) => route.abort());
    const { release } = await hold(page, "**/api/tasks/quick");
    for (const line of ["first offline", "second offline", "third offline"]) {
      await field.fill(line);
      await field.press("Enter");
      await eventually(() => field.inputValue()).toBe("");
    }
    release();
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
    await eventually(() => page.getByRole("alert").count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("in the fields of a task and of the profile is kept when it cannot be saved", async () => {
    const { id } = await callApi<{ id: number }>(service.origin, "POST", "/api/tasks", { title: "Notes" });
    const { page, trouble } = await open(`/app/tasks/${id}`);
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
    await eventually(() => company.inputValue()).toBe("Kept & Sons");
    await mend(page);
    await page.reload();
    await eventually(() => company.inputValue()).toBe("Kept & Sons");
    await eventually(() => page.evaluate("Object.keys(localStorage).filter((key) => key.includes('kept'))")).toEqual(
      [],
    );
    expect(trouble).toEqual([]);
  });

  it("into a task comes back into its field after a reload, and goes on there", async () => {
    const { id } = await callApi<{ id: number }>(service.origin, "POST", "/api/tasks", { title: "Sow the beans" });
    const { page, trouble } = await open(`/app/tasks/${id}`);
    const sheet = page.getByRole("dialog", { name: "Sow the beans" });
    const notes = sheet.getByLabel("Notes");
    await notes.pressSequentially("In rows, ");
    await page.reload();
    await sheet.getByText("Your unsaved text was restored").waitFor();
    await eventually(() => notes.inputValue()).toBe("In rows, ");
    await notes.press("End");
    await page.keyboard.type("after the frost");
    await page.reload();
    await sheet.getByText("Your unsaved text was restored").waitFor();
    await eventually(() => notes.inputValue()).toBe("In rows, after the frost");
    const stored = async () => callApi<{ description: string }>(service.origin, "GET", `/api/tasks/${id}`);
    expect((await stored()).description).toBe("");
    await notes.press("End");
    await page.keyboard.type(".");
    await notes.blur();
    await eventually(async () => (await stored()).description).toBe("In rows, after the frost.");
    await eventually(() => sheet.getByText("Your unsaved text was restored").count()).toBe(0);

    // What the service refuses stays with its reason.
    const minutes = sheet.getByLabel("Minutes it takes");
    await minutes.fill("-5");
    await minutes.blur();
    await eventually(() => minutes.getAttribute("aria-invalid")).toBe("true");
    await eventually(() => minutes.inputValue()).toBe("-5");
    await minutes.fill("5");
    await minutes.blur();
    await eventually(async () => (await callApi(service.origin, "GET", `/api/tasks/${id}`)) as object).toMatchObject({
      estimateMinutes: 5,
    });
    expect(trouble).toEqual([]);
  });

  it("a change that fails says only that: the row is back, and nothing says that it was done", async () => {
    const id = await receive(service.origin, "Not archived");
    const { page, trouble } = await open("/app/mail/inbox");
    const row = page.getByRole("link", { name: /Not archived/ });
    await row.focus();
    const first = gate();
    await cut(page, first.opened);
    await page.keyboard.press("e");
    await page.getByRole("status").filter({ hasText: "Archived" }).waitFor();
    first.open();
    await page.getByRole("alert").getByText("The email was not changed.").waitFor();
    await eventually(() => page.getByText("Archived").count()).toBe(1);
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    await row.waitFor();
    // Undone before it fails: nothing was done, so nothing is said.
    await page.getByRole("button", { name: "Hide notice" }).first().click();
    await mend(page);
    const second = gate();
    await cut(page, second.opened);
    const failed = page.waitForEvent("requestfailed", (request) => request.method() === "PATCH");
    await row.focus();
    await page.keyboard.press("e");
    await page.getByRole("status").filter({ hasText: "Archived" }).waitFor();
    await page.keyboard.press("z");
    await row.waitFor();
    second.open();
    await failed;
    await drawn(page);
    expect(await page.getByRole("alert").count()).toBe(0);
    await mend(page);
    expect(await callApi(service.origin, "GET", `/api/emails/${id}`)).toMatchObject({ status: "inbox" });
    expect(trouble).toEqual([]);
  });

  it("into a task stays while another field of it is saved", async () => {
    const { id } = await callApi<{ id: number }>(service.origin, "POST", "/api/tasks", { title: "Paint the fence" });
    const { page, trouble } = await open(`/app/tasks/${id}`);
    const sheet = page.getByRole("dialog", { name: "Paint the fence" });
    const request = await hold(page, `**/api/tasks/${id}`, "PATCH");
    await sheet.getByLabel("Tags").fill("garden");
    const notes = sheet.getByLabel("Notes");
    await notes.pressSequentially("White, ");
    request.release();
    // The task that the service has now is there, and the words as well.
    await page.locator("[data-row]").getByText("garden").waitFor();
    await page.keyboard.type("two coats");
    await eventually(() => notes.inputValue()).toBe("White, two coats");
    await notes.blur();
    const stored = async () => callApi<{ description: string }>(service.origin, "GET", `/api/tasks/${id}`);
    await eventually(async () => (await stored()).description).toBe("White, two coats");
    expect(trouble).toEqual([]);
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
    await same.blur();
    await field.blur();
    await eventually(() => field.inputValue()).toBe("From the first");
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
  });

  it("is asked about before signing out deletes it, and is nobody else's", async () => {
    const { page, trouble } = await open("/app/tasks");
    await page.getByRole("textbox", { name: "Add a task" }).fill("My secret plan");
    const leave = async () => {
      await page.getByRole("button", { name: "Account" }).click();
      await page.getByRole("menuitem", { name: "Sign out" }).click();
    };
    await leave();
    const question = page.getByRole("dialog", { name: "Sign out and discard unsaved text?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await eventually(() => page.getByRole("textbox", { name: "Add a task" }).inputValue()).toBe("My secret plan");
    await leave();
    await question.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.evaluate("JSON.stringify(localStorage)")).not.toContain("secret plan");
    expect(trouble).toEqual([]);
  });
});
