import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { times } from "../sampled.ts";

const api = service();
const mail = { from: "ann@example.com", to: "hello@example.com" };

describe("what is written in a mail", () => {
  it("comes back as it was, whatever the characters", async () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (subject, body, html, name) => {
        const attachments = [{ name, type: "text/plain", size: 1 }];
        const from = { name, email: "ann@example.com" };
        const stored = await api.post("/api/emails", { ...mail, from, subject, body, html, attachments });
        const { body: read } = await api.get(`/api/emails/${stored.body.id}`);
        expect(read).toMatchObject({ subject, body, html, attachments, from: { name: name.trim() } });
      }),
      { numRuns: times(20), examples: [["\u0000a", "b\u0000c", "\u0000", "\u0000"]] },
    );
  });

  it("keeps tags of any script", async () => {
    for (const tag of ["größe", "日本語", "🎉", "a b", "it's", '"quoted"', "50%"]) {
      const { body } = await api.post("/api/emails", { ...mail, subject: tag, tags: [tag] });
      expect(body.tags).toEqual([tag]);
      const list = await api.get(`/api/emails?tag=${encodeURIComponent(tag)}`);
      expect(list.body.data.map(({ id }: { id: number }) => id)).toEqual([body.id]);
    }
  });

  it("may be 900 KB long, in any script, and is found", async () => {
    const long = `pangolin ${"x".repeat(899_000)}`;
    const stored = await api.post("/api/emails", { ...mail, body: long });
    expect(stored.status).toBe(201);
    expect((await api.get(`/api/emails/${stored.body.id}`)).body.body).toBe(long);
    expect((await api.get("/api/emails?q=pangolin")).body.data).toHaveLength(1);
    const wide = "é🎉".repeat(150_000);
    const second = await api.post("/api/emails", { ...mail, body: wide });
    expect(second.body.body).toBe(wide);
    expect(second.body.snippet.length).toBeLessThanOrEqual(400);
    const html = await api.post("/api/emails", { ...mail, html: `<p>${"words ".repeat(160_000)}</p>` });
    expect(html.status).toBe(201);
  });

  it("of 2 MB is refused before it is read", async () => {
    expectProblem(await api.post("/api/emails", { ...mail, body: "x".repeat(2_000_000) }), 413, "body_too_large");
    const raw = new Response("not json, and too long".repeat(100_000)).body;
    const headers = { "content-type": "application/json" };
    expectProblem(await api.call("POST", "/api/emails", { raw: raw ?? "", headers }), 413, "body_too_large");
  });
});
