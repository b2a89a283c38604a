import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { callApi, eventually, GRACE, type Opened, openConsole, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* A reply that is lost on its way, or a change that is tried twice, is no change by somebody else and undoes nothing. */

interface Draft {
  id: number;
  subject: string;
  body: string;
}

describe.skipIf(!executablePath)("what the console says after a request whose end it does not know", () => {
  let service: RunningService;
  let browser: Browser;
  let token: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    const person = { ...GRACE, name: "Grace Hopper" };
    token = (await callApi<{ token: string }>(service.origin, "POST", "/api/auth/register", person)).token;
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  async function open(path: string, options: Parameters<typeof openConsole>[2] = {}): Promise<Opened> {
    const opened = await openConsole(browser, service.origin, options);
    await signIn(opened.page, service.origin, path, GRACE);
    return opened;
  }

  const call = <Answer>(method: string, path: string, body?: object) =>
    callApi<Answer>(service.origin, method, path, body);
  const draftsOf = async (subject: string) =>
    (await call<{ data: Draft[] }>("GET", "/api/emails/drafts")).data.filter((each) => each.subject === subject);

  /** The service does what it is asked to once, and the browser does not hear of it. */
  async function loseReply(page: Page, address: string, method: string): Promise<void> {
    let isLost = false;
    await page.context().route(address, async (route) => {
      if (isLost || route.request().method() !== method) return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort();
    });
  }

  const composer = (page: Page) => page.getByRole("dialog", { name: "New email", exact: true });

  it("goes on with an email that was sent without a network, as the only one who writes it", async () => {
    const { context, page, trouble } = await open("/app/mail/inbox");
    await page.keyboard.press("c");
    await composer(page).getByLabel("To").fill("anna@example.com");
    await context.route("**/api/**", (route) => route.abort());
    await composer(page).getByLabel("Subject").fill("From the tunnel");
    await composer(page).getByLabel("Message").fill("I am late.");
    await composer(page).getByText("Not saved yet").waitFor();
    await composer(page).getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("alert").filter({ hasText: "The email was not sent." }).waitFor();
    await composer(page).waitFor();
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
    });
    await context.unroute("**/api/**");
    await composer(page).getByText("Saved as a draft").waitFor();
    expect(await draftsOf("From the tunnel")).toHaveLength(1);
    await composer(page).getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("status").filter({ hasText: "Sent" }).waitFor();
    await eventually(() => draftsOf("From the tunnel")).toEqual([]);
    expect(refused).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("takes its own email, whose reply was lost, for nobody else's", async () => {
    const { context, page, trouble } = await open("/app/mail/inbox");
    await page.keyboard.press("c");
    await composer(page).getByLabel("Subject").fill("Lost reply");
    await composer(page).getByText("Saved as a draft").waitFor();
    await loseReply(page, "**/api/emails/drafts/*", "PATCH");
    await composer(page).getByLabel("Message").fill("First words");
    await composer(page).getByText("Not saved yet").waitFor();
    await composer(page).getByLabel("Message").fill("First words, and more");
    await composer(page).getByText("Saved as a draft").waitFor();
    expect(await composer(page).getByText("changed in another window").count()).toBe(0);
    await eventually(() => draftsOf("Lost reply")).toMatchObject([{ body: "First words, and more" }]);
    // What somebody else did write is still asked about.
    const [draft] = await draftsOf("Lost reply");
    await context.setOffline(true);
    await call("PATCH", `/api/emails/drafts/${draft?.id}`, { body: "Their words" });
    await composer(page).getByLabel("Message").fill("My words");
    await composer(page).getByText("Not saved yet").waitFor();
    await context.setOffline(false);
    await composer(page).getByText("changed in another window").waitFor();
    expect(trouble).toEqual([]);
  });

  it("takes the notice of a failed change away with the next one, which it would undo", async () => {
    const { id } = await call<{ id: number }>("POST", "/api/tasks", { title: "Call the bank" });
    const { page, trouble } = await open(`/app/tasks/${id}`);
    const sheet = page.getByRole("dialog", { name: "Call the bank" });
    const notes = sheet.getByLabel("Notes");
    await loseReply(page, `**/api/tasks/${id}`, "PATCH");
    await notes.fill("Ask for Ms Kim");
    await notes.blur();
    const failure = page.getByRole("alert").filter({ hasText: "The task was not saved." });
    await failure.waitFor();
    await notes.fill("Ask for Ms Kim, extension 12");
    await notes.blur();
    await failure.waitFor({ state: "detached" });
    await eventually(() => call("GET", `/api/tasks/${id}`)).toMatchObject({
      description: "Ask for Ms Kim, extension 12",
    });
    expect(trouble).toEqual([]);
  });

  it("leaves what is being typed alone when others change the task, and asks if they wrote the same field", async () => {
    const { id } = await call<{ id: number }>("POST", "/api/tasks", { title: "Order the cake" });
    const { page, trouble } = await open(`/app/tasks/${id}`);
    const sheet = page.getByRole("dialog", { name: "Order the cake" });
    const notes = sheet.getByLabel("Notes");
    await notes.click();
    await page.keyboard.type("Without ");
    await call("PATCH", `/api/tasks/${id}`, { priority: "high" });
    await eventually(() => sheet.getByLabel("Priority").inputValue()).toBe("high");
    await page.keyboard.type("nuts");
    await eventually(() => notes.inputValue()).toBe("Without nuts");
    await notes.blur();
    await eventually(() => call("GET", `/api/tasks/${id}`)).toMatchObject({
      description: "Without nuts",
      priority: "high",
    });
    expect(await sheet.getByRole("alert").count()).toBe(0);

    await notes.click();
    await page.keyboard.press("End");
    await page.keyboard.type(", for nine");
    await call("PATCH", `/api/tasks/${id}`, { description: "With nuts", priority: "low" });
    await eventually(() => sheet.getByLabel("Priority").inputValue()).toBe("low");
    await eventually(() => notes.inputValue()).toBe("Without nuts, for nine");
    await notes.blur();
    const question = sheet.getByRole("alert").filter({ hasText: "With nuts" });
    await question.getByText("Without nuts, for nine").waitFor();
    expect(await call("GET", `/api/tasks/${id}`)).toMatchObject({ description: "With nuts" });
    await question.getByRole("button", { name: "Keep mine" }).click();
    await eventually(() => call("GET", `/api/tasks/${id}`)).toMatchObject({ description: "Without nuts, for nine" });
    expect(trouble).toEqual([]);
  });

  it("says for how many days spam is kept, as the settings have it", async () => {
    const body =
      "Dear customer, you have won the lottery: 5 million dollars! Send your bank details and your password.";
    const mail = { from: "Rita <rita@example.org>", to: GRACE.email, subject: "You have won", body };
    const { id } = await call<{ id: number }>("POST", "/api/emails", mail);
    await call("PATCH", `/api/emails/${id}`, { status: "spam" });
    const keep = (spamDays: number | null) =>
      callApi(service.origin, "PATCH", "/api/settings/retention", { spamDays }, token);
    await keep(90);
    const { page, trouble } = await open("/app/mail/spam");
    await page.getByText("kept here for 90 days, then deleted.").waitFor();
    await keep(null);
    await page.reload();
    await page.getByText("kept here until you delete it.").waitFor();
    expect(trouble).toEqual([]);
  });

  it("begins at the top of an email that is opened from far down the list, on a phone", async () => {
    for (let index = 0; index < 25; index++)
      await call("POST", "/api/emails", {
        from: "Rita <rita@example.org>",
        to: GRACE.email,
        subject: `Letter ${index}.`,
        body: "A long line of a letter.\n\n".repeat(60),
      });
    const { page, trouble } = await open("/app/mail/inbox", { size: "phone" });
    const row = page.getByRole("link", { name: /Letter 8\./ });
    await page.getByRole("link", { name: /Letter 24\./ }).waitFor();
    await page.evaluate("scrollTo(0, 1000)");
    await row.scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>("scrollY");
    expect(before).toBeGreaterThan(300);
    await row.click();
    await page.getByRole("heading", { level: 2, name: "Letter 8." }).waitFor();
    await eventually(() => page.evaluate("scrollY")).toBe(0);
    await page.goBack();
    await eventually(() => page.evaluate("scrollY")).toBe(before);
    expect(trouble).toEqual([]);
  });
});
