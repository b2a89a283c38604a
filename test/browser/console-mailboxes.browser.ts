import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { confirmPassword, eventually, openConsole, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/*
 * Settings → Mailboxes. No mail server answers here, so a mailbox that is connected is not verified; what servers
 * would say is put into the responses of the service.
 */

const OWNER = { email: "grace@example.com", password: "seven purple elephants dance" };
const MEMBER = { email: "alan@example.com", password: "nine quiet machines compute" };
const PASSWORD = "abcd-efgh-ijkl-mnop";
const MAILBOXES = "/api/settings/mailboxes";

describe.skipIf(!executablePath)("Mailboxes", () => {
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    const vars = { ACCESS_MODE: "private", ALLOW_PRIVATE_HOSTS: "true" };
    [service, browser] = await Promise.all([startService(vars), sharedChromium()]);
    for (const person of [OWNER, MEMBER]) {
      const response = await fetch(`${service.origin}/api/auth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...person, name: person.email.split("@")[0] }),
      });
      expect(response.status).toBe(201);
    }
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  async function open(person = OWNER) {
    const opened = await openConsole(browser, service.origin);
    await signIn(opened.page, service.origin, "/app/settings/mailboxes", person);
    await opened.page.getByRole("heading", { level: 1, name: "Mailboxes" }).waitFor();
    return opened;
  }

  /** Puts something else into the list of mailboxes. */
  const listed = (page: Page, change: (mailbox: Record<string, unknown>) => object) =>
    page.route(`**${MAILBOXES}`, async (route) => {
      if (route.request().method() !== "GET") return route.fallback();
      const response = await route.fetch();
      const { data } = await response.json();
      return route.fulfill({
        response,
        json: { data: data.map((each: object) => ({ ...each, ...change({ ...each }) })) },
      });
    });

  it("finds the provider by the address, tests with plain reasons, and connects without losing what was typed", async () => {
    const { page, trouble } = await open();
    await page.getByText("No mailboxes yet").waitFor();
    await page.getByRole("button", { name: "Connect a mailbox" }).click();
    const form = page.getByRole("dialog", { name: "Connect a mailbox" });
    const address = form.getByLabel("Email address");
    await form.getByRole("button", { name: "Connect", exact: true }).click();
    await form.getByRole("alert").getByText("Enter the email address. Enter the password.").waitFor();

    await address.fill("grace@hotmail.com");
    await form.getByText("it requires OAuth").waitFor();
    await address.fill("grace@gmail.com");
    await form.getByText("create an “App password”").waitFor();
    await eventually(() => form.getByRole("link", { name: "Open Gmail" }).getAttribute("href")).toContain(
      "apppasswords",
    );
    expect(await form.getByLabel("Server for receiving (IMAP)").isVisible()).toBe(false);
    await address.fill("grace@example.org");
    await form.getByLabel("Provider").selectOption({ label: "Fastmail" });
    await form.getByText("Server settings").click();
    await eventually(() => form.getByLabel("Server for receiving (IMAP)").inputValue()).toBe("imap.fastmail.com");
    await form.getByLabel("Provider").selectOption({ label: "Another provider" });
    const imap = form.getByLabel("Server for receiving (IMAP)");
    await imap.waitFor();

    // What a server would say.
    const failure = { ok: false, step: "login", code: "mailbox_auth_failed", reason: "Bad login", capabilities: [] };
    await page.route(`**${MAILBOXES}/test`, (route: Route) =>
      route.fulfill({ json: { imap: { ...failure, folders: [] }, smtp: { ...failure, code: null, maxSize: null } } }),
    );
    await form.getByLabel("App password").fill(PASSWORD);
    await form.getByRole("button", { name: "Test" }).click();
    await form.getByText("Receiving: the server refused the user name or the password.").waitFor();
    await form.getByText("It said: Bad login").waitFor();
    await page.unroute(`**${MAILBOXES}/test`);

    // Nothing listens there.
    await imap.fill("localhost");
    await form.getByLabel("Port for receiving").fill("9");
    await form.getByLabel("Server for sending (SMTP)").fill("localhost");
    await form.getByLabel("Port for sending").fill("9");
    await form.getByRole("button", { name: "Test" }).click();
    await form.getByText("Receiving: localhost:9 cannot be reached").waitFor();

    await form.getByLabel("Label").fill("Private");
    await form.getByRole("button", { name: "Connect", exact: true }).click();
    await confirmPassword(page, OWNER.password);
    await form.waitFor({ state: "hidden" });
    await page.getByText("Saved. A server could not be used yet; it is tried again.").waitFor();
    const line = page.getByRole("listitem").filter({ hasText: "Private" });
    await line.getByText("Not verified").waitFor();
    await line.getByText("No login has worked yet.").waitFor();
    expect(await page.content()).not.toContain(PASSWORD);
    expect(trouble).toEqual([]);
  });

  it("shows the progress of the first reading, and when it was last read", async () => {
    const { page } = await open();
    await listed(page, () => ({
      ...{ status: "connected", reason: null, walk: { done: 120, waiting: 194 } },
      lastOkAt: new Date(Date.now() - 130_000).toISOString(),
    }));
    await page.reload();
    await page.getByText("Reading older messages: 120 of 314").waitFor();
    await page.getByText("Last checked 2 minutes ago").waitFor();
    await page.getByRole("progressbar", { name: "Reading older messages" }).waitFor();
  });

  it("asks before it takes many missing messages for true, and reads at once when asked to", async () => {
    const { page } = await open();
    const reason = "21 of 40 messages are missing in the mailbox all at once.";
    await listed(page, () => ({ status: "stopped", reason, nextTryAt: null }));
    const asked: string[] = [];
    await page.route(`**${MAILBOXES}/*/sync**`, (route) => {
      asked.push(new URL(route.request().url()).search);
      return route.fulfill({ json: { status: "succeeded", created: asked.length } });
    });
    await page.reload();
    await page.getByText(reason).waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    const dialog = page.getByRole("dialog", { name: "Are these messages really gone?" });
    expect(asked).toEqual([]);
    await dialog.getByRole("button", { name: "Go on" }).click();
    await page.getByText("Read: 1 new email.").waitFor();
    await page.getByRole("button", { name: "Actions for Private" }).click();
    await page.getByRole("menuitem", { name: "Read now" }).click();
    await page.getByText("Read: 2 new emails.").waitFor();
    expect(asked).toEqual(["?full=true", ""]);
  });

  it("says that a password was refused, and takes another", async () => {
    const { page } = await open();
    await listed(page, () => ({ status: "auth_failed", reason: "Receiving: Invalid credentials", nextTryAt: null }));
    await page.reload();
    await page.getByText("Receiving: Invalid credentials").waitFor();
    await page.getByText("It is not tried again until you enter the password.").waitFor();
    await page.getByRole("button", { name: "Enter the password" }).click();
    const form = page.getByRole("dialog", { name: "Password of Private" });
    await form.getByLabel("App password").fill("another-app-password");
    await page.route(`**${MAILBOXES}/*`, (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({
            status: 422,
            contentType: "application/problem+json",
            json: {
              code: "mailbox_auth_failed",
              detail: "localhost refused the user name or the password, and nothing was saved. It said: No.",
              errors: [{ path: "password", message: "was refused by localhost" }],
            },
          })
        : route.fallback(),
    );
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByRole("alert").getByText("nothing was saved").waitFor();
    await eventually(() => form.getByLabel("App password").inputValue()).toBe("another-app-password");
  });

  it("pauses, renames, chooses folders and forgets", async () => {
    const { page, trouble } = await open();
    await page.getByRole("button", { name: "Pause: Private" }).click();
    await page.getByText("Paused", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Resume: Private" }).click();
    await page.getByText("Not verified").waitFor();

    const choose = async (name: string) => {
      await page.getByRole("button", { name: /^Actions for/ }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await choose("Edit");
    const edit = page.getByRole("dialog", { name: "Edit Private" });
    await edit.getByLabel("Label").fill("Old one");
    await edit.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Pause: Old one" }).waitFor();

    await choose("Folders");
    const none = page.getByRole("dialog", { name: "Folders of Old one" });
    await none.getByText("The folders are known once the mailbox was reached.").waitFor();
    await page.keyboard.press("Escape");
    await page.route(`**${MAILBOXES}/*/folders`, (route) => {
      const folders = ["INBOX", "Sent", "Papers"].map((name, index) => ({ id: index + 1, name, roleIsChosen: false }));
      const roles = ["inbox", "sent", null];
      return route.fulfill({ json: { data: folders.map((each, index) => ({ ...each, role: roles[index] })) } });
    });
    await page.reload();
    await choose("Folders");
    const folders = page.getByRole("dialog", { name: "Folders of Old one" });
    await folders.getByLabel("Archive").selectOption({ label: "Papers" });
    await folders.getByLabel("Trash").selectOption({ label: "Papers" });
    await folders.getByRole("button", { name: "Save" }).click();
    await folders.getByRole("alert").getByText("Choose another folder for each place.").waitFor();
    await folders.getByLabel("Trash").selectOption({ label: "None" });
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await folders.getByRole("button", { name: "Save" }).click();
    expect((await sent).postDataJSON()).toEqual({ folders: [{ id: 3, role: "archive" }] });
    await folders.waitFor({ state: "hidden" });

    await choose("Forget");
    const question = page.getByRole("dialog", { name: "Forget Old one?" });
    await question.getByText("Its emails stay here").waitFor();
    await question.getByRole("button", { name: "Forget" }).click();
    await page.getByText("No mailboxes yet").waitFor();
    await eventually(() => page.getByText("Forgotten: Old one").count()).toBe(1);
    expect(trouble).toEqual([]);
  });

  it("says why the list is not there, and is the owner's alone", async () => {
    const { page } = await open();
    await page.route(`**${MAILBOXES}`, (route) => route.fulfill({ status: 503, json: { detail: "Not now." } }));
    await page.reload();
    await page.getByRole("alert").getByText("Not now.").waitFor();
    await page.unroute(`**${MAILBOXES}`);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No mailboxes yet").waitFor();
    const member = await open(MEMBER);
    await member.page.getByText("Only the owner can change this").waitFor();
  });
});
