import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { auditActions, registerPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { signedInPerson } from "./people.ts";

const PATH = "/api/settings/profile";
const client = service();
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
const webp = new TextEncoder().encode("RIFF\0\0\0\0WEBPVP8 ");

describe("the profile", () => {
  it("is there with the account, and tells the state of the address", async () => {
    const { token, email, id } = await registerPerson();
    const { body, headers } = await client.get(PATH, { token });
    expect(body).toMatchObject({
      id,
      name: "Ada Lovelace",
      email: { address: email, verified: false, pending: null },
      timeZone: "UTC",
      locale: "en",
      weekStart: "monday",
      timeFormat: "24h",
      company: null,
      avatar: null,
      version: 1,
    });
    expect(headers.get("etag")).toBe('"1"');
  });

  it("changes what is named, and nothing else", async () => {
    const { token, id } = await signedInPerson();
    const first = await client.patch(PATH, { name: " Ada ", company: "Engines", locale: "en-gb" }, { token });
    expect(first.body).toMatchObject({ name: "Ada", company: "Engines", locale: "en-GB", timeZone: "UTC", version: 2 });
    const second = await client.patch(PATH, { timeZone: "Asia/Kolkata", company: "" }, { token });
    expect(second.body).toMatchObject({ name: "Ada", company: null, timeZone: "Asia/Kolkata", version: 3 });
    expect((await client.get(PATH, { token })).body).toEqual(second.body);
    expect((await client.get("/api/auth/me", { token })).body.user.name).toBe("Ada");
    expect(await auditActions(id)).toEqual(["profile.changed", "profile.changed"]);
  });

  it.each(["company", "phone", "bio"])("takes an empty %s for none, and null too", async (name) => {
    const { token } = await signedInPerson();
    const set = async (value: string | null) => (await client.patch(PATH, { [name]: value }, { token })).body[name];
    expect(await set(" +44 20 7946 0958 ")).toBe("+44 20 7946 0958");
    expect(await set(" ")).toBeNull();
    expect(await set("123")).toBe("123");
    expect(await set(null)).toBeNull();
  });

  it("keeps both of two changes made at the same time", async () => {
    const { token } = await signedInPerson();
    await Promise.all([
      client.patch(PATH, { name: "Grace" }, { token }),
      client.patch(PATH, { timeZone: "Europe/Paris" }, { token }),
      client.patch(PATH, { bio: "Compilers" }, { token }),
    ]);
    expect((await client.get(PATH, { token })).body).toMatchObject({
      name: "Grace",
      timeZone: "Europe/Paris",
      bio: "Compilers",
      version: 4,
    });
  });

  it("is not overwritten by who has an old version of it", async () => {
    const { token, id } = await signedInPerson();
    const stale = { token, headers: { "if-match": '"1"' } };
    expect((await client.patch(PATH, { bio: "one" }, stale)).status).toBe(200);
    expectProblem(await client.patch(PATH, { bio: "two", name: "Lost" }, stale), 412, "version_conflict");
    expect((await client.get(PATH, { token })).body).toMatchObject({ bio: "one", name: "Cheap", version: 2 });
    expect(await auditActions(id)).toHaveLength(1);
  });

  it.each([
    ["name", " "],
    ["name", "Ada\r\nBcc: all@example.com"],
    ["phone", "call me"],
    ["timeZone", "Mars/Olympus"],
    ["locale", "not a locale"],
    ["weekStart", "tuesday"],
    ["bio", "x".repeat(2001)],
  ])("refuses a %s of %j", async (name, value) => {
    const { token } = await signedInPerson();
    const answer = await client.patch(PATH, { [name]: value }, { token });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors[0].path).toBe(name);
  });

  it("refuses a change of nothing", async () => {
    const { token } = await signedInPerson();
    const { body: profile } = await client.get(PATH, { token });
    expectProblem(await client.patch(PATH, { email: profile.email }, { token }), 422, "nothing_to_update");
    const answer = await client.patch(PATH, { email: "x@example.com" }, { token });
    expect(answer.body.errors).toEqual([{ path: "email", message: "is read-only and cannot be set here" }]);
  });

  it("says in which zone days are counted, unless the request does", async () => {
    const { token } = await signedInPerson();
    await client.patch(PATH, { timeZone: "Pacific/Kiritimati" }, { token });
    const zoneOf = async (path: string) => (await client.get(path, { token })).body.timeZone;
    expect(await zoneOf("/api/calendar/stats")).toBe("Pacific/Kiritimati");
    expect(await zoneOf("/api/calendar/stats?timeZone=Asia/Tokyo")).toBe("Asia/Tokyo");
    expect((await client.get("/api/calendar/stats")).body.timeZone).toBe("UTC");
    const text = { text: "Let us meet on 3 March 2027 at 10:00.", referenceTime: "2027-01-01T00:00:00Z" };
    const { body } = await client.post("/api/calendar/detect", text, { token });
    expect(body.meetings[0].start).toBe("2027-03-02T20:00:00.000Z");
    const event = { title: "Local", start: "2031-03-03T10:00:00" };
    const made = await client.post("/api/calendar/events", event, { token });
    expect(made.body).toMatchObject({ start: "2031-03-02T20:00:00.000Z", timeZone: "Pacific/Kiritimati" });
  });
});

describe("the picture", () => {
  const send = (token: string, raw: Uint8Array, type: string) =>
    client.post(`${PATH}/avatar`, undefined, { token, raw, headers: { "content-type": type } });

  it.each([
    ["image/png", png],
    ["image/jpeg", jpeg],
    ["image/webp", webp],
  ])("comes back as it was sent: %s", async (type, bytes) => {
    const { token } = await signedInPerson();
    expectProblem(await client.get(`${PATH}/avatar`, { token }), 404, "not_found");
    const set = await send(token, bytes, type);
    expect(set.body).toEqual({ avatar: { kind: "image", type, bytes: bytes.length }, version: 2 });
    const { headers, ...picture } = await client.get(`${PATH}/avatar`, { token });
    expect(picture).toMatchObject({ status: 200, bytes });
    expect(headers.get("content-type")).toBe(type);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const tag = headers.get("etag") ?? "";
    const again = await client.get(`${PATH}/avatar`, { token, headers: { "if-none-match": tag } });
    expect(again.status).toBe(304);
    expect((await client.get(PATH, { token })).body.avatar).toEqual({ kind: "image", type, bytes: bytes.length });
  });

  it("must be what its sender calls it", async () => {
    const { token } = await signedInPerson();
    expectProblem(await send(token, png, "image/jpeg"), 415, "unsupported_media_type");
    const svg = new TextEncoder().encode("<svg onload='alert(1)'/>");
    expectProblem(await send(token, svg, "image/png"), 415, "unsupported_media_type");
    expectProblem(await send(token, svg, "image/svg+xml"), 415, "unsupported_media_type");
    expectProblem(await send(token, new Uint8Array(0), "image/png"), 422, "validation_failed");
    expectProblem(await client.get(`${PATH}/avatar`, { token }), 404, "not_found");
  });

  it("has at most 512 KB", async () => {
    const { token } = await signedInPerson();
    const largest = new Uint8Array(512 * 1024);
    largest.set(png);
    expect((await send(token, largest, "image/png")).status).toBe(200);
    const larger = new Uint8Array(512 * 1024 + 1);
    larger.set(png);
    expectProblem(await send(token, larger, "image/png"), 413, "body_too_large");
  });

  it("can stand elsewhere, over https", async () => {
    const { token } = await signedInPerson();
    const strict = service({ ALLOW_PRIVATE_HOSTS: "false" });
    const link = (url: string) => strict.post(`${PATH}/avatar`, { url }, { token });
    for (const url of ["http://example.com/a.png", "https://127.0.0.1/a.png", "javascript:alert(1)", "nonsense"]) {
      expectProblem(await link(url), 422, "validation_failed");
    }
    expect((await link("https://example.com/a.png")).body.avatar).toEqual({
      kind: "url",
      url: "https://example.com/a.png",
    });
    const answer = await client.get(`${PATH}/avatar`, { token });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("https://example.com/a.png");
  });

  it("is set and removed only as its writer has read it, by its own ETag or the profile's", async () => {
    const { token } = await signedInPerson();
    const path = `${PATH}/avatar`;
    const types = { "content-type": "image/png" };
    const put = (raw: Uint8Array, tag: string) =>
      client.post(path, undefined, { token, raw, headers: { ...types, "if-match": tag } });
    expectProblem(await put(png, '"7"'), 412, "version_conflict");
    const first = await put(png, '"1"');
    expect(first.body.version).toBe(2);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toBe((await client.get(path, { token })).headers.get("etag"));
    expect((await put(Uint8Array.of(...png, 1), tag)).status).toBe(200);
    expectProblem(await put(png, tag), 412, "version_conflict");
    const linked = { token, headers: { "if-match": '"2"' } };
    expectProblem(await client.post(path, { url: "https://example.com/a.png" }, linked), 412, "version_conflict");
    expectProblem(await client.delete(path, { token, headers: { "if-match": tag } }), 412, "version_conflict");
    expect((await client.delete(path, { token, headers: { "if-match": '"3"' } })).status).toBe(204);
  });

  it("leaves nothing behind when it is replaced or removed", async () => {
    const { token, id } = await signedInPerson();
    const kept = async () => (await env.KV.list({ prefix: `avatar:${id}:` })).keys.length;
    await send(token, png, "image/png");
    await send(token, jpeg, "image/jpeg");
    expect(await kept()).toBe(1);
    expect((await client.delete(`${PATH}/avatar`, { token })).status).toBe(204);
    expect(await kept()).toBe(0);
    expectProblem(await client.delete(`${PATH}/avatar`, { token }), 404, "not_found");
    expect(await auditActions(id)).toEqual([
      "profile.avatar_changed",
      "profile.avatar_changed",
      "profile.avatar_removed",
    ]);
  });
});
