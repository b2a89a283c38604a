import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { executablePath, launchChromium, toggleGroup } from "./chromium.ts";
import { ADA, callApi } from "./console.ts";
import { type RunningService, startSeededService } from "./service.ts";

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

  /**
   * Opens each operation, presses Execute and reads what the page shows, all within the page: it draws for most of the
   * time, and asking from outside would wait for it at every step.
   */
  function executeAll(ids: readonly string[]): Promise<{ status: number; text: string }[]> {
    return page.evaluate(`(async () => {
      const appears = (look) => new Promise((resolve) => {
        const observer = new MutationObserver(() => check());
        const check = () => {
          const found = look();
          if (!found) return;
          observer.disconnect();
          resolve(found);
        };
        observer.observe(document.body, { childList: true, subtree: true });
        check();
      });
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const answers = [];
      for (const id of ${JSON.stringify(ids)}) {
        const block = await appears(() => document.getElementById(id));
        const find = (selector) => () => block.querySelector(selector);
        block.querySelector(".opblock-summary-control").click();
        const button = await appears(find(".execute"));
        // It is drawn before its fields have their values, too quick for a person to see.
        await frame();
        await frame();
        button.click();
        const row = await appears(find(".live-responses-table tbody tr"));
        const text = row.innerText.slice(0, 400);
        answers.push({ status: Number.parseInt(row.querySelector(".response-col_status").innerText, 10), text });
        block.querySelector(".opblock-summary-control").click();
      }
      return answers;
    })()`);
  }

  it("succeeds with the prefilled values", async () => {
    const failed: string[] = [];
    for (const tag of tags) {
      const tried = operations.filter(
        ({ operation }) => operation.tags[0] === tag && !isException(operation.operationId),
      );
      await toggleGroup(page, tag);
      const ids = tried.map(({ operation }) => `operations-${tag.replaceAll(" ", "_")}-${operation.operationId}`);
      const started = Date.now();
      const answers = await executeAll(ids);
      console.log(tag, ids.length, Date.now() - started);
      tried.forEach(({ method, path, operation }, index) => {
        const { status, text } = answers[index] ?? { status: 0, text: "" };
        const isSuccess = status >= 200 && status < 400;
        if (!isSuccess) failed.push(`${method.toUpperCase()} ${path} (${operation.operationId}) → ${status}: ${text}`);
      });
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
