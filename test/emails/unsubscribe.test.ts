import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readListHeaders } from "../../src/lib/list-headers.ts";
import { parseMailto } from "../../src/lib/mailto.ts";
import { emptyService, expectErrorLog, expectProblem, service } from "../harness.ts";
import { deliver } from "./deliver.ts";

const api = service();
const URL = "https://lists.example.com/u/1?k=secret";
const SIGNATURE =
  "v=1; a=rsa-sha256; d=example.com; s=k; h=from:to:subject:list-unsubscribe:list-unsubscribe-post; bh=x; b=y";
const RESULTS =
  "mx.cloudflare.net; dmarc=pass header.from=example.com policy.dmarc=none; dkim=pass header.d=example.com; spf=none";

interface Parts {
  results?: string | null;
  signature?: string;
  unsubscribe?: string | null;
  post?: boolean;
  listId?: string | null;
  from?: string;
  /** Lines above all that the sender wrote. */
  added?: string[];
}

beforeEach(async () => {
  await emptyService();
  await env.DB.prepare("DELETE FROM left_lists").run();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function newsletter(parts: Parts = {}, vars = {}) {
  const {
    results = RESULTS,
    signature = SIGNATURE,
    unsubscribe = `<${URL}>, <mailto:out@example.com?subject=Leave>`,
  } = parts;
  const { from = "news@example.com", added = [] } = parts;
  const id = crypto.randomUUID();
  const lines = [
    ...(results ? [`Authentication-Results: ${results}`] : []),
    ...added,
    ...(signature ? [`DKIM-Signature: ${signature}`] : []),
    `From: News <${from}>`,
    `Message-ID: <${id}>`,
    "Subject: The week",
    ...(parts.listId === null ? [] : [`List-Id: News <${parts.listId ?? "News.Example.com"}>`]),
    ...(unsubscribe ? [`List-Unsubscribe: ${unsubscribe}`] : []),
    ...(parts.post === false ? [] : ["List-Unsubscribe-Post: List-Unsubscribe=One-Click"]),
  ];
  await deliver(`${lines.join("\n")}\n\nRead our stories.\n`, { from, vars });
  const row = await env.DB.prepare("SELECT id FROM emails WHERE message_key = ?").bind(id).first();
  return (await api.get(`/api/emails/${row?.id}`)).body;
}

/** Answers calls to other services, and remembers them. */
function outside(respond: () => Response | Promise<Response>) {
  const calls: { url: string; init: RequestInit | undefined }[] = [];
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    calls.push({ url, init });
    return respond();
  });
  return calls;
}

const leave = (id: number, body: object = {}, client = api) => client.post(`/api/emails/${id}/unsubscribe`, body);

describe("an email of a list", () => {
  it("says how to leave it", async () => {
    expect(await newsletter()).toMatchObject({
      kind: "newsletter",
      listId: "news.example.com",
      unsubscribe: { oneClick: true, url: URL, mailto: "mailto:out@example.com?subject=Leave" },
    });
    expect((await newsletter({ unsubscribe: null, post: false })).unsubscribe).toBeNull();
    expect((await newsletter({ unsubscribe: "<http://lists.example.com/u>" })).unsubscribe).toBeNull();
    expect((await newsletter({ post: false })).unsubscribe).toMatchObject({ oneClick: false, url: URL });
  });
});

describe("leaving a list", () => {
  it("is one request as RFC 8058 has it, remembered and not repeated", async () => {
    const email = await newsletter();
    const calls = outside(() => new Response("ok"));
    const answer = await leave(email.id);
    expect(answer).toMatchObject({
      status: 200,
      body: { list: "news.example.com", method: "one_click", trashLater: false },
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      url: URL,
      init: { method: "POST", body: "List-Unsubscribe=One-Click", redirect: "manual" },
    });
    expect((await leave(email.id)).body).toEqual(answer.body);
    const next = await newsletter();
    expect(next.status).toBe("inbox");
    expect((await leave(next.id, { trashLater: true })).body).toMatchObject({ trashLater: true });
    expect(calls).toHaveLength(1);
    expect(await newsletter()).toMatchObject({
      status: "trash",
      isRead: true,
      appliedRules: [{ id: null, name: "Mailing list that you left" }],
    });
    expect((await newsletter({ listId: "other.example.com" })).status).toBe("inbox");
  });

  it.each<[string, Parts, RegExp]>([
    ["nobody checked the sender", { results: null }, /verified/],
    ["the sender is forged", { results: "mx.cloudflare.net; dmarc=fail header.from=example.com" }, /verified/],
    [
      "only SPF proves the sender",
      {
        results:
          "mx.cloudflare.net; dmarc=pass header.from=example.com; spf=pass smtp.mailfrom=news@example.com; dkim=none",
        unsubscribe: `<${URL}>`,
      },
      /DKIM/,
    ],
    [
      "the signature leaves the headers out",
      { signature: "d=example.com; h=from:to", unsubscribe: `<${URL}>` },
      /cover/,
    ],
    [
      "another domain signed them",
      { signature: SIGNATURE.replace("example.com", "evil.test"), unsubscribe: `<${URL}>` },
      /cover/,
    ],
    ["there is only a page", { post: false, unsubscribe: `<${URL}>` }, /web page/],
    [
      "there is no header",
      { unsubscribe: null, listId: "x.example.com", post: false },
      /address is not valid|List-Unsubscribe/,
    ],
  ])("is refused, with the link to do it by hand, when %s", async (_, parts, reason) => {
    const email = await newsletter(parts);
    const calls = outside(() => new Response("ok"));
    const answer = await leave(email.id);
    expectProblem(answer, 409, "unsubscribe_unavailable");
    expect(answer.body.detail).toMatch(reason);
    expect(answer.body.url).toBe(parts.unsubscribe === null ? null : URL);
    expect(calls).toEqual([]);
  });

  it("calls no address inside, and follows no redirect", async () => {
    const strict = service({ ALLOW_PRIVATE_HOSTS: "false" });
    for (const host of ["localhost", "127.0.0.1", "10.0.0.1.nip.io", "db.internal"]) {
      const email = await newsletter({ unsubscribe: `<https://${host}/u>` });
      const calls = outside(() => new Response("ok"));
      const answer = await leave(email.id, {}, strict);
      expectProblem(answer, 409, "unsubscribe_unavailable");
      expect(calls).toEqual([]);
    }
    const email = await newsletter();
    const calls = outside(() => new Response(null, { status: 302, headers: { location: "https://localhost/" } }));
    expectProblem(await leave(email.id), 502, "provider_error");
    expect(calls).toHaveLength(1);
  });

  it("that fails is not remembered, and can be repeated", async () => {
    const email = await newsletter();
    outside(() => new Response("no", { status: 500 }));
    const failed = await leave(email.id);
    expectProblem(failed, 502, "provider_error");
    expect(failed.body.url).toBe(URL);
    outside(() => Promise.reject(new DOMException("late", "TimeoutError")));
    expectProblem(await leave(email.id), 504, "provider_timeout");
    outside(() => new Response("ok"));
    expect((await leave(email.id)).status).toBe(200);
  });

  it("goes by email where the list wants that", async () => {
    const sent: { to: { email: string }[]; subject: string }[] = [];
    const EMAIL = { send: async (message: (typeof sent)[number]) => void sent.push(message) };
    const client = service({ EMAIL: EMAIL as never, MAIL_FROM: "assistant@example.org" });
    const email = await newsletter({ unsubscribe: "<mailto:out@example.com?subject=Leave%20me>", post: false });
    expect((await leave(email.id, {}, client)).body).toMatchObject({ method: "mailto" });
    expect(sent).toMatchObject([{ to: [{ email: "out@example.com" }], subject: "Leave me" }]);
    const broken = service({
      EMAIL: { send: () => Promise.reject(new Error("not allowed")) } as never,
      MAIL_FROM: "assistant@example.org",
    });
    const other = await newsletter({ unsubscribe: "<mailto:out@example.com>", post: false, listId: "b.example.com" });
    expectErrorLog("mail_not_sent");
    expectProblem(await leave(other.id, {}, broken), 502, "provider_error");
    const none = service({ ALLOW_PRIVATE_HOSTS: "false" });
    expectProblem(await leave(other.id, {}, none), 409, "unsubscribe_unavailable");
  });

  const passed = (domain: string, more = "") =>
    `mx.cloudflare.net; dmarc=pass header.from=${domain} policy.dmarc=none; dkim=pass header.d=${domain}${more}; spf=none`;

  it("touches only emails of the verified domain that it was left at, whatever List-Id others write", async () => {
    const listId = "announce.company.example";
    const spam = await newsletter({
      listId,
      from: "x@evil.example",
      results: passed("evil.example"),
      signature: SIGNATURE.replace("example.com", "evil.example"),
    });
    outside(() => new Response("ok"));
    expect((await leave(spam.id, { trashLater: true })).body).toMatchObject({ list: listId, trashLater: true });
    const company = { listId, from: "ceo@company.example" };
    const genuine = await newsletter({ ...company, results: passed("company.example") });
    expect(genuine).toMatchObject({ status: "inbox", isRead: false, senderProof: "verified" });
    const mx = "mx.cloudflare.net";
    for (const [results, status] of [
      [null, "inbox"],
      [`${mx}; dmarc=none; spf=none`, "inbox"],
      // Not because of the list: what fails its check looks like spam.
      [`${mx}; dmarc=fail header.from=evil.example`, "spam"],
    ] as const) {
      expect((await newsletter({ listId, from: "x@evil.example", results })).status).toBe(status);
    }
    expect((await newsletter({ listId, from: "y@evil.example", results: passed("evil.example") })).status).toBe(
      "trash",
    );
    // Its own address as List-Id does not make a sender of somebody else.
    expect(
      (await newsletter({ ...company, listId: "x@evil.example", results: passed("company.example") })).status,
    ).toBe("inbox");
  });

  const REPLAYED = "v=1; a=rsa-sha256; d=example.com; s=k; h=from:to:subject; bh=x; b=AbCdEfGhIjKl";
  const INVENTED = SIGNATURE.replace("b=y", "b=MnOpQrStUvWx");
  const one = `<${URL}>`;
  it.each<[string, Parts]>([
    ["another signature claims to cover it", { signature: REPLAYED, added: [`DKIM-Signature: ${INVENTED}`] }],
    ["the other one comes last", { signature: INVENTED, added: [`DKIM-Signature: ${REPLAYED}`] }],
    [
      "the receiver names the one that does not cover it",
      {
        results: passed("example.com", " header.s=k header.b=AbCdEfGh"),
        signature: REPLAYED,
        added: [`DKIM-Signature: ${INVENTED}`],
      },
    ],
    [
      "the other one begins as the named one does",
      {
        results: passed("example.com", " header.s=k header.b=AbCdEfGh"),
        signature: REPLAYED,
        added: [`DKIM-Signature: ${INVENTED.replace("MnOpQrSt", "AbCdEfGh")}`],
      },
    ],
    ["a second address was put above the signed one", { added: ["List-Unsubscribe: <https://evil.example/u>"] }],
    [
      "a second Post header was put above the signed one",
      { added: ["List-Unsubscribe-Post: List-Unsubscribe=One-Click"] },
    ],
  ])("contacts no address that the passing signature does not cover: %s", async (_, parts) => {
    const email = await newsletter({ unsubscribe: one, ...parts });
    const calls = outside(() => new Response("ok"));
    expectProblem(await leave(email.id), 409, "unsubscribe_unavailable");
    expect(calls).toEqual([]);
  });

  it("believes the signature that the receiver names, beside others", async () => {
    const results = passed("example.com", " header.s=k header.b=MnOpQrSt");
    const email = await newsletter({
      unsubscribe: one,
      results,
      signature: INVENTED,
      added: [`DKIM-Signature: ${REPLAYED}`],
    });
    const calls = outside(() => new Response("ok"));
    expect((await leave(email.id)).body).toMatchObject({ method: "one_click" });
    expect(calls).toMatchObject([{ url: URL }]);
  });

  it("writes to no address that was put into somebody's signed email", async () => {
    const sent: unknown[] = [];
    const EMAIL = { send: async (message: unknown) => void sent.push(message) };
    const client = service({ EMAIL: EMAIL as never, MAIL_FROM: "assistant@example.org" });
    const email = await newsletter({ signature: REPLAYED, unsubscribe: "<mailto:a@evil.example>", post: false });
    expectProblem(await leave(email.id, {}, client), 409, "unsubscribe_unavailable");
    expect(sent).toEqual([]);
  });

  it("needs an email that exists", async () => {
    expectProblem(await leave(999_999), 404, "not_found");
  });
});

describe("the headers of a list", () => {
  it("are read as they come", () => {
    const header = (value: string) => [{ key: "list-unsubscribe", value }];
    expect(readListHeaders([], "a@example.com")).toBeNull();
    expect(
      readListHeaders(header("<mailto:a@b.example>,\r\n <https://x.example/\r\n u>"), "a@b.example"),
    ).toMatchObject({
      id: null,
      url: "https://x.example/u",
      mailto: "mailto:a@b.example",
      oneClick: false,
    });
    expect(readListHeaders(header("https://x.example/without-brackets"), "a@b.example")?.url).toBeNull();
  });

  it("may name one address", () => {
    expect(parseMailto("mailto:a@b.example?subject=x%0d%0aBcc:%20c@d.example&body=y")).toEqual({
      address: "a@b.example",
      subject: "x Bcc: c@d.example",
    });
    for (const link of ["mailto:", "mailto:a@b.example,c@d.example", "mailto:%zz", "https://x.example"]) {
      expect(parseMailto(link)).toBeNull();
    }
  });
});
