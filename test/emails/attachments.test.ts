import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { failingFiles } from "../files/stores.ts";
import { expectErrorLog, expectProblem, service } from "../harness.ts";
import { base64, bytesOf, filePart, head, join, noise, part } from "./corpus/build.ts";
import { deliver } from "./deliver.ts";

const api = service();
const FILE = noise(10_000, 3);
const PAGE = bytesOf("<script>alert(1)</script>");

/** Delivers a message to an inbox of its own; returns the id of the email. */
async function receive(tag: string, raw: Uint8Array): Promise<number> {
  expect(await deliver(raw, { to: `${tag}@example.com` })).toBeNull();
  return (await api.get(`/api/emails?tag=${tag}`)).body.data[0].id;
}

const message = (...parts: Uint8Array[]) =>
  join(head("Files", "Content-Type: multipart/mixed; boundary=b\n"), "\n", ...parts, "--b--\n");

let id: number;
const at = (n: number | string) => `/api/emails/${id}/attachments/${n}`;
const raw = message(
  part("Content-Type: text/plain", "Files"),
  filePart({ name: "noise.pdf", bytes: FILE }, "application/pdf"),
  filePart({ name: "page.html", bytes: PAGE }, "text/html"),
  part("Content-Type: image/svg+xml; name=a.svg", "<svg/>"),
  part("Content-Type: text/x; name=odd", "plain bytes"),
  part(
    `Content-Type: image/png\nContent-Disposition: attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%22%0D%0ASet-Cookie%3A%20a.png\nContent-Transfer-Encoding: base64`,
    base64(FILE.subarray(0, 50)),
  ),
);

beforeAll(async () => {
  id = await receive("files", raw);
});

describe("GET /api/emails/{id}/attachments/{n}", () => {
  it("returns the file with its type, as a download that can run nothing", async () => {
    const { status, headers, bytes } = await api.get(at(1));
    expect(status).toBe(200);
    expect(bytes).toEqual(FILE);
    expect(headers.get("content-type")).toBe("application/pdf");
    expect(headers.get("content-length")).toBe("10000");
    expect(headers.get("content-disposition")).toBe('attachment; filename="noise.pdf"');
    expect(headers.get("content-security-policy")).toContain("sandbox; default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("accept-ranges")).toBe("bytes");
  });

  it("shows only types that are safe to show, and only when asked", async () => {
    const shown = async (n: number) => (await api.get(`${at(n)}?inline=true`)).headers.get("content-disposition");
    expect(await shown(1)).toBe('inline; filename="noise.pdf"');
    expect(await shown(2)).toMatch(/^attachment/);
    expect(await shown(3)).toMatch(/^attachment/);
    expect(await shown(4)).toMatch(/^attachment/);
    expect(await shown(5)).toMatch(/^inline/);
    const page = await api.get(`${at(2)}?inline=true`);
    expect(page.headers.get("content-security-policy")).toContain("sandbox");
  });

  it("lets no name end the header", async () => {
    const { headers } = await api.get(at(5));
    const disposition = headers.get("content-disposition") ?? "";
    expect(disposition).toMatch(
      /^attachment; filename="[ -~]+"; filename\*=UTF-8''Gr%C3%B6%C3%9Fe%22Set-Cookie%3A%20a\.png$/,
    );
    expect(headers.get("set-cookie")).toBeNull();
  });

  it.each([
    ["bytes=0-99", 0, 99],
    ["bytes=5000-", 5000, 9999],
    ["bytes=-10", 9990, 9999],
    ["bytes=9990-99999", 9990, 9999],
    ["bytes=57-57", 57, 57],
  ])("returns the range %s of an encoded file", async (range, first, last) => {
    const { status, headers, bytes } = await api.get(at(1), { headers: { range } });
    expect(status).toBe(206);
    expect(headers.get("content-range")).toBe(`bytes ${first}-${last}/10000`);
    expect(bytes).toEqual(FILE.slice(first, last + 1));
  });

  it("returns a range of a file that is not encoded", async () => {
    const { bytes } = await api.get(at(4), { headers: { range: "bytes=6-10" } });
    expect(new TextDecoder().decode(bytes)).toBe("bytes");
  });

  it.each(["bytes=a-b", "items=0-1", "bytes=0-1,5-6", "bytes=9-2"])(
    "returns everything for the range %s",
    async (range) => {
      expect((await api.get(at(1), { headers: { range } })).bytes).toHaveLength(10_000);
    },
  );

  it("refuses a range outside of the file", async () => {
    const answer = await api.get(at(1), { headers: { range: "bytes=10000-" } });
    expectProblem(answer, 416, "range_not_satisfiable");
    expect(answer.headers.get("content-range")).toBe("bytes */10000");
  });

  it("knows what the client has: 304, and a range only of the same file", async () => {
    const tag = (await api.get(at(1))).headers.get("etag") ?? "";
    expect((await api.get(at(1), { headers: { "if-none-match": tag } })).status).toBe(304);
    expect((await api.get(at(2))).headers.get("etag")).not.toBe(tag);
    const ranged = (ifRange: string) => api.get(at(1), { headers: { range: "bytes=0-0", "if-range": ifRange } });
    expect((await ranged(tag)).status).toBe(206);
    expect((await ranged('"other"')).status).toBe(200);
  });

  it("answers HEAD with the headers only", async () => {
    const { status, headers, bytes } = await api.call("HEAD", at(1));
    expect([status, headers.get("content-length"), bytes.length]).toEqual([200, "10000", 0]);
  });

  it("is 404 for what does not exist, and 422 for what is no number", async () => {
    expectProblem(await api.get(at(99)), 404, "not_found");
    expectProblem(await api.get("/api/emails/99999/attachments/1"), 404, "not_found");
    expectProblem(await api.get("/api/emails/99999/attachments"), 404, "not_found");
    expectProblem(await api.get(at(0)), 422, "validation_failed");
    expectProblem(await api.get(at("a")), 422, "validation_failed");
  });

  it("needs a credential in private mode", async () => {
    const closed = service({ ACCESS_MODE: "private" });
    for (const path of [at(1), `/api/emails/${id}/attachments`, `/api/emails/${id}/raw`])
      expectProblem(await closed.get(path), 401, "unauthenticated");
  });

  it("says 503 while the file store does not respond", async () => {
    expectErrorLog("file_not_read");
    const answer = await service(failingFiles("get")).get(at(1));
    expectProblem(answer, 503, "unavailable");
    expect(answer.headers.get("retry-after")).toBe("5");
  });

  it("of an email that came by the API has no content", async () => {
    const attachments = [{ name: "a.pdf", type: "application/pdf", size: 3 }];
    const { body } = await api.post("/api/emails", { from: "a@example.com", subject: "Api", attachments });
    expect(body.attachments).toEqual([{ n: 1, ...attachments[0], inline: false, contentId: null }]);
    expectProblem(await api.get(`/api/emails/${body.id}/attachments/1`), 404, "not_found");
  });
});

describe("GET /api/emails/{id}/raw", () => {
  it("returns the message byte by byte, whole and in part", async () => {
    const { headers, bytes } = await api.get(`/api/emails/${id}/raw`);
    expect(bytes).toEqual(raw);
    expect(headers.get("content-type")).toBe("message/rfc822");
    expect(headers.get("content-disposition")).toBe(`attachment; filename="email-${id}.eml"`);
    const some = await api.get(`/api/emails/${id}/raw`, { headers: { range: "bytes=10-19" } });
    expect([some.status, some.bytes]).toEqual([206, raw.slice(10, 20)]);
  });

  it("of nothing is nothing", async () => {
    const empty = await receive("nothing", new Uint8Array());
    expect((await api.get(`/api/emails/${empty}/raw`)).bytes).toHaveLength(0);
  });
});

describe("an inbound email", () => {
  const keys = async () => (await env.FILES.list({ prefix: "emails/" })).objects.length;
  const text = (messageId: string, from = "ann@example.com") =>
    `From: ${from}\nTo: hello@example.com\nSubject: Again\nMessage-ID: <${messageId}>\n\nThe text\n`;
  const stored = async (tag: string) => (await api.get(`/api/emails?tag=${tag}`)).body.data;

  it("is left with the sending server while the file store is down", async () => {
    expectErrorLog("file_not_stored");
    const before = await keys();
    const delivery = { to: "down@example.com", vars: failingFiles("put") };
    await expect(deliver(text("down@x"), delivery)).rejects.toMatchObject({ code: "unavailable" });
    expect(await stored("down")).toEqual([]);
    expect(await keys()).toBe(before);
    await deliver(text("down@x"), { to: "down@example.com" });
    expect(await stored("down")).toHaveLength(1);
  });

  it("that arrives twice keeps one raw message", async () => {
    await deliver(text("twice@x"), { to: "twice@example.com" });
    const before = await keys();
    await deliver(text("twice@x"), { to: "twice@example.com" });
    expect(await keys()).toBe(before);
    const [{ id: email }] = await stored("twice");
    expect((await api.get(`/api/emails/${email}/raw`)).status).toBe(200);
  });

  it("with the Message-ID of another sender keeps its own raw message", async () => {
    const long = `\n${"A long text of another. ".repeat(300)}\n`;
    await deliver(text("same@x"), { to: "same@example.com" });
    await deliver(text("same@x", "eve@example.com") + long, { to: "same@example.com" });
    const emails = await stored("same");
    expect(emails).toHaveLength(2);
    for (const { id: email, from } of emails) {
      const { status, text: source } = await api.get(`/api/emails/${email}/raw`);
      expect([status, source.includes(from.email)]).toEqual([200, true]);
      expect((await api.get(`/api/emails/${email}`)).body.body).toContain("The text");
    }
  });

  it("deleted for good stays deleted when it is delivered again, for a month", async () => {
    await deliver(text("gone@x"), { to: "gone@example.com" });
    const [{ id: email }] = await stored("gone");
    await api.delete(`/api/emails/${email}`);
    const before = await keys();
    await deliver(text("gone@x"), { to: "gone@example.com" });
    expect(await stored("gone")).toEqual([]);
    expect(await keys()).toBe(before);
    // The email of another sender is another email.
    await deliver(text("gone@x", "eve@example.com"), { to: "gone@example.com" });
    expect(await stored("gone")).toMatchObject([{ from: { email: "eve@example.com" } }]);
    await env.DB.exec("UPDATE deleted_emails SET expires_at = 1");
    await deliver(text("gone@x"), { to: "gone@example.com" });
    expect(await stored("gone")).toHaveLength(2);
  });

  it("deleted for good can be stored again by the API", async () => {
    await deliver(text("back@x"), { to: "back@example.com" });
    const [{ id: email }] = await stored("back");
    await api.delete(`/api/emails/${email}`);
    const again = await api.post("/api/emails", { from: "ann@example.com", messageId: "<back@x>", tags: ["back"] });
    expect(again.status).toBe(201);
  });
});
