import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { storeMail, subjects } from "./new-mail.ts";

const api = service();

describe("changing a mail", () => {
  it("raises its version and its ETag", async () => {
    const { id } = await storeMail(api, "change");
    const { body, headers } = await api.patch(`/api/emails/${id}`, {
      isRead: true,
      isStarred: true,
      status: "archived",
      tags: [" New "],
    });
    expect(body).toMatchObject({ isRead: true, isStarred: true, status: "archived", tags: ["new"], version: 2 });
    expect(headers.get("etag")).toBe('"2"');
    expect(await subjects(api, "tag=change")).toEqual([]);
    expect(await subjects(api, "tag=new&status=archived")).toEqual(["About change"]);
  });

  it("ignores what it does not know, and refuses a change of nothing", async () => {
    const { id } = await storeMail(api, "change");
    expectProblem(await api.patch(`/api/emails/${id}`, {}), 422, "nothing_to_update");
    expectProblem(await api.patch(`/api/emails/${id}`, { subject: "other" }), 422, "nothing_to_update");
    expectProblem(await api.patch(`/api/emails/${id}`, { status: "gone" }), 422, "validation_failed");
  });

  it.each(["9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+01:00"])(
    "refuses a snooze until %s, which no answer could tell",
    async (snoozedUntil) => {
      const { id } = await storeMail(api, "far");
      expectProblem(await api.patch(`/api/emails/${id}`, { snoozedUntil }), 422, "validation_failed");
    },
  );

  it("with If-Match is won by one of many at once", async () => {
    const { id } = await storeMail(api, "race");
    const headers = { "if-match": '"1"' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.patch(`/api/emails/${id}`, { isStarred: true }, { headers })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectProblem(answer, 412, "version_conflict");
    expectProblem(await api.delete(`/api/emails/${id}`, { headers }), 412, "version_conflict");
    expect((await api.delete(`/api/emails/${id}`, { headers: { "if-match": '"2"' } })).status).toBe(204);
    expectProblem(await api.get(`/api/emails/${id}`), 404, "not_found");
  });
});

describe("changing many mails", () => {
  it("takes one round trip, and names the ids of no mail", async () => {
    const counted = countStatements(env.DB);
    const watched = service({ DB: counted.db });
    const one = await storeMail(watched, "bulk", { subject: "one" });
    const two = await storeMail(watched, "bulk", { subject: "two", tags: ["bulk", "old"] });
    counted.taken();
    const { body } = await watched.patch("/api/emails", {
      ids: [one.id, two.id, 999_999],
      isRead: true,
      isStarred: true,
      status: "archived",
      addTags: ["Added", "bulk"],
      removeTags: ["OLD"],
    });
    // The change, the assertion that no email has too many tags, and what a move out of spam says about the senders: one
    // statement takes back what was said before, one says it.
    expect(counted.taken()).toEqual({ roundTrips: 1, statements: 4 });
    expect(body).toEqual({ updated: 2, missing: [999_999] });
    expect((await api.get(`/api/emails/${two.id}`)).body).toMatchObject({
      isRead: true,
      isStarred: true,
      status: "archived",
      tags: ["bulk", "added"],
      version: 2,
    });
    expect(await subjects(api, "tag=added&status=archived")).toEqual(["two", "one"]);
    expect(await subjects(api, "tag=old")).toEqual([]);
  });

  it("changes none when one would get too many tags", async () => {
    const full = Array.from({ length: 20 }, (_, index) => `full-${index}`);
    const one = await storeMail(api, "full", { tags: full });
    const two = await storeMail(api, "full", { tags: ["full-room"] });
    const ids = [two.id, one.id];
    expectProblem(await api.patch("/api/emails", { ids, addTags: ["extra"] }), 422, "validation_failed");
    expect((await api.get(`/api/emails/${two.id}`)).body).toMatchObject({ tags: ["full-room"], version: 1 });
    expect((await api.patch("/api/emails", { ids, addTags: ["extra"], removeTags: ["full-3"] })).status).toBe(200);
    expect((await api.get(`/api/emails/${one.id}`)).body.tags).toHaveLength(20);
  });

  it("takes 500 ids at once and refuses nonsense", async () => {
    const ids = Array.from({ length: 500 }, (_, index) => 500_000 + index);
    expect((await api.patch("/api/emails", { ids, isRead: true })).body.updated).toBe(0);
    expectProblem(await api.patch("/api/emails", { ids: [...ids, 1], isRead: true }), 422, "validation_failed");
    expectProblem(await api.patch("/api/emails", { ids: [], isRead: true }), 422, "validation_failed");
    expectProblem(await api.patch("/api/emails", { ids: [1] }), 422, "nothing_to_update");
    expectProblem(
      await api.patch("/api/emails", { ids: [1], addTags: ["a"], removeTags: ["A"] }),
      422,
      "validation_failed",
    );
  });
});

describe("an email that leaves the trash and is tagged in one change", () => {
  it.each([{ addTags: ["found-again"] }, { removeTags: ["leaves-trash"] }, { addTags: ["found-again"], isRead: true }])(
    "is found by its tags, and counted once: %o",
    async (change) => {
      const { body: email } = await api.post("/api/emails", {
        from: "ann@example.com",
        to: "bob@example.com",
        tags: ["leaves-trash", "stays"],
      });
      const ids = [email.id];
      expect((await api.patch("/api/emails", { ids, status: "trash" })).status).toBe(200);
      expect((await api.patch("/api/emails", { ids, status: "archived", ...change })).status).toBe(200);
      const { body } = await api.get(`/api/emails/${email.id}`);
      const rows = await env.DB.prepare("SELECT tag FROM email_tags WHERE email_id = ? ORDER BY tag")
        .bind(email.id)
        .all<{ tag: string }>();
      expect(rows.results.map(({ tag }) => tag)).toEqual([...body.tags].sort());
      await api.delete(`/api/emails/${email.id}`);
    },
  );
});
