import { createHash, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { type RunningService, startService } from "./service.ts";

/* Connecting an agent as a person does: in a window that the agent has opened, until it has its tokens. */

const PASSWORD = "correct horse battery staple";

describe.skipIf(!executablePath)("connecting an agent", () => {
  let service: RunningService;
  let browser: Browser;
  let agent: Server;
  let address: string;
  /** What the agent was called back with. */
  const calls: URL[] = [];

  beforeAll(async () => {
    // The agent: a page that opens the window, and the address it is called back at.
    agent = createServer((request, response) => {
      const url = new URL(request.url ?? "/", address);
      const isCallback = url.pathname === "/callback";
      if (isCallback) calls.push(url);
      const script = isCallback ? "window.opener && window.opener.postMessage('connected', '*')" : "";
      response.setHeader("content-type", "text/html");
      response.end(
        `<!doctype html><title>Agent</title><p>${isCallback ? "Connected" : "Agent"}</p><script>${script}</script>`,
      );
    });
    await new Promise<void>((resolve) => agent.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(agent.address() as AddressInfo).port}`;
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
    agent?.close();
  });

  async function post(path: string, body: object | URLSearchParams) {
    const isForm = body instanceof URLSearchParams;
    const headers = { "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json" };
    const response = await fetch(`${service.origin}${path}`, {
      method: "POST",
      headers,
      body: isForm ? body : JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    return { status: response.status, body: answer as Record<string, string> };
  }

  it("leads from Allow to a loopback callback, and keeps the opener", async () => {
    const email = "agent-owner@example.com";
    await post("/api/auth/register", { email, password: PASSWORD, name: "Ada" });
    const redirect_uri = `${address}/callback`;
    const { body: client } = await post("/oauth/register", { client_name: "Desk", redirect_uris: [redirect_uri] });
    const verifier = randomBytes(32).toString("base64url");
    const query = new URLSearchParams({
      client_id: client.client_id ?? "",
      redirect_uri,
      response_type: "code",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      state: "xyz",
    });
    const opener = await browser.newPage();
    const blocked: string[] = [];
    await opener.goto(address);
    await opener.evaluate('addEventListener("message", ({ data }) => { document.title = String(data); })');
    const opening = opener.waitForEvent("popup");
    await opener.evaluate(`void open(${JSON.stringify(`${service.origin}/oauth/authorize?${query}`)})`);
    const page = await opening;
    page.on("console", (message) => {
      if (/Content Security Policy/.test(message.text())) blocked.push(message.text());
    });
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Connect Desk?" }).waitFor();
    await page.getByLabel("Sort your emails and draft replies").uncheck();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("Connected").waitFor();
    expect(blocked).toEqual([]);
    const [call] = calls;
    expect(call?.searchParams.get("state")).toBe("xyz");
    expect(call?.searchParams.get("iss")).toBe(service.origin);
    await expect.poll(() => opener.title()).toBe("connected");

    const tokens = await post(
      "/oauth/token",
      new URLSearchParams({
        grant_type: "authorization_code",
        client_id: client.client_id ?? "",
        redirect_uri,
        code: call?.searchParams.get("code") ?? "",
        code_verifier: verifier,
      }),
    );
    expect(tokens.status).toBe(200);
    expect(tokens.body.scope).toBe("emails:read tasks:read tasks:write calendar:read calendar:write");
  });
});
