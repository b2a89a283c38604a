import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { emptyService, expectProblem, service } from "../harness.ts";
import { storeMail } from "./new-mail.ts";

const api = service();
const PATH = "/api/emails/searches";

beforeEach(async () => {
  await emptyService();
  await env.DB.prepare("DELETE FROM email_searches").run();
});

describe("a saved search", () => {
  it("is kept, renamed and deleted", async () => {
    const { status, body } = await api.post(PATH, { name: " Bills ", q: ' has:pdf on:"this month" ' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { name: "Bills", q: 'has:pdf on:"this month"', version: 1 },
    });
    expect((await api.get(PATH)).body.data).toEqual([body]);
    const changed = await api.patch(`${PATH}/${body.id}`, { name: "Invoices" });
    expect(changed.body).toMatchObject({ name: "Invoices", q: body.q, version: 2 });
    expectProblem(
      await api.patch(`${PATH}/${body.id}`, { q: "x" }, { headers: { "If-Match": '"1"' } }),
      412,
      "version_conflict",
    );
    expect((await api.delete(`${PATH}/${body.id}`)).status).toBe(204);
    expectProblem(await api.patch(`${PATH}/${body.id}`, { q: "x" }), 404, "not_found");
    expect((await api.get(PATH)).body.data).toEqual([]);
  });

  it("is one that can be searched for", async () => {
    for (const q of ["form:ann", "is:purple", 'on:"blurb"', "()", " "]) {
      expectProblem(await api.post(PATH, { name: "Bad", q }), 422, "validation_failed");
    }
    const { body } = await api.post(PATH, { name: "Good", q: "from:ann" });
    expectProblem(await api.patch(`${PATH}/${body.id}`, { q: "form:ann" }), 422, "validation_failed");
    expect((await api.get(PATH)).body.data).toMatchObject([{ q: "from:ann" }]);
  });

  it("is one of a hundred at most, also when many are saved at once", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 98)
       INSERT INTO email_searches (name, q, version, created_at, updated_at) SELECT 'S' || i, 'x', 1, 0, 0 FROM n`,
    ).run();
    const all = await Promise.all([1, 2, 3, 4].map((n) => api.post(PATH, { name: `New ${n}`, q: "x" })));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(all.find(({ status }) => status === 409)?.body).toMatchObject({ code: "search_limit_reached" });
  });
});

describe("the attached files", () => {
  const file = (name: string, size = 10, more = {}) => ({ name, type: "application/octet-stream", size, ...more });
  const names = async (query = "") => {
    const { body, status } = await api.get(`/api/emails/attachments${query}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.data.map((each: { name: string }) => each.name);
  };

  beforeEach(async () => {
    const at = (day: number) => `2026-05-0${day}T12:00:00Z`;
    await storeMail(api, "a", {
      subject: "Offer",
      from: "Ann Lee <ann@example.com>",
      attachments: [file("Offer.PDF"), file("logo.png"), file("plan.xlsx", 5_000_000)],
      receivedAt: at(1),
    });
    await storeMail(api, "a", { subject: "None", receivedAt: at(2) });
    await storeMail(api, "b", {
      subject: "Photos",
      from: "Bob <bob@example.com>",
      attachments: [file("one.jpg"), file("two.jpg"), file("note.pdf.txt")],
      receivedAt: at(3),
    });
    await storeMail(api, "b", {
      subject: "Old",
      from: "Bob <bob@example.com>",
      status: "trash",
      attachments: [file("gone.pdf")],
      receivedAt: at(4),
    });
  });

  it("are listed by kind, sender, time and words, the newest first", async () => {
    expect(await names()).toEqual(["one.jpg", "two.jpg", "note.pdf.txt", "Offer.PDF", "logo.png", "plan.xlsx"]);
    expect(await names("?kind=pdf")).toEqual(["Offer.PDF"]);
    expect(await names("?kind=image")).toEqual(["one.jpg", "two.jpg", "logo.png"]);
    expect(await names("?kind=document")).toEqual(["note.pdf.txt"]);
    expect(await names("?kind=audio")).toEqual([]);
    expect(await names("?kind=image&from=bob")).toEqual(["one.jpg", "two.jpg"]);
    expect(await names("?until=2026-05-02")).toEqual(["Offer.PDF", "logo.png", "plan.xlsx"]);
    expect(await names("?since=2026-05-02&kind=image")).toEqual(["one.jpg", "two.jpg"]);
    expect(await names("?q=offer")).toEqual(["Offer.PDF", "logo.png", "plan.xlsx"]);
    expect(await names("?q=larger:4mb")).toHaveLength(3);
    expect(await names("?q=in:anywhere&kind=pdf")).toEqual(["gone.pdf", "Offer.PDF"]);
    expect(await names("?q=()")).toEqual([]);
    expectProblem(await api.get("/api/emails/attachments?q=form:ann"), 422, "validation_failed");
    const { body } = await api.get("/api/emails/attachments?kind=pdf");
    expect(body.data).toEqual([
      {
        emailId: expect.any(Number),
        n: 1,
        name: "Offer.PDF",
        type: "application/octet-stream",
        size: 10,
        kind: "pdf",
        from: { name: "Ann Lee", email: "ann@example.com" },
        subject: "Offer",
        direction: "inbound",
        status: "inbox",
        receivedAt: "2026-05-01T12:00:00.000Z",
      },
    ]);
  });

  it("come in pages of every size, though an email has more than one page of them", async () => {
    const all = await names();
    for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
      const paged: string[] = [];
      let cursor = "";
      do {
        const { body } = await api.get(`/api/emails/attachments?limit=${limit}${cursor}`);
        expect(body.data.length).toBeLessThanOrEqual(limit);
        paged.push(...body.data.map((each: { name: string }) => each.name));
        cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : "";
      } while (cursor);
      expect(paged, `pages of ${limit}`).toEqual(all);
    }
  });

  it("go on where they were when an email between two pages is deleted or arrives", async () => {
    const { body } = await api.get("/api/emails/attachments?limit=1");
    await api.delete(`/api/emails/${body.data[0].emailId}`);
    await storeMail(api, "c", { subject: "New", attachments: [file("new.pdf")], receivedAt: "2026-05-09T12:00:00Z" });
    const rest = await names(`?limit=5&cursor=${body.nextCursor}`);
    expect(rest).toEqual(["new.pdf", "Offer.PDF", "logo.png", "plan.xlsx"].slice(rest[0] === "new.pdf" ? 0 : 1));
  });
});
