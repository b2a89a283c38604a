import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeProvider } from "../fakes/bookingsvc/server.ts";
import { close, listen } from "../fakes/server.ts";
import { createFakeX } from "../fakes/social/x.ts";
import { closeContexts, executablePath, sharedChromium } from "./chromium.ts";
import {
  axeFindings,
  callApi,
  confirmPassword,
  eventually,
  type Opened,
  openConsole,
  overflows,
  signIn,
} from "./console.ts";
import { type RunningService, startService } from "./service.ts";

/* Streams and Bookings in use, with a booking provider and a platform on this machine. */

const ADA = { email: "ada@example.org", password: "seven purple elephants dance" };
const BOOKING_KEY = "cal_local";

describe.skipIf(!executablePath)("streams and bookings in the console", () => {
  const provider = createFakeProvider();
  const x = createFakeX();
  let service: RunningService;
  let browser: Browser;

  beforeAll(async () => {
    const [bookings, posts] = await Promise.all([listen(provider), listen(x)]);
    const { world } = provider.tenant(BOOKING_KEY);
    world.book({
      title: "Project review",
      start: new Date(Date.now() + 86_400_000),
      attendees: [{ name: "Chen Wei", email: "chen@example.org" }],
    });
    [service, browser] = await Promise.all([
      startService({ BOOKINGSVC_BASE_URL: `${bookings}/v2`, X_API_URL: posts }),
      sharedChromium(),
    ]);
    await api("POST", "/api/auth/register", { ...ADA, name: "Ada" });
  });
  afterAll(async () => {
    await closeContexts();
    await service?.stop();
    close(provider);
    close(x);
  });

  interface Caption {
    id: number;
    platform: string;
    text: string;
    status: string;
    hashtags: string[];
  }
  interface Answer {
    data: Caption[];
  }

  const api = (method: string, path: string, body?: object) => callApi<Answer>(service.origin, method, path, body);

  const open = async (path: string, size: "desktop" | "phone" = "desktop"): Promise<Opened> => {
    const opened = await openConsole(browser, service.origin, { size });
    await signIn(opened.page, service.origin, path, ADA);
    return opened;
  };
  const captions = async () => (await api("GET", "/api/stream/captions?limit=50")).data;
  const statusOf = (id: number) => async () => (await captions()).find((each) => each.id === id)?.status;
  const card = (page: Page, text: string | RegExp) => page.locator(".caption").filter({ hasText: text });
  const report = (fields: object) => api("POST", "/api/stream/status", { platform: "youtube", ...fields });

  it("connects a platform, says when it refuses, words its voice, and disconnects", async () => {
    const { page, trouble } = await open("/app/streams/platforms");
    await page.getByRole("button", { name: "Connect X" }).click();
    const dialog = page.getByRole("dialog", { name: "Connect X" });
    await dialog.getByLabel("Access token", { exact: true }).fill("ada.a1");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("X saved").waitFor();
    const platform = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "X", exact: true }) });
    await platform.getByText("Not tested").waitFor();
    await page.getByRole("button", { name: "Test X" }).click();
    await platform.getByText("Connected").waitFor();

    await page.getByRole("button", { name: "Voice on X" }).click();
    const voice = page.getByRole("dialog", { name: "Voice on X" });
    await voice.getByLabel("Tone").selectOption("professional");
    await voice.getByLabel("Hashtags").fill("#live, coding");
    await voice.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("Voice saved").waitFor();

    await page.getByRole("button", { name: "Connect Discord" }).click();
    const discord = page.getByRole("dialog", { name: "Connect Discord" });
    await discord.getByLabel("Webhook address").fill("not an address");
    await discord.getByRole("button", { name: "Save" }).click();
    // Refused: the dialog says why and keeps what was typed.
    await discord.getByRole("alert").waitFor();
    await eventually(() => discord.getByLabel("Webhook address").inputValue()).toBe("not an address");
    // An address leads captions away, a token of X does not: it asks for the password, and Esc goes back to the form.
    const address = "https://discord.com/api/webhooks/1/abc";
    await discord.getByLabel("Webhook address").fill(address);
    await discord.getByRole("button", { name: "Save" }).click();
    const proof = page.getByRole("dialog", { name: "Confirm your identity" });
    await proof.getByLabel("Password").waitFor();
    await page.keyboard.press("Escape");
    await proof.waitFor({ state: "detached" });
    await eventually(() => discord.getByLabel("Webhook address").inputValue()).toBe(address);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard", exact: true }).click();

    await page.getByRole("button", { name: "Disconnect X" }).click();
    const question = page.getByRole("dialog", { name: "Disconnect X?" });
    await question.getByText("has to be entered again").waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    await platform.getByText("Connected").waitFor();
    await page.getByRole("button", { name: "Disconnect X" }).click();
    await question.getByRole("button", { name: "Disconnect" }).click();
    await platform.getByText("Not connected").waitFor();
    await api("POST", "/api/stream/credentials", { platform: "x", accessToken: "ada.a1" });
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("follows a stream without a reload", async () => {
    const { page, trouble } = await open("/app/streams");
    await page.getByText("No stream is live or planned").waitFor();
    await report({ state: "live", externalId: "one", title: "Building a synthesizer", viewers: 12, subscribers: 80 });
    await page.locator(".stream-now").getByText("Live", { exact: true }).waitFor();
    const figure = (name: string) =>
      page.locator(".stream-now .figure").filter({ hasText: name }).getByRole("definition").first().textContent();
    await eventually(() => figure("Viewers")).toBe("12");
    await report({ externalId: "one", viewers: 34 });
    await eventually(() => figure("Viewers")).toBe("34");
    await eventually(() => figure("Peak")).toBe("34");
    await eventually(() => figure("Subscribers")).toBe("80");
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("decides on captions, edits within the platform's count, and posts what is approved", async () => {
    await eventually(async () => (await captions()).length).toBe(1);
    const [first] = await captions();
    if (!first) throw new Error("going live wrote no caption");
    // It waits on Today, too.
    const { page, trouble } = await open("/app");
    const decision = page.getByRole("region", { name: "Your decision" });
    await decision.getByRole("button", { name: "Skip" }).click();
    await eventually(statusOf(first.id)).toBe("skipped");
    await page.keyboard.press("z");
    await eventually(statusOf(first.id)).toBe("pending");
    await decision.getByRole("button", { name: "Approve" }).waitFor();

    await page.goto(`${service.origin}/app/streams/captions`);
    await card(page, "Building a synthesizer").getByRole("button", { name: "Edit" }).click();
    const text = page.getByLabel("Text");
    await text.fill("x".repeat(300));
    // With its hashtags, as X counts.
    await page.getByText(/^3\d\d of 280 characters$/).waitFor();
    await eventually(() => text.getAttribute("aria-invalid")).toBe("true");
    await eventually(() => page.getByRole("button", { name: "Save" }).getAttribute("aria-disabled")).toBe("true");
    await text.fill("On air: https://example.com/a/very/long/address/that/counts/as/twenty/three 日本");
    await page.getByText(/^\d\d of 280 characters$/).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await card(page, "On air").getByRole("button", { name: "Approve" }).waitFor();
    await eventually(async () => (await captions())[0]?.text).toContain("On air");

    // By keys: approve, undo, approve.
    await page.keyboard.press("j");
    await page.keyboard.press("e");
    await page.getByRole("region", { name: "Approved" }).waitFor();
    await eventually(statusOf(first.id)).toBe("approved");
    await page.keyboard.press("z");
    await page.getByRole("region", { name: "To decide" }).waitFor();
    await eventually(statusOf(first.id)).toBe("pending");

    // Several at once.
    await api("PATCH", "/api/stream/captions/pending", { ids: [first.id], status: "approved" });
    await report({ state: "ended", externalId: "one" });
    const last = card(page, /thank|over|ended|watching/i).first();
    await last.getByRole("checkbox").click();
    await page.getByRole("toolbar", { name: "1 selected" }).getByRole("button", { name: "Approve" }).click();
    await eventually(async () => (await captions()).filter(({ status }) => status === "approved").length).toBe(2);

    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Post approved (2)" }).click();
    const dialog = page.getByRole("dialog", { name: "Post 2 captions?" });
    await dialog.getByText("On air").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Post now" }).click();
    await page.getByRole("status").getByText("2 captions posted").waitFor();
    await page.getByText("No captions to approve").waitFor();
    await page.getByRole("button", { name: "Posted and skipped" }).click();
    await card(page, "On air").getByRole("link", { name: "Open the post" }).waitFor();
    expect(trouble).toEqual([]);
  });

  it("keeps milestones, and shows the card of one that is reached without a reload", async () => {
    const { page, trouble } = await open("/app/streams/milestones");
    await page.getByRole("button", { name: "New milestone" }).click();
    const dialog = page.getByRole("dialog", { name: "New milestone" });
    await dialog.getByLabel("Number to reach").fill("100");
    await dialog.getByRole("button", { name: "Save" }).click();
    // There is one of 100 subscribers from the start.
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Number to reach").fill("90");
    await dialog.getByLabel("Name").fill("Nearly a hundred");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("progressbar", { name: "Nearly a hundred" }).waitFor();
    await report({ subscribers: 91 });
    await page.getByRole("img", { name: "Card of Nearly a hundred" }).waitFor();
    await eventually(() =>
      page.evaluate("[...document.querySelectorAll('.milestone-card img')].every((each) => each.naturalWidth > 0)"),
    ).toBe(true);
    // One that lies ahead is deleted at once and made again; one that was reached asks first.
    const isStored = async () => {
      const path = "/api/stream/milestones";
      const { data } = await callApi<{ data: { threshold: number }[] }>(service.origin, "GET", path);
      return data.some(({ threshold }) => threshold === 50_000);
    };
    await page.getByRole("button", { name: /^Delete 50,000/ }).click();
    await eventually(isStored).toBe(false);
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(isStored).toBe(true);
    await page.getByRole("button", { name: /^Delete 50,000/ }).waitFor();
    await page.getByRole("button", { name: "Delete Nearly a hundred" }).click();
    await page
      .getByRole("dialog", { name: "Delete Nearly a hundred?" })
      .getByRole("button", { name: "Cancel" })
      .click();
    expect(await axeFindings(page)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  it("connects the booking provider, reads bookings, shows its runs and event types, and disconnects", async () => {
    const { page, trouble } = await open("/app/bookings", "phone");
    await page.getByText("Not connected").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Connect the booking provider" });
    await dialog.getByLabel("API key").fill("cal_wrong");
    await dialog.getByRole("button", { name: "Connect" }).click();
    await confirmPassword(page, ADA.password);
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("API key").fill(BOOKING_KEY);
    await dialog.getByLabel("Webhook secret (optional)").fill("a long webhook secret");
    await dialog.getByRole("button", { name: "Connect" }).click();
    await page.getByText("On: the provider tells the service").waitFor();
    await page.getByRole("button", { name: "Sync now" }).click();
    await page
      .getByRole("region", { name: "Sync runs" })
      .getByText(/1 created/)
      .first()
      .waitFor();
    await page.getByRole("region", { name: "Event types" }).getByText(/min/).first().waitFor();
    // An outage of the provider, in plain words.
    await page.route("**/api/bookingsvc/sync*", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 502, json: { code: "provider_unavailable", detail: "The provider did not answer." } })
        : route.continue(),
    );
    await page.getByRole("button", { name: "Sync now" }).click();
    await page.getByRole("alert").getByText("The sync failed.").waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await page.getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("Not connected").waitFor();
    await page.reload();
    await page.getByText("Not connected").waitFor();
    expect(trouble).toEqual([]);
  });
});
