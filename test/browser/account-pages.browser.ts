import { readFileSync } from "node:fs";
import { generate } from "otplib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../until.ts";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { type DevelopmentService, startForDevelopment } from "./service.ts";

/* The pages of the console that emails link to, used as a person does: from the email to the end. */

const PASSWORD = "correct horse battery staple";
const NEW_PASSWORD = "seven purple elephants dance";
const PERIOD_S = 30;

describe.skipIf(!executablePath)("the pages that emails link to", () => {
  let service: DevelopmentService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startForDevelopment(), sharedChromium()]);
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  async function api(path: string, body?: object, token?: string) {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const init = { method: "POST", headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${service.origin}${path}`, init);
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : null };
  }

  let people = 0;
  async function newPerson(): Promise<{ email: string; token: string }> {
    people += 1;
    const email = `person-${people}@example.com`;
    const { body } = await api("/api/auth/register", { email, password: PASSWORD, name: "Ada" });
    return { email, token: body.token };
  }

  /** The link in the last email with this subject to the person: the local email service writes a file for each. */
  function linkIn(subject: string, email: string): Promise<string> {
    return until(() => {
      const emails = service.output().split("send_email binding called").slice(1);
      const last = emails.findLast((text) => text.includes(`<${email}>`) && text.includes(`Subject: ${subject}`));
      const file = /^Text: (\S+)$/m.exec(last ?? "")?.[1];
      const link = file && /http:\S+#token=\S+/.exec(readFileSync(file, "utf8"))?.[0];
      if (!link) throw new Error(`no email "${subject}" to ${email}`);
      return link;
    });
  }

  async function open(url: string): Promise<{ page: Page; blocked: string[] }> {
    const page = await browser.newPage();
    const blocked: string[] = [];
    page.on("console", (message) => {
      if (/Content Security Policy/.test(message.text())) blocked.push(message.text());
    });
    page.on("pageerror", (error) => blocked.push(error.message));
    await page.goto(url);
    return { page, blocked };
  }

  it("bring a forgotten password back, from the request to the sign-in", async () => {
    const { email } = await newPerson();
    const { page, blocked } = await open(`${service.origin}/app/forgot`);
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByRole("status").filter({ hasText: "an email is on its way" }).waitFor();

    await page.goto(await linkIn("Reset your password", email));
    await page.getByLabel("New password").fill("password123");
    await page.getByRole("button", { name: "Save the password" }).click();
    await page
      .getByRole("alert")
      .filter({ hasText: /too easy|guess|common/i })
      .waitFor();
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByRole("status").filter({ hasText: "Your password was changed" }).waitFor();
    expect(page.url()).toBe(`${service.origin}/app/reset`);
    expect(blocked).toEqual([]);
    expect((await api("/api/auth/login", { email, password: PASSWORD })).status).toBe(401);
    expect((await api("/api/auth/login", { email, password: NEW_PASSWORD })).status).toBe(200);
  });

  it("say what is wrong with a link that was used, or is not whole", async () => {
    const { page } = await open(`${service.origin}/app/reset#token=used-before`);
    await page.getByLabel("New password").fill(NEW_PASSWORD);
    await page.getByRole("button", { name: "Save the password" }).click();
    await page.getByRole("alert").filter({ hasText: "wrong, expired or already used" }).waitFor();
    await page.goto("about:blank");
    await page.goto(`${service.origin}/app/verify`);
    await page.getByRole("alert").filter({ hasText: "This link is not complete" }).waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
  });

  it("confirm an address after a sign-in, with a code where that is on, and are signed in then", async () => {
    const { email, token } = await newPerson();
    const { body: setup } = await api("/api/settings/security/2fa/setup", { currentPassword: PASSWORD }, token);
    const code = await generate({ secret: setup.secret });
    expect((await api("/api/settings/security/2fa/verify", { code }, token)).status).toBe(200);
    await api("/api/settings/profile/email/verify", undefined, token);
    const { page, blocked } = await open(await linkIn("Confirm your address", email));
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in and confirm" }).click();
    const field = page.getByLabel("Two-factor code");
    await field.waitFor();
    // A code works once, so this is the next one.
    const epoch = Math.floor(Date.now() / 1000) + PERIOD_S;
    await field.fill(await generate({ secret: setup.secret, epoch }));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page
      .getByRole("status")
      .filter({ hasText: `${email} is confirmed.` })
      .waitFor();
    expect(blocked).toEqual([]);
    const headers = { authorization: `Bearer ${token}` };
    const me = await (await fetch(`${service.origin}/api/auth/me`, { headers })).json();
    expect(me).toMatchObject({ user: { emailVerified: true } });
    const sessions = await (await fetch(`${service.origin}/api/settings/security/sessions`, { headers })).json();
    expect(sessions).toMatchObject({ data: [{}, {}] });
  });
});
