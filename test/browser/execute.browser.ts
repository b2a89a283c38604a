import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
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
    "syncMailbox",
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
    "restoreContact",
    "getUploadedAttachment",
    "undoEmailUpdate",
  ],
  "needs a file of a certain kind as its body": [
    "uploadPart",
    "uploadAttachment",
    "importEmails",
    "importCalendar",
    "importContacts",
  ],
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
  "needs an email that brings an invitation": ["answerEmailInvitation"],
  "redirects to an image on another site": ["getAvatar"],
};
const isException = (id: string) => Object.values(EXCEPTIONS).some((ids) => ids.includes(id));

/** In each group, those that create come first and those that delete last: there is something to read and change. */
const ORDER = ["post", "get", "put", "patch", "delete"];

/** On a busy machine, a token and the word that the password was given end before the last operation. */
const RENEW_MS = 5 * 60_000;

interface Operation {
  operationId: string;
  tags: [string];
  responses: Record<string, { description?: string; content?: Record<string, object> }>;
}

interface Document {
  info: { title: string; version: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
}

interface Listed {
  method: string;
  path: string;
  operation: Operation;
}

/** The document with one operation and what its request refers to, without the texts about the whole. */
function partWith(document: Document, { method, path, operation }: Listed): Document {
  // Of what comes back, only the types count: they are asked for.
  const responses = Object.entries(operation.responses).map(([status, { description, content = {} }]) => {
    const types = Object.keys(content).map((type) => [type, {}]);
    return [status, { description, content: Object.fromEntries(types) }];
  });
  const request = { ...operation, responses: Object.fromEntries(responses) };
  const components: Document["components"] = { securitySchemes: document.components.securitySchemes ?? {} };
  const add = (value: object) => {
    for (const [, kind = "", name = ""] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      const found = document.components[kind]?.[name];
      if (!found || components[kind]?.[name]) continue;
      components[kind] = { ...components[kind], [name]: found };
      add(found);
    }
  };
  add(request);
  const { info, ...rest } = document;
  return {
    ...rest,
    info: { title: info.title, version: info.version },
    tags: [{ name: operation.tags[0] }],
    paths: { [path]: { [method]: request } },
    components,
  };
}

describe.skipIf(!executablePath)("Execute in /docs", () => {
  let service: RunningService;
  let browser: Browser;
  let page: Page;
  let document: Document;
  let operations: Listed[];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startSeededService(), sharedChromium()]);
    document = await (await fetch(`${service.origin}/api-docs`)).json();
    const tags = document.tags.map(({ name }) => name);
    const tagOf = ({ operation }: Listed) => tags.indexOf(operation.tags[0]);
    operations = Object.entries(document.paths)
      .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ method, path, operation })))
      .sort((a, b) => tagOf(a) - tagOf(b) || ORDER.indexOf(a.method) - ORDER.indexOf(b.method));
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    // To color the responses takes half of the time.
    await page.addInitScript(`{
      let start;
      const inOneColor = (options) => start({ ...options, syntaxHighlight: { activated: false } });
      Object.defineProperty(window, "SwaggerUIBundle", { get: () => inOneColor, set: (bundle) => { start = bundle; } });
    }`);
    await page.goto(`${service.origin}/docs`);
    await page.locator(".opblock-tag").first().waitFor();
    await authorize();
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
  });

  /** A token of somebody who has just given the password: what lets others in asks for it otherwise. */
  async function newToken(): Promise<string> {
    const { token } = await callApi<{ token: string }>(service.origin, "POST", "/api/auth/login", ADA);
    const proof = { currentPassword: ADA.password };
    await callApi(service.origin, "POST", "/api/settings/security/confirm", proof, token);
    return token;
  }

  async function authorize(): Promise<void> {
    await page.getByRole("button", { name: "Authorize" }).first().click();
    const scheme = page.locator(".auth-container").first();
    await scheme.getByRole("textbox").fill(await newToken());
    await scheme.getByRole("button", { name: "Apply credentials" }).click();
    await page.getByRole("button", { name: "Close" }).last().click();
  }

  /**
   * Opens the operation, presses Execute and reads what the page shows, within the page: it draws for most of the time,
   * and whoever asks from outside waits for it at every step. The page reads its whole document anew for each operation
   * that is opened, so it gets the part with this one. `docs.browser.ts` executes one with all of it.
   */
  async function execute({ method, path, operation }: Listed): Promise<{ status: number; text: string }> {
    const tag = operation.tags[0];
    const id = `operations-${tag.replaceAll(" ", "_")}-${operation.operationId}`;
    return page.evaluate(`(async () => {
      const appears = (look) => new Promise((resolve) => {
        const check = () => {
          const found = look();
          if (found) resolve(found);
          else setTimeout(check, 5);
        };
        check();
      });
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const system = ui.getSystem();
      system.specActions.updateJsonSpec(${JSON.stringify(partWith(document, { method, path, operation }))});
      const group = await appears(() => document.querySelector("[data-tag='${tag}']"));
      if (group.dataset.isOpen !== "true") group.click();
      const block = await appears(() => document.getElementById(${JSON.stringify(id)}));
      const find = (selector) => block.querySelector(selector);
      find(".opblock-summary-control").click();
      // Execute is there before the fields have their values, which come with what the operation refers to.
      const at = ["paths", ${JSON.stringify(path)}, ${JSON.stringify(method)}];
      await appears(() => system.specSelectors.specResolvedSubtree(at) && find(".execute"));
      await frame();
      await frame();
      find(".execute").click();
      const row = await appears(() => find(".live-responses-table tbody tr") ?? find(".validation-errors"));
      const status = Number.parseInt(row.querySelector(".response-col_status")?.innerText ?? "0", 10);
      return { status, text: row.innerText.slice(0, 400) };
    })()`);
  }

  it("succeeds with the prefilled values", async () => {
    const failed: string[] = [];
    const [scheme = ""] = Object.keys(document.components.securitySchemes ?? {});
    let renewAt = Date.now() + RENEW_MS;
    for (const each of operations) {
      if (isException(each.operation.operationId)) continue;
      if (Date.now() > renewAt) {
        await page.evaluate(`ui.preauthorizeApiKey("${scheme}", "${await newToken()}")`);
        renewAt = Date.now() + RENEW_MS;
      }
      const { status, text } = await execute(each);
      if (status >= 200 && status < 400) continue;
      failed.push(`${each.method.toUpperCase()} ${each.path} (${each.operation.operationId}) → ${status}: ${text}`);
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
