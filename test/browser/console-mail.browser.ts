import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, eventually, GRACE, hold, type Opened, openConsole, openTab, signIn } from "./console.ts";
import { peopleIn } from "./kept.ts";
import { type RunningService, startService } from "./service.ts";

/* Mail in use: an email arrives, is read, turned into tasks, answered, archived and brought back; hostile HTML. */

const HOSTILE = `<html><head><script>document.title = "owned"</script><style>h1 { color: teal }</style></head>
<body onload="document.title = 'owned'"><h1>Quarterly report</h1>
<p>See the <a href="https://example.com/report">report</a>.</p>
<img src="cid:logo@example.org" width="20"><img src="https://track.example/pixel.gif">
<iframe src="https://evil.example/"></iframe><form action="https://evil.example/"><button>Go</button></form></body></html>`;
/** What only the policy of the frame stops. */
const NASTY = `<h1>Prize</h1><svg width="20"><a xlink:href="https://evil.example/"><text y="9">x</text></a><image href="https://evil.example/i.png" /></svg>
<div style="position: fixed; inset: 0; background: red url(https://evil.example/c.png)">over everything</div>
<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">
<a href="javascript:document.title='owned'">win</a><style>@import "https://evil.example/a.css"; body { background: url("https://evil.example/b.png") }</style>`;
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe.skipIf(!executablePath)("mail in the console", () => {
  let service: RunningService;
  let browser: Browser;
  let sent = 0;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
    await fetch(`${service.origin}/api/auth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...GRACE, name: "Grace Hopper" }),
    });
  });
  afterAll(async () => {
    await closeContexts();
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
    const address = `${service.origin}/cdn-cgi/local/email?from=rita@example.org&to=grace@example.com`;
    expect((await fetch(address, { method: "POST", body: raw })).status).toBe(200);
  }

  interface Found {
    data: {
      id: number;
      subject: string;
      body: string;
      delivery: string | null;
      attachments: { name: string; type: string }[];
    }[];
  }

  /** The service is open, as `npm run dev` makes it: no credential is needed. */
  async function find(path: string): Promise<Found["data"]> {
    const answer: unknown = await (await fetch(`${service.origin}${path}`)).json();
    return (answer as Found).data;
  }

  const row = (page: Page, subject: string) => page.getByRole("link", { name: new RegExp(subject) });

  it("shows an email when it arrives, makes tasks of it, answers it, and brings it back from the archive", async () => {
    const { page, trouble } = await open();
    await page.getByText("Your inbox is empty").waitFor();
    await deliver("Figures for the board", "Hi Grace,\n\nplease send me the budget figures by Friday.\n\nRita");
    await row(page, "Figures for the board").waitFor();
    expect(await row(page, "Figures for the board").textContent()).toContain("Unread");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const analysis = page.getByRole("region", { name: "Analysis" });
    // One line, which unfolds.
    await analysis.getByText("1 action item").click();
    await analysis.getByText("the built-in engine").waitFor();
    await page.locator("mark").filter({ hasText: "budget figures" }).waitFor();
    await expect.poll(() => row(page, "Figures for the board").textContent()).not.toContain("Unread");
    await analysis.getByRole("button", { name: "Create tasks" }).click();
    // Emails that arrive make their tasks by themselves.
    await page.getByRole("status").filter({ hasText: "These tasks exist already" }).waitFor();

    await page.keyboard.press("r");
    const dialog = page.getByRole("dialog", { name: "Reply" });
    await expect.poll(() => peopleIn(dialog.getByLabel("To"))).toContain("rita@example.org");
    await eventually(() => dialog.getByLabel("Subject").inputValue()).toBe("Re: Figures for the board");
    await dialog.getByLabel("Message").fill("They are on their way.");
    await dialog.getByText("Saved as a draft").waitFor();
    await page.keyboard.press("Control+Enter");
    // The service has it and holds it back: closing the page here would change nothing.
    const outbound = () => find("/api/emails?direction=outbound&status=any");
    await eventually(async () => (await outbound())[0]?.delivery).toBe("scheduled");
    await page.getByRole("button", { name: "Undo" }).last().click();
    await page.getByRole("dialog", { name: "Draft" }).waitFor();
    await eventually(() => page.getByLabel("Message").textContent()).toBe("They are on their way.");
    expect(await outbound()).toEqual([]);
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await eventually(async () => (await outbound()).length).toBe(1);
    await page.goto("about:blank");
    await eventually(async () => (await outbound())[0]?.delivery).toBe("sent");
    await page.goto(`${service.origin}/app/mail/inbox`);
    await row(page, "Figures for the board").first().click();
    await page.getByRole("region", { name: "Analysis" }).waitFor();

    await page.keyboard.press("e");
    await page.getByRole("status").filter({ hasText: "Archived" }).waitFor();
    await eventually(async () => (await find("/api/emails?status=archived&direction=inbound")).length).toBe(1);
    await page.keyboard.press("z");
    await row(page, "Figures for the board").first().waitFor();
    await eventually(async () => (await find("/api/emails?status=archived&direction=inbound")).length).toBe(0);
    expect(trouble).toEqual([]);
  });

  it("shows hostile HTML in a sandbox: nothing runs, nothing is loaded from elsewhere until asked", async () => {
    const type = "multipart/related; boundary=b";
    const parts = [
      `--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${HOSTILE}`,
      `--b\r\nContent-Type: image/png\r\nContent-ID: <logo@example.org>\r\nContent-Transfer-Encoding: base64\r\n\r\n${PIXEL}`,
      "--b--",
    ];
    await deliver("Hostile report", parts.join("\r\n"), type);
    const { page, trouble } = await open();
    await row(page, "Hostile report").click();
    const frame = page.frameLocator('iframe[title="Message body"]');
    await frame.getByRole("heading", { name: "Quarterly report" }).waitFor();
    const widths = () =>
      frame.locator("img").evaluateAll((all) => all.map((each) => "naturalWidth" in each && each.naturalWidth));
    await expect.poll(widths).toEqual([1, 0]);
    expect(await frame.locator("script, iframe, form").count()).toBe(0);
    await eventually(() => frame.getByRole("link", { name: "report" }).getAttribute("rel")).toContain("noopener");
    await page.getByText("1 remote image was not loaded").waitFor();
    await eventually(() => page.title()).toBe("Inbox – Personal Operations Assistant");
    expect(trouble).toEqual([]);
    await page.getByRole("button", { name: "Show images" }).click();
    await expect.poll(() => trouble).toEqual(["left the origin: https://track.example/pixel.gif"]);

    await deliver("Nasty prize", NASTY, "text/html; charset=utf-8");
    const answered: string[] = [];
    page.on("response", (response) => void answered.push(new URL(response.url()).host));
    await row(page, "Nasty prize").click();
    await frame.getByRole("heading", { name: "Prize" }).waitFor();
    await page.getByText("2 remote images were not loaded").waitFor();
    expect(await frame.locator("base, meta[http-equiv], image[href]").count()).toBe(0);
    await eventually(() => frame.getByText("win").getAttribute("href")).toBe(null);
    // What covers the frame covers nothing else: the page still works around it.
    await page.getByRole("button", { name: "Show plain text" }).click();
    await page.getByRole("button", { name: "Show formatting" }).click();
    await frame.getByRole("heading", { name: "Prize" }).waitFor();
    await eventually(() => page.title()).toBe("Inbox – Personal Operations Assistant");
    expect(answered).not.toContain("evil.example");
  });

  it("shows a sign-in code large with Copy in the list and the email, and folds it away when it has expired", async () => {
    const mail = { from: "Bank <noreply@bank.example>", subject: "Your sign-in code" };
    const store = (body: string, receivedAt?: string) =>
      callApi<{ id: number }>(service.origin, "POST", "/api/emails", {
        ...mail,
        body,
        ...(receivedAt && { receivedAt }),
      });
    const old = await store("Your sign-in code is 111222. It expires in 5 minutes.", "2026-01-05T10:00:00Z");
    const { id } = await store("Your sign-in code is 739201. It expires in 30 minutes.");
    const { page, trouble } = await open();
    const row = page.locator(`[data-id="${id}"]`);
    await row.getByText("739201", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Copy code" }).waitFor();
    await page.locator(`[data-id="${old.id}"]`).getByText("Expired code").waitFor();
    await page.goto(`${service.origin}/app/mail/inbox/${id}`);
    const shown = page.getByRole("region", { name: "Sign-in code" });
    await shown.getByText("739201", { exact: true }).waitFor();
    expect(await page.getByRole("region", { name: "Analysis" }).count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.goto(`${service.origin}/app/mail/inbox/${old.id}`);
    const message = page.locator("article.message");
    await message.getByText("Expired code").waitFor();
    expect(await message.getByText("111222").isVisible()).toBe(false);
    await message.getByText("Expired code").click();
    await message.getByText(/111222/).waitFor();
    expect(trouble).toEqual([]);
  });

  it("changes many at once, at once, and takes it back when the service refuses", async () => {
    for (const name of ["First of three", "Second of three", "Third of three"]) await deliver(name, "Hello.");
    const { page } = await open("/app/mail/inbox?q=three");
    await row(page, "Third of three").waitFor();
    for (const box of await page.getByRole("checkbox", { name: /of three/ }).all()) await box.check();
    await page.getByText("3 selected").waitFor();
    // The rows do not wait for the service.
    const { release } = await hold(page, "**/api/emails", "PATCH");
    await page.keyboard.press("#");
    await eventually(() => row(page, "of three").count()).toBe(0);
    release();
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
  });

  /** What a browser makes of files that are dropped or pasted into the text. */
  const give = (page: Page, kind: "drop" | "paste", name: string) =>
    page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(["x"], "${name}", { type: "image/png" }));
      const options = { bubbles: true, cancelable: true };
      const event = "${kind}" === "drop"
        ? new DragEvent("drop", { ...options, dataTransfer: data })
        : new ClipboardEvent("paste", { ...options, clipboardData: data });
      document.querySelector("form.compose [data-name=body]").dispatchEvent(event);
    })()`);

  it("keeps a draft as it is written, in two windows, with files that are chosen, dropped and pasted", async () => {
    const { context, page, trouble } = await open("/app/mail/drafts");
    const drafts = () => find("/api/emails/drafts");
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New email" });
    await dialog.getByLabel("Subject").fill("Two windows");
    await eventually(async () => (await drafts()).map(({ subject }) => subject)).toEqual(["Two windows"]);
    // All at the same time: none of them takes the place of another.
    await Promise.all([
      dialog
        .locator("input[type=file]")
        .setInputFiles({ name: "chosen.txt", mimeType: "text/plain", buffer: Buffer.from("chosen") }),
      give(page, "drop", "dropped.png"),
      give(page, "paste", "pasted.png"),
    ]);
    const names = async () => (await drafts())[0]?.attachments.map(({ name }) => name).sort();
    await eventually(names).toEqual(["chosen.txt", "dropped.png", "pasted.png"]);
    await dialog.getByRole("button", { name: "Remove dropped.png" }).click();
    await eventually(names).toEqual(["chosen.txt", "pasted.png"]);

    // The other window shows what is written here, and nothing that either has written is lost.
    const { page: other } = await openTab(context, service.origin);
    await other.goto(`${service.origin}/app/mail/drafts`);
    await other.getByRole("button", { name: /Two windows/ }).click();
    const there = other.getByRole("dialog", { name: "Draft" });
    await dialog.getByLabel("Message").fill("Written here.");
    await eventually(() => there.getByLabel("Message").textContent()).toBe("Written here.");
    let isChanged = false;
    await other.route("**/api/emails/drafts/*", async (route) => {
      if (route.request().method() === "PATCH" && !isChanged) {
        isChanged = true;
        await dialog.getByLabel("Message").fill("Written here, too.");
        await eventually(async () => (await drafts())[0]?.body).toBe("Written here, too.");
      }
      await route.continue();
    });
    await there.getByLabel("Message").fill("Written there.");
    const conflict = there.getByRole("alert").filter({ hasText: "changed in another window" });
    await conflict.getByText("Written here, too.").waitFor();
    await eventually(() => there.getByLabel("Message").textContent()).toBe("Written there.");
    await conflict.getByRole("button", { name: "Keep mine" }).click();
    await eventually(() => dialog.getByLabel("Message").textContent()).toBe("Written there.");

    // A window that is closed while one types loses nothing.
    // It is sent as soon as the window is hidden, and arrives although the window is gone.
    const sent = page.waitForRequest(
      (request) => request.method() === "PATCH" && (request.postData() ?? "").includes("The last words."),
    );
    await dialog.getByLabel("Message").fill("The last words.");
    await page.evaluate(`Object.defineProperty(document, "visibilityState", { value: "hidden" });
      document.dispatchEvent(new Event("visibilitychange"))`);
    await sent;
    await page.close();
    await eventually(async () => (await drafts())[0]?.body).toBe("The last words.");
    await eventually(() => there.getByLabel("Message").textContent()).toBe("The last words.");

    // What is missing is said at its field; what cannot be taken back is asked about first.
    await there.getByRole("button", { name: "Send", exact: true }).click();
    await there.getByText("Enter at least one address.").waitFor();
    await eventually(() => other.evaluate("document.activeElement.name")).toBe("to");
    await there.getByRole("button", { name: "Discard" }).click();
    const question = other.getByRole("dialog", { name: "Discard this draft?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    expect((await drafts()).length).toBe(1);
    await there.getByRole("button", { name: "Discard" }).click();
    await question.getByRole("button", { name: "Discard" }).click();
    await eventually(drafts).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("asks before it deletes emails for good, and shows notices over an open dialog", async () => {
    for (const name of ["First to go", "Second to go"]) await deliver(name, "Hello.");
    const { page } = await open("/app/mail/inbox?q=go");
    await row(page, "Second to go").waitFor();
    for (const box of await page.getByRole("checkbox", { name: /to go/ }).all()) await box.check();
    await page.keyboard.press("#");
    await page.getByRole("status").filter({ hasText: "2 moved to trash" }).waitFor();
    // A dialog that is open keeps the notice in reach.
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByRole("button", { name: "Undo" }).click();
    await page.keyboard.press("Escape");
    await row(page, "Second to go").waitFor();
    for (const box of await page.getByRole("checkbox", { name: /to go/ }).all()) await box.check();
    await page.keyboard.press("#");
    await eventually(async () => (await find("/api/emails?status=trash&q=go")).length).toBe(2);
    await page.goto(`${service.origin}/app/mail/trash`);
    await row(page, "Second to go").waitFor();
    for (const box of await page.getByRole("checkbox", { name: /to go/ }).all()) await box.check();
    await page.keyboard.press("#");
    const question = page.getByRole("dialog", { name: "Delete 2 emails for good?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("2 selected").waitFor();
    await page.keyboard.press("#");
    await question.getByRole("button", { name: "Delete for good" }).click();
    await page.getByRole("status").filter({ hasText: "2 deleted for good" }).waitFor();
    await eventually(async () => (await find("/api/emails?status=trash&q=go")).length).toBe(0);
  });
});
