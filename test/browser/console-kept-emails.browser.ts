import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, eventually, GRACE } from "./console.ts";
import { compose, composer, cut, draftsOf, leave, mend, openAsGrace, peopleIn, receive } from "./kept.ts";
import { type RunningService, startService } from "./service.ts";

/*
 * No email is lost that somebody wrote: the network is cut, pickers are cancelled, and Esc is pressed at each step of
 * writing.
 */

describe.skipIf(!executablePath)("what a person typed in an email", () => {
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    await callApi(service.origin, "POST", "/api/auth/register", { ...GRACE, name: "Grace Hopper" });
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  const open = (path: string) => openAsGrace(browser, service.origin, path);
  const drafts = () => draftsOf(service.origin);
  const draftOf = async (subject: string) => (await drafts()).find((each) => each.subject === subject);

  it("in an email with a bare name or half an address is a draft, whenever Esc is pressed", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    const steps = ["To", "Subject", "Message"] as const;
    for (const [last] of steps.entries()) {
      const before = (await drafts()).length;
      await page.keyboard.press("c");
      const dialog = composer(page);
      for (const label of steps.slice(0, last + 1)) await dialog.getByLabel(label).fill(`Priya ${last}`);
      await leave(dialog);
      await dialog.waitFor({ state: "detached" });
      await eventually(async () => (await drafts()).length).toBe(before + 1);
      // A draft is made with the first words, and what follows is stored soon after.
      await eventually(async () => (await drafts())[0]).toMatchObject({
        to: [`Priya ${last}`],
        subject: last > 0 ? `Priya ${last}` : "",
        body: last > 1 ? `Priya ${last}` : "",
      });
    }
    // The list shows the name, and the draft opens with it.
    await page.goto(`${service.origin}/app/mail/drafts`);
    await page.getByRole("button", { name: /Priya 2/ }).click();
    await eventually(() => peopleIn(page.getByLabel("To"))).toBe("Priya 2");
    await eventually(() => page.getByLabel("Message").textContent()).toBe("Priya 2");
    await page.keyboard.press("Escape");
    expect(trouble).toEqual([]);
  });

  it("in an email to a bare name stays when it is sent: the field is marked, and nothing says that it was sent", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, { to: "Priya", subject: "Marked", body: "Dear Priya" });
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await dialog.getByText("“Priya” is not an email address.").waitFor();
    await eventually(() => dialog.getByLabel("To").getAttribute("aria-invalid")).toBe("true");
    await eventually(() => page.evaluate("document.activeElement.name")).toBe("to");
    expect(await page.getByRole("status").filter({ hasText: /^Sent/ }).count()).toBe(0);
    await eventually(() => dialog.getByLabel("Message").textContent()).toBe("Dear Priya");
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
    await eventually(() => again.getByLabel("To").getAttribute("aria-invalid")).toBe("true");
    await eventually(() => again.getByLabel("Message").textContent()).toBe("Dear Priya");
    expect(await page.getByRole("alert").textContent()).toContain("To: “priya@example.com” is not an email address.");
    expect(await page.getByText("Something went wrong in this page").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("in an email that cannot be stored: Esc asks, it stays on this device, and is stored when the service is back", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    await page.keyboard.press("c");
    await composer(page).waitFor();
    await page.keyboard.press("Escape");
    await cut(page);
    const dialog = await compose(page, { to: "Priya", subject: "Cut off", body: "While the cable is out" });
    await leave(dialog);
    const question = page.getByRole("dialog", { name: "This email is not saved yet" });
    await question.waitFor();
    expect(await axeFindings(page)).toEqual([]);
    // Esc in the question is no answer, and no way around it.
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await eventually(() => dialog.getByLabel("Message").textContent()).toBe("While the cable is out");
    await leave(dialog);
    await question.getByRole("button", { name: "Keep editing" }).click();
    await dialog.getByLabel("Message").fill("While the cable is still out");
    await leave(dialog);
    await question.getByRole("button", { name: "Keep on this device" }).click();
    await page.getByText("“Cut off” is not saved yet.").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await eventually(() => dialog.getByLabel("Message").textContent()).toBe("While the cable is still out");
    await leave(dialog);
    await question.getByRole("button", { name: "Keep on this device" }).click();
    expect(await draftOf("Cut off")).toBeUndefined();
    await mend(page);
    await eventually(async () => (await draftOf("Cut off"))?.body).toBe("While the cable is still out");
    expect((await drafts()).filter(({ subject }) => subject === "Cut off")).toHaveLength(1);
    await page.getByText("“Cut off” is saved as a draft.").waitFor();
    expect(await page.getByText("“Cut off” is not saved yet.").count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("in an email is discarded only where the person says so", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, { to: "Priya", subject: "Thrown away", body: "Never mind" });
    await dialog.getByText("Saved as a draft").waitFor();
    await cut(page);
    await dialog.getByLabel("Message").fill("Never mind that");
    await leave(dialog);
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
  });

  it("as an answer is one draft: pressing r again goes on with it, and the email shows it", async () => {
    const id = await receive(service.origin, "One answer");
    const { page, trouble } = await open(`/app/mail/inbox/${id}`);
    const answers = async () => (await drafts()).filter(({ inReplyTo }) => inReplyTo === id);
    const reply = composer(page, "Reply");
    await page.getByRole("heading", { name: "One answer" }).waitFor();
    await page.keyboard.press("r");
    await eventually(() => peopleIn(reply.getByLabel("To"))).toContain("rita@example.org");
    await page.keyboard.press("Escape");
    await reply.waitFor({ state: "detached" });
    // Nobody has written anything: nothing is left.
    await eventually(async () => (await answers()).length).toBe(0);

    await page.keyboard.press("r");
    await eventually(() => peopleIn(reply.getByLabel("To"))).toContain("rita@example.org");
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
      await eventually(() => again.getByLabel("Message").textContent()).toBe("Yes, I can.");
      await eventually(() => peopleIn(again.getByLabel("Cc", { exact: true }))).toBe("priya");
      await page.keyboard.press("Escape");
      await again.waitFor({ state: "detached" });
    }
    expect(await answers()).toMatchObject([{ cc: ["priya"], body: "Yes, I can." }]);
    await note.getByRole("button", { name: "Continue" }).click();
    await eventually(() => page.getByLabel("Message").textContent()).toBe("Yes, I can.");
    expect(trouble).toEqual([]);
  });

  it("stays when a file picker is cancelled, in every dialog that has one", async () => {
    const { page, trouble } = await open("/app/mail/inbox");
    const dialog = await compose(page, { to: "priya@example.com", subject: "Picker", body: "With a file" });
    const picker = page.waitForEvent("filechooser");
    await dialog.getByRole("button", { name: "Attach files" }).click();
    await picker;
    // What browsers tell the page when the picker is closed without a choice.
    const files = page.locator(".composer input[type=file]");
    expect(await files.count()).toBeGreaterThan(0);
    for (const input of await files.all()) {
      await input.evaluate((field) => field.dispatchEvent(new Event("cancel", { bubbles: true })));
    }
    await eventually(() => dialog.getByLabel("Message").textContent()).toBe("With a file");
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
  });
});
