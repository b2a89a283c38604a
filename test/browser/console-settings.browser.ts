import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { generate } from "otplib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { confirmPassword, eventually, openConsole, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* Settings in use: what is changed there has its effect, and what is refused is said where it belongs. */

const OWNER = { email: "grace@example.com", password: "seven purple elephants dance" };
const MEMBER = { email: "alan@example.com", password: "nine quiet machines compute" };
const PERIOD_S = 30;
/** With doors that a key opens, and webhooks to this machine. */
const SERVICE = { ACCESS_MODE: "private", ALLOW_PRIVATE_HOSTS: "true" };

describe.skipIf(!executablePath)("Settings", () => {
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(SERVICE), sharedChromium()]);
    for (const person of [OWNER, MEMBER]) {
      const response = await post("/api/auth/register", { ...person, name: person.email.split("@")[0] });
      expect(response.status).toBe(201);
    }
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  const post = (path: string, body: object) =>
    fetch(`${service.origin}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  async function open(path: string, person: typeof OWNER) {
    const opened = await openConsole(browser, service.origin);
    await signIn(opened.page, service.origin, path, person);
    return opened;
  }

  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  const saved = (page: Page, method: string, path: string) =>
    page.waitForResponse((response) => response.request().method() === method && response.url().endsWith(path));

  it("change the profile, say at the field what is refused, and make and revoke an API key", async () => {
    const { page, trouble } = await open("/app/settings/profile", OWNER);
    await heading(page, "Profile");
    const clock = page.getByLabel("Clock");
    for (const [choice, pattern] of [
      ["12h", /Now: .*\d:\d\d\s?[AP]M/i],
      ["24h", /Now: .* \d\d:\d\d$/],
    ] as const) {
      const patched = saved(page, "PATCH", "/api/settings/profile");
      await clock.selectOption(choice);
      await page.getByText(pattern).waitFor();
      expect((await patched).status()).toBe(200);
    }
    const phone = page.getByLabel("Phone");
    await phone.fill("call me");
    await phone.blur();
    await expect.poll(() => page.getByLabel("Phone").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Name", { exact: true }).fill("Grace Brewster Hopper");
    await page.getByLabel("Name", { exact: true }).blur();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menu").getByText("Grace Brewster Hopper").waitFor();
    await page.keyboard.press("Escape");

    // From the palette, to a page that asks who is there.
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or type a command" }).fill("create an api key");
    await page.keyboard.press("Enter");
    const form = page.getByRole("dialog", { name: "Create an API key" });
    await form.getByLabel("Name").fill("Home automation");
    await form.getByRole("checkbox", { name: /^tasks:read/ }).check();
    await form.getByRole("button", { name: "Create an API key" }).click();
    const proof = page.getByRole("dialog", { name: "Confirm your identity" });
    await proof.getByLabel("Password").fill("not my password");
    await proof.getByRole("button", { name: "Confirm" }).click();
    await proof.getByRole("alert").getByText("wrong").waitFor();
    await proof.getByLabel("Password").fill(OWNER.password);
    await proof.getByRole("button", { name: "Confirm" }).click();
    const shown = page.getByRole("dialog", { name: "The key was created" });
    const key = await shown.getByLabel("API key").inputValue();
    await shown.getByRole("button", { name: "Copy" }).waitFor();
    const use = async () =>
      (await fetch(`${service.origin}/api/tasks`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await use()).toBe(200);
    await shown.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Actions for Home automation" }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("dialog", { name: "Revoke Home automation?" }).getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No keys yet").waitFor();
    // The row leaves before the service has heard of it.
    await eventually(use).toBe(401);
    expect(trouble).toEqual([]);
  });

  it("add a webhook, show a delivery that failed, and retry it", async () => {
    const answers = [500, 200];
    const received: string[] = [];
    const hook = createServer((request, response) => {
      received.push(String(request.headers["webhook-id"]));
      response.writeHead(answers.shift() ?? 200).end();
    });
    await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
    const { port } = hook.address() as AddressInfo;
    const { page, trouble } = await open("/app/settings/webhooks?do=new", OWNER);
    const form = page.getByRole("dialog", { name: "Add a webhook" });
    await form.getByLabel("Address (https)").fill("nowhere");
    await form.getByRole("button", { name: "Add" }).click();
    // What is refused needs no password.
    await expect.poll(() => form.getByLabel("Address (https)").getAttribute("aria-invalid")).toBe("true");
    await form.getByLabel("Address (https)").fill(`http://127.0.0.1:${port}/hook`);
    await form.getByRole("checkbox", { name: /^task\.created/ }).check();
    await form.getByRole("button", { name: "Add" }).click();
    await confirmPassword(page, OWNER.password);
    const shown = page.getByRole("dialog", { name: "The webhook was added" });
    await eventually(() => shown.getByLabel("Signing secret").inputValue()).toMatch(/^whsec_/);
    await shown.getByRole("button", { name: "Done" }).click();
    await page.getByRole("link", { name: /127\.0\.0\.1/ }).click();
    await page.getByRole("button", { name: "Send a test event" }).click();
    const delivery = page.getByRole("listitem").filter({ hasText: "webhook.test" });
    await delivery.getByText("Failed", { exact: true }).waitFor();
    await delivery.getByText(/answered 500/).waitFor();
    await delivery.getByRole("button", { name: /^Retry/ }).click();
    await delivery.getByText("Delivered", { exact: true }).waitFor();
    expect(received).toHaveLength(2);
    expect(new Set(received).size).toBe(1);

    // Listed where the sessions are, and ended there.
    await page.goto(`${service.origin}/app/settings/sessions`);
    await page.getByRole("button", { name: `End Webhook 127.0.0.1:${port}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End" }).click();
    await page.getByText(`127.0.0.1:${port}/hook was ended.`).waitFor();
    await page.getByText("No other access.").waitFor();
    expect(trouble).toEqual([]);
    hook.close();
  });

  it("ask who is there before replies go to another address, keep what was typed, and save without one as before", async () => {
    const { page, trouble } = await open("/app/settings/email", OWNER);
    const proof = page.getByRole("dialog", { name: "Confirm your identity" });
    await page.getByRole("button", { name: "Add an identity" }).click();
    const form = page.getByRole("dialog", { name: "Add an identity" });
    await form.getByLabel("Name").fill("Front desk");
    await form.getByLabel("Replies go to").fill("desk@example.org");
    await form.getByRole("button", { name: "Save" }).click();
    await proof.waitFor();
    await page.keyboard.press("Escape");
    await proof.waitFor({ state: "hidden" });
    await eventually(() => form.getByLabel("Replies go to").inputValue()).toBe("desk@example.org");
    await form.getByRole("button", { name: "Save" }).click();
    await confirmPassword(page, OWNER.password);
    await page.getByText("desk@example.org").waitFor();
    expect(trouble).toEqual([]);

    // In a session that has confirmed nothing.
    const other = await open("/app/settings/email", OWNER);
    await other.page.getByRole("button", { name: "Actions for Front desk" }).click();
    await other.page.getByRole("menuitem", { name: "Edit" }).click();
    const edited = other.page.getByRole("dialog", { name: "Edit the identity" });
    await edited.getByLabel("Signature", { exact: true }).fill("Grace");
    const patched = other.page.waitForResponse((response) => response.request().method() === "PATCH");
    await edited.getByRole("button", { name: "Save" }).click();
    expect((await patched).status()).toBe(200);
    await edited.waitFor({ state: "hidden" });
  });

  it("show a member no owner's page, turn on two-factor authentication, sign in with it, and delete the account", async () => {
    const { page, trouble } = await open("/app/settings/models", MEMBER);
    await page.getByText("Only the owner can change this").waitFor();
    const pages = page.getByRole("navigation", { name: "Settings" });
    await pages.getByRole("link", { name: "Billing" }).waitFor();
    expect(await pages.getByRole("link", { name: /AI keys|Models|Service/ }).count()).toBe(0);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or type a command" }).fill("settings:");
    await page.getByRole("option", { name: "Settings: Billing" }).waitFor();
    expect(await page.getByRole("option", { name: /AI keys|Models|Service/ }).count()).toBe(0);
    await page.keyboard.press("Escape");

    await pages.getByRole("link", { name: "Two-factor" }).click();
    await page.getByRole("button", { name: "Set up" }).click();
    await confirmPassword(page, MEMBER.password);
    await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
    const secret = await page.getByLabel("Or enter this secret in the app").inputValue();
    await page.getByLabel("Code", { exact: true }).fill("000000");
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("alert").getByText(/code/i).waitFor();
    await page.getByLabel("Code", { exact: true }).fill(await generate({ secret }));
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByRole("heading", { name: "Your backup codes" }).waitFor();
    const backup = await page.locator(".backup-codes li").allTextContents();
    expect(backup).toHaveLength(10);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("backup-codes.txt");
    await page.getByRole("button", { name: "I have kept them" }).click();
    await page.getByRole("heading", { name: "Two-factor authentication is on" }).waitFor();

    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByLabel("Email").fill(MEMBER.email);
    await page.getByLabel("Password").fill(MEMBER.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Use a backup code" }).click();
    await page.getByLabel("Backup code").fill(backup[0] ?? "");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("navigation", { name: "Main" }).waitFor();

    await page.goto(`${service.origin}/app/settings/sessions`);
    await page.getByRole("listitem").filter({ hasText: "This device" }).waitFor();
    await page.goto(`${service.origin}/app/settings/data?do=delete`);
    const form = page.getByRole("dialog", { name: "Delete your account" });
    await form.getByText("belong to the service and stay").waitFor();
    await form.getByLabel("Your email address, to confirm").fill(MEMBER.email);
    await form.getByRole("button", { name: "Delete my account" }).click();
    const proof = page.getByRole("dialog", { name: "Confirm your identity" });
    await proof.getByLabel("Two-factor code").waitFor();
    await page.keyboard.press("Escape");
    await form.getByRole("button", { name: "Keep my account" }).click();
    expect((await post("/api/auth/login", MEMBER)).status).toBe(200);

    await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Two-factor" }).click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    // A code works once, so this is the next one.
    const epoch = Math.floor(Date.now() / 1000) + PERIOD_S;
    await confirmPassword(page, MEMBER.password, await generate({ secret, epoch }));
    await page.getByRole("button", { name: "Set up" }).waitFor();
    await page.goto(`${service.origin}/app/settings/data?do=delete`);
    await form.getByLabel("Your email address, to confirm").fill(MEMBER.email);
    await form.getByRole("button", { name: "Delete my account" }).click();
    await proof.getByLabel("Password").fill(MEMBER.password);
    await proof.getByRole("button", { name: "Confirm" }).click();
    await heading(page, "Sign in");
    expect((await post("/api/auth/login", MEMBER)).status).toBe(401);
    expect(trouble).toEqual([]);
  });
});
