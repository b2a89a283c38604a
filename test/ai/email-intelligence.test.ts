import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";

const client = service();

describe("POST /api/ai/email-intelligence with content", () => {
  it("answers all that the contract names, made by the built-in engine", async () => {
    const content =
      "Hi Ann,\n\nplease send me the signed contract by Friday at 5pm. Could we have a call on Monday at 10am?\n\nThanks,\nBob";
    const { status, body } = await client.post("/api/ai/email-intelligence", {
      content,
      subject: "Contract",
      from: "Bob Ray <Bob@example.org>",
      receivedAt: "2026-11-18T10:00:00Z",
      timeZone: "Europe/Berlin",
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      urgency: { level: expect.any(String), score: expect.any(Number) },
      replyNeeded: true,
      meeting: {
        title: "Contract",
        start: "2026-11-23T09:00:00.000Z",
        attendees: [{ name: "Bob Ray", email: "bob@example.org" }],
      },
      engine: { kind: "builtin", model: null, provider: null, upstreamModel: null, fallbackReason: null },
    });
    expect(body.actionItems[0]).toMatchObject({ dueAt: "2026-11-20T16:00:00.000Z", assignee: "you" });
    for (const { quote } of body.actionItems) expect(content.slice(quote.start, quote.end)).toBe(quote.text);
  });

  it.each([
    ["Asia/Tokyo", "by Friday", "Friday (2026-11-20)"],
    ["Europe/Berlin", "by end of next week", "end of next week (2026-11-27)"],
    ["America/Los_Angeles", "by Friday", "Friday (2026-11-20)"],
  ])("a deadline is told by the day on the reader's calendar: %s, %s", async (timeZone, by, told) => {
    const { body } = await client.post("/api/ai/email-intelligence", {
      content: `Please send me the contract ${by}.`,
      receivedAt: "2026-11-18T10:00:00Z",
      timeZone,
    });
    expect(body.insights).toEqual([`Deadline: ${told}`]);
  });

  it("a mail about nothing to do has no items, no meeting and needs no reply", async () => {
    const { body } = await client.post("/api/ai/email-intelligence", { content: "The weather in Lisbon was lovely." });
    expect(body).toMatchObject({ actionItems: [], meeting: null, replyNeeded: false });
  });

  it("a mail longer than is read says so", async () => {
    const { body } = await client.post("/api/ai/email-intelligence", { content: "All is well here. ".repeat(4000) });
    expect(body.insights.at(-1)).toContain("50000");
  });

  it("refuses an empty content and an unknown zone", async () => {
    expectProblem(await client.post("/api/ai/email-intelligence", { content: "" }), 422, "validation_failed");
    expectProblem(
      await client.post("/api/ai/email-intelligence", { content: "x", timeZone: "Nowhere" }),
      422,
      "validation_failed",
    );
  });

  it("is closed to strangers when the service is private", async () => {
    expectProblem(
      await service({ ACCESS_MODE: "private" }).post("/api/ai/email-intelligence", { content: "x" }),
      401,
      "unauthenticated",
    );
  });
});
