import { beforeEach, describe, expect, it } from "vitest";
import { apply, ics } from "../calendar/inviting.ts";
import { service } from "../harness.ts";
import { emptyWednesday, talkTo, toolsOf } from "./chatting.ts";

const api = service();
let numbers = 0;

async function invited(title: string, organizer: string, start = "20261120T100000Z", more = "") {
  numbers += 1;
  const from = `${organizer.toLowerCase()}@example.org`;
  const people = `ORGANIZER;CN=${organizer}:mailto:${from}\nATTENDEE:mailto:hello@example.com`;
  const text = ics("REQUEST", `chat-${numbers}`, 0, `DTSTART:${start}\nSUMMARY:${title}\n${people}\n${more}`);
  const { results } = await apply(text, { from });
  const id = results[0]?.eventId;
  return async () => (await api.get(`/api/calendar/events/${id}`)).body;
}

describe("an invitation is answered in the chat", () => {
  beforeEach(emptyWednesday);

  it.each([
    ["accept the invitation from Gina", "confirmed"],
    ["decline the board review", "cancelled"],
    ["tentatively accept the board review", "tentative"],
    ["accept it", "confirmed"],
  ])("by “%s”", async (message, status) => {
    const review = await invited("Board review", "Gina");
    const answer = await talkTo(api).say(message);
    expect(toolsOf(answer), answer.reply).toEqual(["respond_to_invitation"]);
    expect(await review()).toMatchObject({ status, awaitsAnswer: false });
    expect(answer.reply).toContain("Board review");
  });

  it("with a comment for the organizer", async () => {
    const review = await invited("Board review", "Gina");
    const answer = await talkTo(api).say("decline it and say I'm travelling");
    expect(answer.actions[0].input).toMatchObject({ response: "declined", comment: "I'm travelling" });
    expect(await review()).toMatchObject({ myResponse: "declined" });
    expect(answer.reply).toContain("The organizer has been told.");
  });

  it("after a question if several match", async () => {
    const review = await invited("Board review", "Gina");
    const other = await invited("Board lunch", "Gina", "20261121T110000Z");
    const { say } = talkTo(api);
    const question = await say("accept the invitation from Gina");
    expect(question.reply).toMatch(/1\. Board review.*\n2\. Board lunch/);
    expect(question.actions).toEqual([]);
    await say("the second one");
    expect(await other()).toMatchObject({ status: "confirmed" });
    expect(await review()).toMatchObject({ awaitsAnswer: true });
  });

  it("as a whole series, or for one day of it", async () => {
    const weekly = await invited("Strategy sync", "Gina", "20261120T100000Z", "RRULE:FREQ=WEEKLY;COUNT=5");
    const { say } = talkTo(api);
    await say("accept the strategy sync");
    expect(await weekly()).toMatchObject({ status: "confirmed", rrule: expect.any(String) });
    const one = await say("decline the strategy sync on 27 november");
    expect(one.actions[0].result).toMatchObject({ status: "cancelled", occurrence: "2026-11-27T10:00:00.000Z" });
    expect(await weekly()).toMatchObject({ status: "confirmed" });
  });

  it("does not make a time busy before it is accepted", async () => {
    await invited("Board review", "Gina");
    const { say } = talkTo(api);
    expect((await say("am I free on friday at 11am?")).reply).toMatch(/^Yes/);
    await say("accept the board review");
    expect((await say("am I free on friday at 11am?")).reply).toMatch(/^No/);
  });

  it("again with another response, and says so when there is none", async () => {
    const review = await invited("Board review", "Gina");
    const { say } = talkTo(api);
    await say("decline the board review");
    await say("accept the board review");
    expect(await review()).toMatchObject({ status: "confirmed" });
    expect((await say("decline the invitation from Zoe")).reply).toContain("no invitation");
    expect((await say("accept it")).reply).toContain("No invitation waits");
  });
});

describe("an invitation that was imported is answered in the chat", () => {
  beforeEach(emptyWednesday);

  it("by the name of who sent it", async () => {
    const people = "ORGANIZER;CN=Mira:mailto:mira@example.org\nATTENDEE:mailto:hello@example.com";
    const body = ics("REQUEST", "chat-imported", 0, `DTSTART:20261120T100000Z\nSUMMARY:Board review\n${people}`);
    const from = "Mira Lang <mira@example.org>";
    const kind = "invitation";
    const email = await api.post("/api/emails", { from, to: "hello@example.com", subject: "Board", body, kind });
    const answer = await talkTo(api).say("accept the invitation from Mira");
    expect(toolsOf(answer), answer.reply).toEqual(["respond_to_invitation"]);
    expect(answer.actions[0].input).toMatchObject({ emailId: email.body.id, response: "accepted" });
    expect(answer.reply).toContain("Board review");
    const { body: found } = await api.get(`/api/emails/${email.body.id}/invitation`);
    expect(found.data[0]).toMatchObject({ state: "answered", event: { status: "confirmed" } });
  });
});
