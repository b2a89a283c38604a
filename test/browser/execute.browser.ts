import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startSeededService } from "../tooling/running-service.ts";
import { executablePath, launchChromium } from "./chromium.ts";

/*
 * Presses Execute on every operation of /docs, with the values that the page fills in, as a person does who looks
 * around: on the data of `npm run seed`, and signed in as its owner.
 */

/** What cannot succeed this way, and why. */
const EXCEPTIONS: Record<string, string> = {};

/** Those that create come first and those that delete last, so that there is something to read and change. */
const ORDER = ["post", "get", "put", "patch", "delete"];

interface Operation {
  operationId: string;
  tags: [string];
}

describe.skipIf(!executablePath)("Execute in /docs", () => {
  let service: RunningService;
  let browser: Browser;
  let page: Page;
  let operations: { method: string; path: string; operation: Operation }[];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startSeededService(), launchChromium()]);
    const document = await (await fetch(`${service.origin}/api-docs`)).json();
    operations = Object.entries<Record<string, Operation>>(document.paths)
      .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ method, path, operation })))
      .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${service.origin}/docs`);
    for (const tag of await page.locator(".opblock-tag").all()) await tag.click();
    await authorize();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function authorize(): Promise<void> {
    const credentials = { email: "ada@example.com", password: "correct horse battery staple" };
    const response = await fetch(`${service.origin}/api/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(credentials),
    });
    const { token } = await response.json();
    await page.getByRole("button", { name: "Authorize" }).first().click();
    const scheme = page.locator(".auth-container").first();
    await scheme.getByRole("textbox").fill(token);
    await scheme.getByRole("button", { name: "Apply credentials" }).click();
    await page.getByRole("button", { name: "Close" }).last().click();
  }

  /** The status and body that the page shows. */
  async function execute({ operationId, tags: [tag] }: Operation): Promise<{ status: number; text: string }> {
    const block = page.locator(`[id='operations-${tag.replaceAll(" ", "_")}-${operationId}']`);
    await block.locator(".opblock-summary-control").click();
    await block.getByRole("button", { name: "Execute" }).click();
    const shown = block.locator(".live-responses-table tbody");
    await shown.first().waitFor({ timeout: 15_000 });
    const status = Number.parseInt(await shown.locator(".response-col_status").first().innerText(), 10);
    const text = (await shown.first().innerText()).slice(0, 400);
    await block.locator(".opblock-summary-control").click();
    return { status, text };
  }

  it("succeeds with the prefilled values", { timeout: 600_000 }, async () => {
    const failed: string[] = [];
    for (const { method, path, operation } of operations) {
      if (EXCEPTIONS[operation.operationId]) continue;
      const { status, text } = await execute(operation).catch((error) => ({ status: 0, text: String(error) }));
      if (!(status >= 200 && status < 400)) {
        failed.push(`${method.toUpperCase()} ${path} (${operation.operationId}) → ${status}: ${text}`);
      }
    }
    expect(failed).toEqual([]);
  });

  it("has no exception for an operation that does not exist", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(Object.keys(EXCEPTIONS).filter((id) => !ids.includes(id))).toEqual([]);
  });
});
