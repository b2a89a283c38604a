import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../tooling/running-service.ts";
import { executablePath, launchChromium } from "./chromium.ts";
import { type Opened, openConsole, signIn } from "./console.ts";

/* Mail in use: an email arrives, is read, turned into tasks, answered, archived and brought back; hostile HTML. */

const GRACE = { email: "grace@example.com", password: "seven purple elephants dance" };

const HOSTILE = `<html><head><script>document.title = "owned"</script><style>h1 { color: teal }</style></head>
<body onload="document.title = 'owned'"><h1>Quarterly report</h1>
<p>See the <a href="https://example.com/report">report</a>.</p>
<img src="cid:logo@example.org" width="20"><img src="https://track.example/pixel.gif">
<iframe src="https://evil.example/"></iframe><form action="https://evil.example/"><button>Go</button></form></body></html>`;
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.skipIf(!executablePath)("mail in the console", () => {
  let service: RunningService;
  let browser: Browser;
  let sent = 0;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), launchChromium()]);
    await fetch(`${service.origin}/api/auth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...GRACE, name: "Grace Hopper" }),
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function open(path = "/app/mail/inbox"): Promise<Opened> {
    const opened = await openConsole(browser, service.origin);
    await signIn(opened.page, service.origin, path, GRACE);
    return opened;
  }

  async function deliver(subject: string, body: string, type = "text/plain; charset=utf-8"): Promise<void> {
    sent += 1;
    const raw = [
      "From: Rita Report <rita@example.org>",
      "To: grace@example.com",
      `Subject: ${subject}`,
      `Message-ID: <m${sent}.${Date.now()}@example.org>`,
      "MIME-Version: 1.0",
      `Content-Type: ${type}`,
      "",
      body,
    ].join("\r\n");
    const address = `${service.origin}/cdn-cgi/handler/email?from=rita@example.org&to=grace@example.com`;
    expect((await fetch(address, { method: "POST", body: raw })).status).toBe(200);
  }

  interface Found {
    data: { subject: string; status: string; direction: string; body: string }[];
  }

  /** The service is open, as `npm run dev` makes it: no credential is needed. */
  async function find(path: string): Promise<Found["data"]> {
    const answer: unknown = await (await fetch(`${service.origin}${path}`)).json();
    return (answer as Found).data;
  }

  const eventually = (ask: () => Promise<unknown>) => expect.poll(ask, { timeout: 15_000 });
  const row = (page: Page, subject: string) => page.getByRole("link", { name: new RegExp(subject) });

  it("shows an email when it arrives, makes tasks of it, answers it, and brings it back from the archive", async () => {
    const { context, page, trouble } = await open();
    await page.getByText("Your inbox is empty").waitFor();
    await deliver("Figures for the board", "Hi Grace,\n\nplease send me the budget figures by Friday.\n\nRita");
    await row(page, "Figures for the board").waitFor();
    expect(await row(page, "Figures for the board").textContent()).toContain("Unread");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const analysis = page.getByRole("region", { name: "Analysis" });
    await analysis.getByText("the built-in engine").waitFor();
    await page.locator("mark").filter({ hasText: "budget figures" }).waitFor();
    await expect.poll(() => row(page, "Figures for the board").textContent()).not.toContain("Unread");
    await analysis.getByRole("button", { name: "Create tasks" }).click();
    // Emails that arrive make their tasks by themselves.
    await page.getByRole("status").filter({ hasText: "These tasks exist already" }).waitFor();

    await page.keyboard.press("r");
    const dialog = page.getByRole("dialog", { name: "Reply" });
    await expect.poll(() => dialog.getByLabel("To").inputValue()).toContain("rita@example.org");
    expect(await dialog.getByLabel("Subject").inputValue()).toBe("Re: Figures for the board");
    await dialog.getByLabel("Message").fill("They are on their way.");
    await dialog.getByText("Saved as a draft").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.getByRole("dialog", { name: "Draft" }).waitFor();
    expect(await page.getByLabel("Message").inputValue()).toBe("They are on their way.");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await eventually(async () => (await find("/api/emails?direction=outbound&status=any")).length).toBe(1);

    await page.keyboard.press("e");
    await page.getByRole("status").filter({ hasText: "Archived" }).waitFor();
    await eventually(async () => (await find("/api/emails?status=archived&direction=inbound")).length).toBe(1);
    await page.keyboard.press("z");
    await row(page, "Figures for the board").first().waitFor();
    await eventually(async () => (await find("/api/emails?status=archived&direction=inbound")).length).toBe(0);
    expect(trouble).toEqual([]);
    await context.close();
  });

  it("shows hostile HTML in a sandbox: nothing runs, nothing is loaded from elsewhere until asked", async () => {
    const type = "multipart/related; boundary=b";
    const parts = [
      `--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${HOSTILE}`,
      `--b\r\nContent-Type: image/png\r\nContent-ID: <logo@example.org>\r\nContent-Transfer-Encoding: base64\r\n\r\n${PIXEL}`,
      "--b--",
    ];
    await deliver("Hostile report", parts.join("\r\n"), type);
    const { context, page, trouble } = await open();
    await row(page, "Hostile report").click();
    const frame = page.frameLocator('iframe[title="Message body"]');
    await frame.getByRole("heading", { name: "Quarterly report" }).waitFor();
    const widths = () =>
      frame.locator("img").evaluateAll((all) => all.map((each) => "naturalWidth" in each && each.naturalWidth));
    await expect.poll(widths).toEqual([1, 0]);
    expect(await frame.locator("script, iframe, form").count()).toBe(0);
    expect(await frame.getByRole("link", { name: "report" }).getAttribute("rel")).toContain("noopener");
    await page.getByText("1 remote image was not loaded").waitFor();
    expect(await page.title()).toBe("Inbox – Personal Operations Assistant");
    expect(trouble).toEqual([]);
    await page.getByRole("button", { name: "Show images" }).click();
    await expect.poll(() => trouble).toEqual(["left the origin: https://track.example/pixel.gif"]);
    await context.close();
  });

  it("changes many at once, at once, and takes it back when the service refuses", async () => {
    for (const name of ["First of three", "Second of three", "Third of three"]) await deliver(name, "Hello.");
    const { context, page } = await open("/app/mail/inbox?q=three");
    await row(page, "Third of three").waitFor();
    for (const box of await page.getByRole("checkbox", { name: /of three/ }).all()) await box.check();
    await page.getByText("3 selected").waitFor();
    // The service takes two seconds; the rows must not.
    await page.route("**/api/emails", async (route) => {
      if (route.request().method() === "PATCH") await new Promise((resolve) => setTimeout(resolve, 2000));
      await route.continue();
    });
    const started = Date.now();
    await page.keyboard.press("#");
    await expect.poll(() => row(page, "of three").count(), { interval: 20 }).toBe(0);
    expect(Date.now() - started).toBeLessThan(1900);
    await page.getByRole("status").filter({ hasText: "3 moved to trash" }).waitFor();
    await eventually(async () => (await find("/api/emails?status=trash")).length).toBe(3);
    await page.keyboard.press("z");
    await expect.poll(() => row(page, "of three").count()).toBe(3);
    await eventually(async () => (await find("/api/emails?status=trash")).length).toBe(0);

    await page.unroute("**/api/emails");
    await page.route("**/api/emails", (route) =>
      route.request().method() === "PATCH" ? route.fulfill({ status: 503, body: "{}" }) : route.continue(),
    );
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await page.getByRole("alert").filter({ hasText: "The email was not changed." }).waitFor();
    expect(await row(page, "of three").count()).toBe(3);
    await context.close();
  });
});
