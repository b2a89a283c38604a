import type { Server } from "node:http";
import { Response, fetch as send } from "miniflare";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeModels } from "../fakes/llm/server.ts";
import { close, listen } from "../fakes/server.ts";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import { axeFindings, callApi, confirmPassword, eventually, GRACE, openConsole, signIn } from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* Where texts go: said before the first account is made and in Settings, switched off there, and kept on this computer. */

const OFF = "No text is sent to a model.";

describe.skipIf(!executablePath)("Models", () => {
  let browser: Browser;
  const services: RunningService[] = [];
  beforeAll(async () => {
    browser = await sharedChromium();
  });
  afterAll(async () => {
    await closeContexts();
    await Promise.all(services.map((each) => each.stop()));
  });

  async function started(...settings: Parameters<typeof startService>): Promise<string> {
    const service = await startService(...settings);
    services.push(service);
    return service.origin;
  }

  const tokenOf = async (origin: string) =>
    (await callApi<{ token: string }>(origin, "POST", "/api/auth/login", GRACE)).token;
  const activeModel = async (origin: string) => {
    const token = await tokenOf(origin);
    return (await callApi<{ model: string }>(origin, "GET", "/api/ai-model", undefined, token)).model;
  };

  describe("at the first start of a service with Workers AI", () => {
    const ACCOUNT = "Workers AI in the Cloudflare account of this service.";
    const fresh = () =>
      started({ ACCESS_MODE: "private" }, { serviceBindings: { AI: () => new Response(null, { status: 500 }) } });

    async function fill(origin: string) {
      const { page, trouble } = await openConsole(browser, origin);
      await page.goto(`${origin}/app/register`);
      await page.getByText(ACCOUNT).waitFor();
      const use = page.getByRole("checkbox", { name: /^Use Workers AI/ });
      await eventually(() => use.isChecked()).toBe(true);
      expect(await axeFindings(page)).toEqual([]);
      await page.getByLabel("Name").fill("Grace Hopper");
      await page.getByLabel("Email", { exact: true }).fill(GRACE.email);
      await page.getByLabel("Password").fill(GRACE.password);
      return { page, trouble, use, create: () => page.getByRole("button", { name: "Create account" }).click() };
    }

    it("it is used unless somebody says no, and can be switched off and on in Settings", async () => {
      const origin = await fresh();
      const { page, trouble, create } = await fill(origin);
      await create();
      await page.getByRole("navigation", { name: "Main" }).waitFor();
      expect(await activeModel(origin)).toBe("model_d");
      await page.goto(`${origin}/app/settings/models`);
      await page.getByText(ACCOUNT).waitFor();
      await page.getByRole("radio", { name: /Built-in engine only/ }).check();
      await page.getByText(OFF).waitFor();
      await page.getByText("The built-in engine is in use").waitFor();
      await eventually(() => activeModel(origin)).toBe("builtin");
      expect(await axeFindings(page)).toEqual([]);
      await page.getByRole("radio", { name: /gpt-oss-120b/ }).check();
      await page.getByText(ACCOUNT).waitFor();
      await eventually(() => activeModel(origin)).toBe("model_d");
      expect(trouble).toEqual([]);
    });

    it("it is off from the first moment if somebody says no", async () => {
      const origin = await fresh();
      const { page, trouble, use, create } = await fill(origin);
      await use.uncheck();
      await create();
      await page.getByRole("navigation", { name: "Main" }).waitFor();
      expect(await activeModel(origin)).toBe("builtin");
      expect(trouble).toEqual([]);
    });

    it("says so if it could not be switched off", async () => {
      const origin = await fresh();
      const { page, use, create } = await fill(origin);
      await page.route("**/api/ai-model", (route) => route.fulfill({ status: 503, json: {} }));
      await use.uncheck();
      await create();
      await page.getByText("The model was not switched off. Switch it off in Settings: Models.").waitFor();
    });
  });

  describe("on this computer", () => {
    let fake: Server;
    let origin: string;
    /** The port that the fake answers for; null while nothing runs. */
    let port: string | null;
    let asked: string[];

    beforeAll(async () => {
      fake = createFakeModels();
      const address = await listen(fake);
      const outboundService = (request: Request) => {
        const { host, port: to, pathname } = new URL(request.url);
        asked.push(host);
        const { method, headers, body } = request;
        if (to !== port) return new Response(null, { status: 502 });
        return send(`${address}/openai${pathname}`, { method, headers: [...headers], body, duplex: "half" } as object);
      };
      asked = [];
      origin = await started(
        { ACCESS_MODE: "private", ALLOW_PRIVATE_HOSTS: "true" },
        { outboundService: outboundService as never },
      );
      await callApi(origin, "POST", "/api/auth/register", { ...GRACE, name: "Grace Hopper" });
    });
    afterAll(() => close(fake));

    async function settings() {
      const opened = await openConsole(browser, origin);
      await signIn(opened.page, origin, "/app/settings/models", GRACE);
      await opened.page.getByRole("heading", { name: "On this computer" }).waitFor();
      return opened;
    }

    it("nothing is asked before the person does, and nothing found is said", async () => {
      port = null;
      const { page, trouble } = await settings();
      await page.getByText("No text is sent to a model.").waitFor();
      expect(asked).toEqual([]);
      await page.getByRole("button", { name: "Find models" }).click();
      await page.getByText("No model server answered.").waitFor();
      expect(asked.sort()).toEqual(["127.0.0.1:11434", "127.0.0.1:1234", "127.0.0.1:8080"]);
      expect(trouble).toEqual([]);
    });

    it("a server is found, connected with one click, and used by the chat", async () => {
      port = "11434";
      const { page, trouble } = await settings();
      await page.getByRole("button", { name: "Find models" }).click();
      await page.getByLabel("Model of Ollama").selectOption("llama-other");
      await page.getByRole("button", { name: "Connect Ollama" }).click();
      await confirmPassword(page, GRACE.password);
      await page.getByRole("button", { name: /^In use/ }).waitFor();
      await page.getByText("are sent to 127.0.0.1:11434.").waitFor();
      await eventually(() => page.locator(":focus").getAttribute("aria-label")).toBe("In use: Ollama");
      expect(await axeFindings(page)).toEqual([]);
      await page.goto(`${origin}/app/chat`);
      await page.getByRole("textbox", { name: "Message" }).fill("Who are you?");
      await page.keyboard.press("Enter");
      await page.getByText("Hello world").waitFor();
      await page.getByText("By llama-other").waitFor();
      // Stopped in the meantime: the reply says who gave it, and why.
      port = null;
      await page.getByRole("textbox", { name: "Message" }).fill("Which tasks are open?");
      await page.keyboard.press("Enter");
      await page.getByText("By the built-in engine, because the model did not respond").waitFor();
      expect(trouble).toEqual([]);
    });

    it("a server of the person's own is replaced only after a question", async () => {
      port = "1234";
      const token = await tokenOf(origin);
      const own = { provider: "custom", baseUrl: "https://models.example.com/v1", upstreamModel: "mine" };
      await callApi(origin, "POST", "/api/api-keys", { ...own, currentPassword: GRACE.password }, token);
      const saved = async () => {
        const { data } = await callApi<{ data: { baseUrl: string }[] }>(
          origin,
          "GET",
          "/api/api-keys",
          undefined,
          token,
        );
        return data.at(-1)?.baseUrl;
      };
      const { page } = await settings();
      await page.getByRole("button", { name: "Find models" }).click();
      await page.getByRole("button", { name: "Connect LM Studio" }).click();
      const question = page.getByRole("dialog", { name: "Replace your own server?" });
      await question.getByText("https://models.example.com/v1").waitFor();
      await page.keyboard.press("Escape");
      await question.waitFor({ state: "hidden" });
      expect(await saved()).toBe(own.baseUrl);
      await page.getByRole("button", { name: "Connect LM Studio" }).click();
      await question.getByRole("button", { name: "Replace" }).click();
      await confirmPassword(page, GRACE.password);
      await eventually(saved).toBe("http://127.0.0.1:1234/v1");
      await page.getByRole("button", { name: /^In use/ }).waitFor();
    });
  });
});
