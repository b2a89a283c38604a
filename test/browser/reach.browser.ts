import { createServer, type Server } from "node:net";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contactingEmails } from "../emails/contacts.ts";
import { executablePath, patient } from "./chromium.ts";
import { callApi, eventually, GRACE, openTab, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* What an email can reach when it is opened. No policy governs connections that a browser opens in advance. */

/** A server that counts connections, and knows no protocol: one that only connects is counted, too. */
class Listener {
  readonly #server: Server = createServer((socket) => {
    this.connections += 1;
    socket.on("error", () => undefined);
    socket.once("data", (data) => {
      this.requests.push(data.toString("latin1").split("\r\n")[0] ?? "");
      socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    });
  });
  connections = 0;
  readonly requests: string[] = [];

  async start(): Promise<string> {
    await new Promise<void>((done) => void this.#server.listen(0, "127.0.0.1", done));
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  stop(): void {
    this.#server.close();
  }
}

describe.skipIf(!executablePath)("an email that is opened", () => {
  let service: RunningService;
  let context: BrowserContext;
  let page: Page;
  const listeners: Listener[] = [];

  beforeAll(async () => {
    // A browser connects in advance only in a profile that stays, and without this argument of Playwright's.
    const launched = chromium.launchPersistentContext("", {
      executablePath,
      args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
      ignoreDefaultArgs: ["--disable-background-networking"],
    });
    [service, context] = await Promise.all([startService(), launched.then(patient)]);
    await callApi(service.origin, "POST", "/api/auth/register", { ...GRACE, name: "Grace Hopper" });
    ({ page } = await openTab(context, service.origin));
    await signIn(page, service.origin, "/app/mail/inbox", GRACE);
  });
  afterAll(async () => {
    for (const listener of listeners) listener.stop();
    await context?.close();
    await service?.stop();
  });

  async function listen(): Promise<{ listener: Listener; at: string }> {
    const listener = new Listener();
    listeners.push(listener);
    return { listener, at: await listener.start() };
  }

  async function store(html: string): Promise<number> {
    const { id } = await callApi<{ id: number }>(service.origin, "POST", "/api/emails", {
      from: "eve@example.com",
      to: "grace@example.com",
      subject: "Contact",
      html: `<h1>Contact</h1>${html}`,
    });
    return id;
  }

  /** The browser connects in advance, as a person's does, and what it was asked for before has been done then. */
  async function connectsInAdvance(): Promise<void> {
    const { listener, at } = await listen();
    const plain = await context.newPage();
    await plain.route(`${service.origin}/plain`, (route) =>
      route.fulfill({ contentType: "text/html", body: `<link rel="preconnect" href="${at}/"><h1>Plain page</h1>` }),
    );
    await plain.goto(`${service.origin}/plain`);
    await eventually(() => listener.connections).toBeGreaterThan(0);
    await plain.close();
  }

  it("contacts nobody, whatever it is made of", async () => {
    const { listener, at } = await listen();
    const emails = contactingEmails(at);
    // Nothing is shown meanwhile: Mail would read its list anew with each of them.
    await page.goto("about:blank");
    const ids = await Promise.all(emails.slice(1).map(store));
    // The first has all of them, and is opened as a person opens it; the others in a frame like the console's.
    await page.goto(`${service.origin}/app/mail/inbox/${await store(emails[0] ?? "")}`);
    await page.frameLocator('iframe[title="Message body"]').getByRole("heading", { name: "Contact" }).waitFor();
    for (let start = 0; start < ids.length; start += 25) {
      const some = ids.slice(start, start + 25);
      await page.evaluate(`Promise.all(${JSON.stringify(some)}.map((id) => new Promise((done) => {
        const frame = document.createElement("iframe");
        frame.sandbox = "allow-popups allow-popups-to-escape-sandbox";
        frame.src = "/api/emails/" + id + "/frame";
        frame.onload = done;
        document.body.append(frame);
      })))`);
    }
    await connectsInAdvance();
    expect(listener.requests).toEqual([]);
    expect(listener.connections).toBe(0);
  });

  it("warns of every sender whom the service takes for forged, also without DMARC", async () => {
    const raw = [
      "Authentication-Results: mx.cloudflare.net; dmarc=none; spf=fail smtp.mailfrom=x@example.org; dkim=fail header.d=example.org",
      "From: CEO <ceo@example.org>",
      "To: grace@example.com",
      "Subject: Wire this today",
      "Message-ID: <forged@example.org>",
      "",
      "Please wire it.",
    ].join("\r\n");
    const address = `${service.origin}/cdn-cgi/local/email?from=x@example.org&to=grace@example.com`;
    expect((await fetch(address, { method: "POST", body: raw })).status).toBe(200);
    const { data } = await callApi<{ data: { id: number }[] }>(service.origin, "GET", "/api/emails?status=spam&q=wire");
    expect(data).toHaveLength(1);
    await page.goto(`${service.origin}/app/mail/spam/${data[0]?.id}`);
    await page.getByRole("note").filter({ hasText: "The sender could not be verified" }).waitFor();
  });

  it("loads the sender's pictures once they are asked for, and nothing else", async () => {
    const { listener, at } = await listen();
    const others = contactingEmails(at)[0] ?? "";
    const pictures = `<img src="${at}/shown.png"><table background="${at}/table.png"><tr><td>x</td></tr></table>`;
    const id = await store(`${pictures}<div style="background: url(${at}/style.png)">x</div>${others}`);
    await page.goto(`${service.origin}/app/mail/inbox/${id}`);
    await page.frameLocator('iframe[title="Message body"]').getByRole("heading", { name: "Contact" }).waitFor();
    expect(listener.connections).toBe(0);
    await page.getByRole("button", { name: "Show images" }).click();
    const paths = () => listener.requests.map((line) => /^GET (\S+) /.exec(line)?.[1] ?? line);
    await eventually(() =>
      ["/shown.png", "/table.png", "/style.png"].filter((path) => !paths().includes(path)),
    ).toEqual([]);
    const allowed = await loadsAsPicture(at, others);
    expect(paths().filter((path) => !allowed.has(path))).toEqual([]);
  });

  /** The addresses that stand where a picture of the text, of a table or of a style does. */
  async function loadsAsPicture(at: string, html: string): Promise<Set<string>> {
    const id = await store(html);
    const document = await (await fetch(`${service.origin}/api/emails/${id}/frame?images=all`)).text();
    const found = document.matchAll(
      /<img[^>]* src="([^"]+)"| background="([^"]+)"|url\((?:&quot;|")(.+?)(?:&quot;|")\)/g,
    );
    const paths = [...found].map(([, img, background, style]) =>
      (img ?? background ?? style ?? "").replace(/^(?:http:)?\/\/[^/]+/, ""),
    );
    return new Set([...paths, "/shown.png", "/table.png", "/style.png"].map((path) => path.replace(at, "")));
  }
});
