import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { isDiscordWebhook, postToDiscord } from "../../src/providers/social/discord.ts";
import { postToFacebook } from "../../src/providers/social/facebook.ts";
import { postToInstagram } from "../../src/providers/social/instagram.ts";
import type { Post, PostResult } from "../../src/providers/social/post.ts";
import { postToWebhook } from "../../src/providers/social/webhook.ts";
import { postToX, refreshX } from "../../src/providers/social/x.ts";
import type { Desk, Fault } from "../fakes/social/desk.ts";
import { sampled } from "../sampled.ts";
import { newAccount, QUICK, SECRET, urls } from "./social.ts";

const post = (fields: Partial<Post> = {}): Post => ({
  captionId: 7,
  kind: "go_live",
  text: "We are live @everyone https://youtu.be/abc\n\n#live",
  hashtags: ["live"],
  format: "plain",
  title: "Building a compiler",
  url: "https://youtu.be/abc",
  imageUrl: "https://img.example.com/abc.jpg",
  sessionId: 3,
  milestoneId: null,
  ...fields,
});

interface Platform {
  server: string;
  send(account: string, what?: Post): Promise<PostResult | "expired">;
  posted: RegExp | null;
}

const PLATFORMS: Record<string, Platform> = {
  Discord: {
    server: urls.discord,
    send: (name, what = post()) => postToDiscord(`${urls.discord}/api/webhooks/12345/${name}`, what, QUICK),
    posted: /^https:\/\/discord\.com\/channels\/7001\/8001\/9001$/,
  },
  X: {
    server: urls.x,
    send: (name, what = post()) => postToX(urls.x, `${name}.a1`, what, QUICK),
    posted: /^https:\/\/x\.com\/i\/web\/status\/1001$/,
  },
  Facebook: {
    server: urls.graph,
    send: (name, what = post()) =>
      postToFacebook({ baseUrl: urls.graph, pageId: "777", accessToken: `${name}.token` }, what, QUICK),
    posted: /^https:\/\/www\.facebook\.com\/777_501$/,
  },
  Instagram: {
    server: urls.graph,
    send: (name, what = post()) =>
      postToInstagram({ baseUrl: urls.graph, accountId: "888", accessToken: `${name}.token` }, what, QUICK),
    posted: /^https:\/\/www\.instagram\.com\/p\/m1\/$/,
  },
  "a webhook": {
    server: urls.receiver,
    send: (name, what = post()) => postToWebhook({ url: `${urls.receiver}/hook/${name}`, secret: SECRET }, what, QUICK),
    posted: null,
  },
};
const each = Object.entries(PLATFORMS);

async function deskOf({ server }: Platform, name: string, change?: Partial<Desk>): Promise<Desk> {
  const init = change ? { method: "POST", body: JSON.stringify(change) } : {};
  return (await fetch(`${server}/control/${name}`, init)).json();
}

async function withFaults(platform: Platform, ...faults: Fault[]): Promise<string> {
  const name = newAccount();
  await deskOf(platform, name, { faults });
  return name;
}

/** The request that makes the post itself. */
const PUBLISHING: Record<string, string> = { Instagram: "media_publish" };
/** Those that can be asked afterwards. */
const TELLS_LATER = ["Instagram"];

describe.each(sampled(each))("a post to %s", (name, platform) => {
  const on = PUBLISHING[name] ?? "";

  it("arrives once, and its address is told", async () => {
    const account = newAccount();
    const outcome = await platform.send(account);
    expect(outcome).toMatchObject({ result: "posted" });
    if (platform.posted) expect(outcome).toMatchObject({ url: expect.stringMatching(platform.posted) });
    expect((await deskOf(platform, account)).posts).toEqual([post().text]);
  });

  it("whose answer is lost is uncertain unless the platform tells later, and not sent again", async () => {
    for (const kind of ["late", "500"] as const) {
      const account = await withFaults(platform, { kind, on });
      const isTold = kind === "late" && TELLS_LATER.includes(name);
      const outcome = isTold ? { result: "posted", url: null } : { result: "failed", uncertain: true };
      expect(await platform.send(account)).toMatchObject(outcome);
      const { seen, posts } = await deskOf(platform, account);
      expect(seen.filter(({ method, path }) => method === "POST" && path.includes(on))).toHaveLength(1);
      expect(posts).toHaveLength(kind === "500" ? 0 : 1);
    }
  });

  it("is sent again after a short wait when the platform asks to slow down", async () => {
    const account = await withFaults(platform, { kind: "429", on, retryAfter: 0.06 });
    expect(await platform.send(account)).toMatchObject({ result: "posted" });
    expect((await deskOf(platform, account)).posts).toHaveLength(1);
  });

  it("fails with the time to try again when the wait is long", async () => {
    const account = await withFaults(platform, { kind: "429", on, retryAfter: 90, times: 9 });
    const outcome = await platform.send(account);
    expect(outcome).toMatchObject({ result: "failed", uncertain: false, retryAt: expect.any(Date) });
    expect((await deskOf(platform, account)).posts).toEqual([]);
  });

  it("that is refused is certain not to be there, and the refusal repeats no secret", async () => {
    const account = await withFaults(platform, { kind: "echo", times: 9 });
    const outcome = await platform.send(account);
    expect(outcome).toMatchObject({ result: "failed", uncertain: false });
    expect(JSON.stringify(outcome)).not.toContain(account);
  });
});

describe.each(sampled(each.filter(([name]) => name !== "a webhook")))("an answer of %s", (name, platform) => {
  it("that is a page of something in between leaves it open whether the post is there", async () => {
    const account = await withFaults(platform, { kind: "html", on: PUBLISHING[name] ?? "" });
    expect(await platform.send(account)).toMatchObject({ result: "failed", uncertain: true });
  });
});

describe("Discord", () => {
  const { discord } = { discord: PLATFORMS.Discord as Platform };
  const sent = async (account: string) =>
    (await deskOf(discord, account)).seen.filter(({ method }) => method === "POST")[0];

  it("gets a card with title, link and picture, or plain text, and rings for nobody", async () => {
    const [plain, card] = [newAccount(), newAccount()];
    await discord.send(plain);
    await discord.send(card, post({ format: "embed" }));
    expect(JSON.parse((await sent(plain))?.body ?? "")).toEqual({
      content: post().text,
      allowed_mentions: { parse: [] },
    });
    expect(JSON.parse((await sent(card))?.body ?? "")).toEqual({
      embeds: [
        {
          title: "Building a compiler",
          url: "https://youtu.be/abc",
          description: post().text,
          color: expect.any(Number),
          image: { url: "https://img.example.com/abc.jpg" },
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  it("that has forgotten the webhook has refused the credential", async () => {
    const account = newAccount();
    await deskOf(discord, account, { state: { gone: true } });
    expect(await discord.send(account)).toMatchObject({
      result: "failed",
      isCredentialRefused: true,
      uncertain: false,
    });
  });

  it("is known by the address of its webhooks", () => {
    expect(isDiscordWebhook("https://discord.com/api/webhooks/123456/abcdef-ABCDEF_1")).toBe(true);
    expect(isDiscordWebhook("https://canary.discord.com/api/v10/webhooks/123456/abcdef-ABCDEF_1")).toBe(true);
    for (const url of [
      "http://discord.com/api/webhooks/123456/abcdef-ABCDEF_1",
      "https://discord.com.evil.example/api/webhooks/123456/abcdef-ABCDEF_1",
      "https://discord.com/api/webhooks/123456",
      "https://discord.com/api/users/@me",
      "https://discord.com:8443/api/webhooks/123456/abcdef-ABCDEF_1",
      "nonsense",
    ]) {
      expect(isDiscordWebhook(url), url).toBe(false);
    }
  });
});

describe("X", () => {
  const platform = PLATFORMS.X as Platform;

  it("refuses the same text twice, which is certain", async () => {
    const account = newAccount();
    await platform.send(account);
    expect(await platform.send(account)).toMatchObject({ result: "failed", uncertain: false });
    expect((await deskOf(platform, account)).posts).toHaveLength(1);
  });

  it("tells an expired token from everything else", async () => {
    const account = newAccount();
    await deskOf(platform, account, { state: { expired: 1 } });
    expect(await platform.send(account)).toBe("expired");
  });

  it("gives new tokens for a refresh token once", async () => {
    const account = newAccount();
    const credential = { refreshToken: `${account}.r1`, clientId: "client-1" };
    expect(await refreshX(urls.x, credential, QUICK)).toEqual({
      accessToken: `${account}.a2`,
      refreshToken: `${account}.r2`,
    });
    expect(await refreshX(urls.x, credential, QUICK)).toBeNull();
    const troubled = await withFaults(platform, { kind: "500" });
    expect(await refreshX(urls.x, { ...credential, refreshToken: `${troubled}.r1` }, QUICK)).toBe("unavailable");
  });

  it("names the second at which its limit ends", async () => {
    const account = newAccount();
    const limitedUntil = Math.floor(Date.now() / 1000) + 900;
    await deskOf(platform, account, { state: { limitedUntil } });
    const outcome = await platform.send(account);
    expect(outcome).toMatchObject({ result: "failed", uncertain: false, retryAt: expect.any(Date) });
    const { retryAt } = outcome as { retryAt: Date };
    expect(Math.abs(retryAt.getTime() - limitedUntil * 1000)).toBeLessThan(5000);
  });
});

describe("Instagram", () => {
  const platform = PLATFORMS.Instagram as Platform;

  it("waits until the picture is ready", async () => {
    const account = newAccount();
    await deskOf(platform, account, { state: { slow: 2 } });
    expect(await platform.send(account)).toMatchObject({ result: "posted" });
  });

  it("posts nothing without a picture, with one it cannot use, or with one that never gets ready", async () => {
    expect(await platform.send(newAccount(), post({ imageUrl: null }))).toMatchObject({
      result: "failed",
      uncertain: false,
      error: expect.stringContaining("image"),
    });
    for (const state of [{ broken: true }, { slow: 99 }]) {
      const account = newAccount();
      await deskOf(platform, account, { state });
      expect(await platform.send(account)).toMatchObject({ result: "failed", uncertain: false });
      expect((await deskOf(platform, account)).posts).toEqual([]);
    }
  });

  it("that does not answer the first step has certainly posted nothing", async () => {
    const account = await withFaults(platform, { kind: "timeout", on: "/media" });
    expect(await platform.send(account)).toMatchObject({ result: "failed", uncertain: false });
  });
});

describe("the Graph API", () => {
  it("says by a code that the token is over, and gets it in a header, never in an address", async () => {
    for (const name of ["Facebook", "Instagram"]) {
      const platform = PLATFORMS[name] as Platform;
      const account = newAccount();
      await platform.send(account);
      for (const { query, body } of (await deskOf(platform, account)).seen) expect(query + body).not.toContain("token");
      await deskOf(platform, account, { state: { revoked: true } });
      expect(await platform.send(account)).toMatchObject({ result: "failed", isCredentialRefused: true });
    }
  });
});

describe("a webhook", () => {
  const platform = PLATFORMS["a webhook"] as Platform;

  it("is signed as Standard Webhooks says, under an id that stays the same for the caption", async () => {
    const account = newAccount();
    await platform.send(account);
    await platform.send(account);
    const [first, second] = (await deskOf(platform, account)).seen;
    if (!first || !second) throw new Error("nothing was sent");
    const payload = new Webhook(SECRET).verify(first.body, first.headers) as { type: string; data: object };
    expect(payload).toMatchObject({
      type: "caption.post",
      data: { captionId: 7, kind: "go_live", text: post().text, url: "https://youtu.be/abc", sessionId: 3 },
    });
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(() => new Webhook(SECRET).verify(`${first.body} `, first.headers)).toThrow();
  });

  it("that is gone has refused the credential", async () => {
    const account = await withFaults(platform, { kind: "404" });
    expect(await platform.send(account)).toMatchObject({ result: "failed", isCredentialRefused: true });
  });
});
