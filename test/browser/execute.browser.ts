import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startSeededService } from "../tooling/running-service.ts";
import { executablePath, launchChromium, toggleGroup } from "./chromium.ts";
import { ADA, callApi } from "./console.ts";

/*
 * Presses Execute on every operation of /docs, with the values that the page fills in, as a person does who looks
 * around: on the data of `npm run seed`, and signed in as its owner.
 */

/** Why some operations cannot succeed this way. */
const EXCEPTIONS: Record<string, readonly string[]> = {
  "needs a bulk change, or a task that repeats": ["undoTaskChange", "skipTask"],
  "needs a token or code that the service sends or shows once": [
    "completeLogin",
    "refreshToken",
    "resetPassword",
    "confirmEmail",
    "enableTwoFactor",
    "getCalendarFeed",
  ],
  "would end this session or delete this account": [
    "logout",
    "changePassword",
    "endOtherSessions",
    "endSession",
    "deleteAccount",
  ],
  "needs a provider that answers": [
    "syncBookings",
    "listEventTypes",
    "startCheckout",
    "openBillingPortal",
    "purchaseTokens",
    "getInvoice",
    "retryWebhookDelivery",
    "unsubscribeFromList",
  ],
  "needs a body that its provider has signed": ["receiveBookingWebhook", "receiveBillingWebhook"],
  "needs a record with a random id, which only an earlier response names": [
    "applyProposal",
    "undoChatAction",
    "dismissProposal",
    "readConversation",
    "deleteConversation",
    "getExport",
    "downloadExport",
    "deleteExport",
    "getImport",
    "deleteImport",
    "getUpload",
    "deleteUpload",
    "getEmailImport",
    "deleteEmailImport",
    "getCalendarImport",
    "deleteCalendarImport",
  ],
  "needs a file of a certain kind as its body": ["uploadPart", "uploadAttachment", "importEmails", "importCalendar"],
  "needs a reminder that has fired, or a device": ["getReminder", "snoozeReminder", "dismissReminder", "deleteDevice"],
  "is refused in the state of the seeded account": [
    "requestEmailVerification",
    "disableTwoFactor",
    "replaceBackupCodes",
    "importData",
  ],
  "is only for pages of the console": [
    "beginConsoleSession",
    "completeConsoleSession",
    "refreshConsoleSession",
    "endConsoleSession",
  ],
  "needs an address that the service has signed": ["getFramePicture"],
  "is a step of an agent's authorization": ["showAuthorization", "decideAuthorization", "issueTokens", "revokeToken"],
  "needs an agent that is connected": ["changeConnection", "endConnection"],
  "redirects to an image on another site": ["getAvatar"],
};
const isException = (id: string) => Object.values(EXCEPTIONS).some((ids) => ids.includes(id));

/** Those that create come first and those that delete last, so that there is something to read and change. */
const ORDER = ["post", "get", "put", "patch", "delete"];

interface Operation {
  operationId: string;
  tags: [string];
}

interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
}

describe.skipIf(!executablePath)("Execute in /docs", () => {
  let service: RunningService;
  let browser: Browser;
  let page: Page;
  let tags: string[];
  let operations: { method: string; path: string; operation: Operation }[];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startSeededService(), launchChromium()]);
    const document: Document = await (await fetch(`${service.origin}/api-docs`)).json();
    operations = Object.entries(document.paths)
      .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ method, path, operation })))
      .sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
    tags = document.tags.map(({ name }) => name);
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${service.origin}/docs`);
    await page.locator(".opblock-tag").first().waitFor();
    await authorize();
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function authorize(): Promise<void> {
    const { token } = await callApi<{ token: string }>(service.origin, "POST", "/api/auth/login", ADA);
    // What lets others in asks for the password, unless it was given a short time ago.
    await callApi(service.origin, "POST", "/api/settings/security/confirm", { password: ADA.password }, token);
    await page.getByRole("button", { name: "Authorize" }).first().click();
    const scheme = page.locator(".auth-container").first();
    await scheme.getByRole("textbox").fill(token);
    await scheme.getByRole("button", { name: "Apply credentials" }).click();
    await page.getByRole("button", { name: "Close" }).last().click();
  }

  /** The status and body that the page shows. */
  async function execute({ operationId, tags: [tag] }: Operation): Promise<{ status: number; text: string }> {
    const id = `operations-${tag.replaceAll(" ", "_")}-${operationId}`;
    const press = (selector: string) =>
      page.evaluate(`document.querySelector("[id='${id}'] ${selector}").click()`).then(() => {});
    await press(".opblock-summary-control");
    await page.locator(`[id='${id}'] .execute`).waitFor();
    await press(".execute");
    const shown = page.locator(`[id='${id}'] .live-responses-table tbody tr`).first();
    await shown.waitFor({ timeout: 20_000 });
    const status = Number.parseInt(await shown.locator(".response-col_status").innerText(), 10);
    const text = (await shown.innerText()).slice(0, 400);
    await press(".opblock-summary-control");
    return { status, text };
  }

  it("succeeds with the prefilled values", { timeout: 600_000 }, async () => {
    const failed: string[] = [];
    for (const tag of tags) {
      await toggleGroup(page, tag);
      for (const { method, path, operation } of operations) {
        if (operation.tags[0] !== tag || isException(operation.operationId)) continue;
        const { status, text } = await execute(operation).catch((error) => ({ status: 0, text: String(error) }));
        const isSuccess = status >= 200 && status < 400;
        if (!isSuccess) failed.push(`${method.toUpperCase()} ${path} (${operation.operationId}) → ${status}: ${text}`);
      }
      await toggleGroup(page, tag);
    }
    expect(failed).toEqual([]);
  });

  it("has no exception for an operation that does not exist", () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(
      Object.values(EXCEPTIONS)
        .flat()
        .filter((id) => !ids.includes(id)),
    ).toEqual([]);
  });
});
