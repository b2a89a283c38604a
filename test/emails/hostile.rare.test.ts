import { beforeEach, describe, expect, it } from "vitest";
import { talkTo } from "../ai/chatting.ts";
import { beginClean } from "../clean-slate.ts";
import { service } from "../harness.ts";
import { deliverQueue } from "../queued.ts";
import { deliver } from "./deliver.ts";

/*
 * Texts that once stopped the service: each of these took minutes, or for ever. A test that waits that long fails.
 */

beforeEach(beginClean);

const api = service();
const folded = (text: string) => text.replaceAll(/.{900}/gs, "$&\n ");

async function stored(raw: string) {
  expect(await deliver(raw, { to: "hello@example.com" })).toBeNull();
  const { body } = await api.get("/api/emails");
  return (await api.get(`/api/emails/${body.data[0].id}`)).body;
}

describe("an email that was made to stop the service is stored", () => {
  it.each([
    ["with quotes that have no end", `Content-Type: text/plain; x=${folded('\\"'.repeat(240_000))}\n\nHello`, "Hello"],
    ["with comments that have no end", `Content-Disposition: inline${folded(" (".repeat(200_000))}\n\nHello`, "Hello"],
    [
      "with spaces that have no end",
      `Content-Transfer-Encoding: quoted-printable\n\nHello${" ".repeat(400_000)}there`,
      "Hello",
    ],
    ["of empty lines", `Content-Type: text/plain\n\nHello${"\n".repeat(800_000)}`, "Hello"],
    [
      "of lines that look like boundaries",
      `${Array.from({ length: 90 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join("")}\nHello\n${"--x\n".repeat(300_000)}`,
      "Hello",
    ],
    [
      "with text before parts that never come",
      `Content-Type: multipart/mixed; boundary=b\n\nHello\n${"\n".repeat(290_000)}`,
      "Hello",
    ],
  ])("%s", async (_, raw, text) => {
    const email = await stored(`From: a@x.org\nSubject: Still here\n${raw}`);
    expect(email).toMatchObject({ subject: "Still here", body: expect.stringContaining(text) });
  });

  it("with more headers than are read: with fewer details, and whole in the raw message", async () => {
    const part = `--b\nContent-Type: text/plain\nX: ${folded("y".repeat(300_000))}\n\nHello\n`;
    const raw = `From: a@x.org\nSubject: Many\nContent-Type: multipart/mixed; boundary=b\n\n${part.repeat(12)}--b--\n`;
    const email = await stored(raw);
    expect(email).toMatchObject({ subject: "Many", body: expect.stringContaining("Hello") });
    expect((await api.get(`/api/emails/${email.id}/raw`)).text.length).toBeGreaterThan(3_000_000);
  });

  it("with more parts than are read: it says so, and is whole in the raw message", async () => {
    const raw = `From: a@x.org\nSubject: Parts\nContent-Type: multipart/mixed; boundary=b\n\n${"--b\n\nHi\n".repeat(600_000)}`;
    const email = await stored(raw);
    expect(email).toMatchObject({
      subject: "Parts",
      body: expect.stringMatching(/^Hi\n(?:.|\n)*has more parts.*raw message/),
    });
    expect((await api.get(`/api/emails/${email.id}/raw`)).text).toBe(raw.replaceAll("\n", "\r\n"));
  });

  it("with texts of millions of lines", async () => {
    const part = `--b\nContent-Type: text/plain\n\nHello${"\n".repeat(1_000_000)}`;
    const email = await stored(
      `From: a@x.org\nSubject: Lines\nContent-Type: multipart/mixed; boundary=b\n\n${part.repeat(6)}--b--\n`,
    );
    expect(email).toMatchObject({ subject: "Lines", body: expect.stringContaining("Hello") });
  });

  it("with more addresses than are read: the first hundred are whole, and it says so", async () => {
    const people = Array.from({ length: 2000 }, (_, at) => `"Person, ${at}" <p${at}@x.org>`);
    const raw = `Cc: ${folded("a: ".repeat(130_000))}\nTo: ${people.join(",\n ")}\nFrom: Ann <ann@x.org>\nSubject: All\n\nHello\n`;
    const email = await stored(raw);
    expect(email).toMatchObject({ from: { name: "Ann", email: "ann@x.org" }, subject: "All", cc: [] });
    expect(email.body).toMatch(/^Hello\n\n\[This message has more recipients than are listed/);
    expect(email.to).toEqual(people.slice(0, 100).map((_, at) => ({ name: `Person, ${at}`, email: `p${at}@x.org` })));
  });

  it("with a sender who is too long to be read: nobody is taken for the sender", async () => {
    const raw = `From: bank@example.com${folded(" (x)".repeat(9000))}, eve@x.org\nSubject: Long\n\nHello\n`;
    expect(await stored(raw)).toMatchObject({ subject: "Long", from: { name: "", email: "ann@example.com" } });
  });

  it("with an invitation in a time zone that changes every second", async () => {
    const zone =
      "BEGIN:VTIMEZONE\nTZID:Odd\nBEGIN:STANDARD\nDTSTART:19700101T000000\nRRULE:FREQ=SECONDLY\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:STANDARD\nEND:VTIMEZONE";
    const calendar = `BEGIN:VCALENDAR\nMETHOD:REQUEST\n${zone}\nBEGIN:VEVENT\nUID:odd@x.org\nORGANIZER:mailto:a@x.org\nDTSTART;TZID=Odd:20310106T090000\nSUMMARY:Odd\nEND:VEVENT\nEND:VCALENDAR`;
    const email = await stored(
      `From: a@x.org\nSubject: Odd\nContent-Type: text/calendar; method=REQUEST\n\n${calendar}\n`,
    );
    expect(email.subject).toBe("Odd");
  });
});

describe("a calendar file that was made to stop the service", () => {
  async function imported(text: string) {
    const headers = { "content-type": "text/calendar" };
    const { body } = await api.post("/api/calendar/import", undefined, {
      raw: `BEGIN:VCALENDAR\n${text}END:VCALENDAR\n`,
      headers,
    });
    await deliverQueue();
    return (await api.get(`/api/calendar/import/${body.id}`)).body;
  }
  const event = (uid: string, zone = "E") =>
    `BEGIN:VEVENT\nUID:${uid}\nSUMMARY:One\nDTSTART;TZID=${zone}:20310106T090000\nEND:VEVENT\n`;

  it("with 100,000 events of one UID says how many it left out", async () => {
    const job = await imported("BEGIN:VEVENT\nUID:a\nDTSTART:20310106T090000Z\nEND:VEVENT\n".repeat(100_000));
    expect(job).toMatchObject({ state: "succeeded", result: { created: 1, skipped: 99_000 } });
    expect(job.result.problems).toEqual([{ uid: "a", reason: expect.stringMatching(/^99000 of the events/) }]);
  });

  it("with a long time zone and many events says that it did not read the zone", async () => {
    const zone = `BEGIN:VTIMEZONE\nTZID:E\n${"X-NOTHING:0123456789\n".repeat(40_000)}END:VTIMEZONE\n`;
    const job = await imported(`${zone}${Array.from({ length: 400 }, (_, at) => event(`e${at}`)).join("")}`);
    expect(job).toMatchObject({ state: "succeeded", result: { created: 0, skipped: 400 } });
    expect(job.result.problems[0]).toEqual({ uid: "", reason: expect.stringContaining("1 × VTIMEZONE: not read") });
  });

  it("takes a time zone by its exact name", async () => {
    const zone = (id: string, offset: string) =>
      `BEGIN:VTIMEZONE\nTZID:${id}\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:${offset}\nTZOFFSETTO:${offset}\nEND:STANDARD\nEND:VTIMEZONE\n`;
    const job = await imported(`${zone("Home", "+0900")}${zone("Home Office", "+0530")}${event("x", "Home Office")}`);
    expect(job.result).toMatchObject({ created: 1, problems: [] });
    const { body } = await api.get("/api/calendar/events?start=2031-01-01T00:00:00Z&end=2031-02-01T00:00:00Z");
    expect(body.data[0].start).toBe("2031-01-06T03:30:00.000Z");
  });
});

describe("a chat message that was made to stop the service is answered", () => {
  it.each([
    ["and ", 2000],
    ["milk, eggs, bread, ", 60],
    ["hi  ", 1500],
    ["please ", 1100],
    ["remind me to ", 600],
    ["any new mail ", 600],
    ['"', 8000],
    ["(", 8000],
    ["\\", 8000],
    ["no no, ", 1100],
    ["move it and the other one to friday ", 220],
    ["find emails about x -y x -y x -y x -y x -y x -y x -y x -y x -y x -y x -y x -y x -y x -y x -y x -y x -y x -y", 1],
  ])("%s × %i", async (piece, times) => {
    const { reply } = await talkTo(api).say(`x ${piece.repeat(times)}`.trim().slice(0, 8000));
    expect(reply).not.toBe("");
    expect(reply).not.toContain("must not have");
    expect((await talkTo(api).say(piece.repeat(times).trim().slice(0, 8000))).reply).not.toBe("");
  });
});
