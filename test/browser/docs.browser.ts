import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium, toggleGroup } from "./chromium.ts";
import { type RunningService, startService } from "./service.ts";

interface Document {
  paths: Record<string, Record<string, { tags: [string] }>>;
}

function operationsByTag({ paths }: Document): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { tags } of Object.values(paths).flatMap((item) => Object.values(item))) {
    counts[tags[0]] = (counts[tags[0]] ?? 0) + 1;
  }
  return counts;
}

describe.skipIf(!executablePath)("/docs in Chromium", () => {
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), sharedChromium()]);
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  /** The page with Swagger UI drawn, and a list that grows with all that goes wrong in it. */
  async function openDocs(): Promise<{ page: Page; trouble: string[] }> {
    const trouble: string[] = [];
    const page = await browser.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") trouble.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => trouble.push(`exception: ${error.message}`));
    page.on("requestfailed", (request) => trouble.push(`failed: ${request.url()}`));
    page.on("response", (response) => {
      if (response.status() >= 400) trouble.push(`${response.status()}: ${response.url()}`);
    });
    page.on("request", (request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== service.origin && protocol !== "data:") trouble.push(`left the origin: ${request.url()}`);
    });
    await page.addInitScript(`document.addEventListener("securitypolicyviolation", (event) =>
      console.error("policy: " + event.violatedDirective + " " + event.blockedURI));`);
    await page.goto(`${service.origin}/docs`);
    await page.locator(".opblock-tag").first().waitFor();
    return { page, trouble };
  }

  it("shows every operation, without an error, a policy violation or a request to anyone else", async () => {
    const { page, trouble } = await openDocs();
    const document: Document = await (await fetch(`${service.origin}/api-docs`)).json();
    for (const [tag, count] of Object.entries(operationsByTag(document))) {
      await toggleGroup(page, tag);
      await expect.poll(() => page.locator(".opblock").count(), { message: tag }).toBe(count);
      await toggleGroup(page, tag);
      await expect.poll(() => page.locator(".opblock").count(), { message: tag }).toBe(0);
    }
    expect(await page.title()).toBe("Personal Operations Assistant Service");
    await page.waitForLoadState("networkidle");
    expect(trouble).toEqual([]);
    await page.close();
  });

  it("executes GET /api/health from the page and shows its answer", async () => {
    const { page, trouble } = await openDocs();
    await toggleGroup(page, "Operations");
    const operation = page.locator("[id$='-getHealth']");
    await operation.locator(".opblock-summary-control").click();
    await operation.getByRole("button", { name: "Execute" }).click();
    const answer = operation.locator(".live-responses-table");
    await answer.waitFor();
    expect(await answer.locator("tbody .response-col_status").first().innerText()).toMatch(/^200/);
    expect(await answer.innerText()).toContain('"status": "ok"');
    expect(trouble).toEqual([]);
    await page.close();
  });

  it("would notice a script or a call that its policy forbids", async () => {
    const { page, trouble } = await openDocs();
    await page.evaluate(
      "document.body.append(Object.assign(document.createElement('script'), { text: 'window.ran = 1' }))",
    );
    await page.evaluate("fetch('http://127.0.0.1:9/').catch(() => {})");
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(trouble.join("\n")).toMatch(/policy: script-src/);
    expect(trouble.join("\n")).toMatch(/policy: connect-src/);
    await page.close();
  });
});
