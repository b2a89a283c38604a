import { describe, expect, it } from "vitest";
import { insertCheapPerson, openSession } from "../auth/people.ts";
import hello from "../fixtures/hello.eml?raw";
import { service } from "../harness.ts";
import { deliver, deliverAndAnalyse } from "./deliver.ts";

const api = service();

async function received(query: string) {
  const list = await api.get(`/api/emails?${query}`);
  const ids: number[] = list.body.data.map((mail: { id: number }) => mail.id);
  return Promise.all(ids.map(async (id) => (await api.get(`/api/emails/${id}`)).body));
}

describe("inbound mail", () => {
  it("is read with its encoded words, parts and attachments", async () => {
    expect(await deliver(hello)).toBeNull();
    const [mail] = await received("tag=hello");
    expect(mail).toMatchObject({
      messageId: "<hello-2026-11-16@example.com>",
      source: "inbound",
      direction: "inbound",
      from: { name: "Ann Müller", email: "ann@example.com" },
      to: [{ name: "Ada Lovelace", email: "hello@example.com" }],
      subject: "Contract for March – signature needed",
      attachments: [{ name: "notes.txt", type: "text/plain", size: 27 }],
      tags: ["hello"],
      status: "inbox",
      isRead: false,
    });
    expect(mail.body).toContain("signed contract by Friday 5pm?\nPlease book a room for the workshop – six people.");
    expect(mail.html).toContain("<p>Hi Ada,</p>");
    const { body } = await api.get(`/api/tasks?emailId=${mail.id}&status=all&sort=created`);
    expect(body.data.map((task: { title: string }) => task.title)).toEqual([
      "Book a room for the workshop – six people",
      "Send the signed contract",
    ]);
  });

  it("is stored once however often it is delivered, also at the same time", async () => {
    const raw = "From: a@example.com\nMessage-ID: <twice@example.com>\nSubject: Twice\n\nPlease sign this.\n";
    await Promise.all(Array.from({ length: 6 }, () => deliver(raw, { to: "twice@example.com" })));
    await deliver(raw, { to: "twice@example.com" });
    const mails = await received("tag=twice");
    expect(mails).toHaveLength(1);
    expect((await api.get(`/api/tasks?emailId=${mails[0].id}&status=all`)).body.data).toHaveLength(1);
  });

  it("to two of our inboxes gets both tags", async () => {
    const raw = "From: a@example.com\nTo: one@example.com, two@example.com\nMessage-ID: <both@x>\n\nHello both\n";
    await deliver(raw, { to: "one@example.com" });
    await deliver(raw, { to: "two@example.com" });
    const [mail, ...more] = await received("tag=two");
    expect(more).toEqual([]);
    expect(mail.tags).toEqual(["one", "two"]);
  });

  it("without a Message-ID is known by its bytes", async () => {
    const raw = "From: a@example.com\nSubject: Nameless\n\nHello\n";
    for (const text of [raw, raw, raw.replace("Hello", "Goodbye")]) await deliver(text, { to: "nameless@example.com" });
    expect(await received("tag=nameless")).toHaveLength(2);
  });

  it("with a broken Message-ID is still told from others, and taken once", async () => {
    for (const id of ["<2026 one@x>", "<2026 two@x>", "no-brackets@x", ">odd<", "<>", `<${"long".repeat(500)}>`]) {
      const raw = `From: a@example.com\nMessage-ID: ${id}\nSubject: ${id.slice(0, 20)}\n\nHello\n`;
      await deliver(raw, { to: "broken@example.com" });
      await deliver(raw, { to: "broken@example.com" });
    }
    expect(await received("tag=broken")).toHaveLength(6);
  });

  it("is threaded by References and In-Reply-To", async () => {
    const mail = (id: string, more = "") => `From: a@example.com\nMessage-ID: <${id}>\n${more}Subject: T\n\nHi\n`;
    await deliver(mail("r1@x"), { to: "threaded@example.com" });
    await deliver(mail("r2@x", "In-Reply-To: <r1@x>\n"), { to: "threaded@example.com" });
    await deliver(mail("r3@x", "References: <r1@x>\n <r2@x>\n"), { to: "threaded@example.com" });
    const mails = await received("tag=threaded");
    expect(new Set(mails.map((each) => each.threadId)).size).toBe(1);
    expect(mails.map((each) => each.threadCount)).toEqual([3, 3, 3]);
  });

  it("follows INBOUND_TASKS", async () => {
    const raw = "From: a@example.com\nSubject: Budget\n\nPlease review the budget.\n";
    const titles = async (mode: string) => {
      await deliver(`X-Mode: ${mode}\n${raw}`, { to: `mode-${mode}@example.com`, vars: { INBOUND_TASKS: mode } });
      const [mail] = await received(`tag=mode-${mode}`);
      const { body } = await api.get(`/api/tasks?emailId=${mail.id}&status=all`);
      return body.data.map((task: { title: string }) => task.title);
    };
    expect(await titles("none")).toEqual([]);
    expect(await titles("every")).toEqual(["Budget"]);
    expect(await titles("action_items")).toEqual(["Review the budget"]);
  });

  it("is kept and analysed whatever time it names", async () => {
    const raw =
      "From: a@example.com\nSubject: Far\n\nPlease call at 3pm ET in 99999 centuries. The deadline is in 99999 centuries.\n";
    expect(await deliverAndAnalyse(raw, { to: "far@example.com" })).toBeNull();
    const [mail] = await received("tag=far");
    expect(mail.analysis.insights).toEqual([]);
    const { body } = await api.get(`/api/tasks?emailId=${mail.id}&status=all`);
    expect(body.data).toMatchObject([{ title: expect.stringContaining("Call"), dueAt: null }]);
  });

  it("names its times by the owner's clocks, for its tasks and its analysis", async () => {
    const owner = await insertCheapPerson();
    const { token } = await openSession(owner.id);
    await api.patch("/api/settings/profile", { timeZone: "Asia/Tokyo" }, { token });
    const raw = "From: a@example.com\nSubject: Contract\n\nPlease send the contract by 20 November 2030 5pm.\n";
    await deliverAndAnalyse(raw, { to: "clocks@example.com", vars: { OWNER_EMAIL: owner.email } });
    const [mail] = await received("tag=clocks");
    const { body } = await api.get(`/api/tasks?emailId=${mail.id}&status=all`);
    expect(body.data).toMatchObject([{ dueAt: "2030-11-20T08:00:00.000Z" }]);
    expect(mail.analysis.actionItems).toMatchObject([{ dueAt: "2030-11-20T08:00:00.000Z" }]);
  });

  it("with an invitation of dates, or of times without a zone, means the owner's days and clocks", async () => {
    const owner = await insertCheapPerson();
    const { token } = await openSession(owner.id);
    const send = async (timeZone: string, sequence: number, lines: string) => {
      await api.patch("/api/settings/profile", { timeZone }, { token });
      const mail = { from: "grace@example.com", messageId: crypto.randomUUID(), method: "REQUEST", sequence, lines };
      await deliver(invitation(mail), { to: "zones@example.com", vars: { OWNER_EMAIL: owner.email } });
    };
    const shown = async () =>
      (await api.get("/api/calendar/events?start=2059-03-01&end=2059-04-01")).body.data.map(
        (event: { title: string; start: string }) => `${event.title} ${event.start}`,
      );
    await send("America/New_York", 0, "UID:floating\nDTSTART:20590302T090000\nSUMMARY:Floating");
    await send("America/New_York", 0, "UID:days\nDTSTART;VALUE=DATE:20590303\nRRULE:FREQ=WEEKLY;COUNT=3\nSUMMARY:Day");
    expect(await shown()).toEqual([
      "Floating 2059-03-02T14:00:00.000Z",
      "Day 2059-03-03T05:00:00.000Z",
      "Day 2059-03-10T04:00:00.000Z",
      "Day 2059-03-17T04:00:00.000Z",
    ]);
    const second = "UID:days\nRECURRENCE-ID;VALUE=DATE:20590310\nDTSTART;VALUE=DATE:20590311\nSUMMARY:Moved";
    await send("Asia/Tokyo", 1, second);
    expect((await shown()).slice(1)).toEqual([
      "Day 2059-03-03T05:00:00.000Z",
      "Moved 2059-03-11T04:00:00.000Z",
      "Day 2059-03-17T04:00:00.000Z",
    ]);
  });

  it("with an invitation brings a tentative event, which no stranger's mail cancels", async () => {
    const lines = `UID:mailed-invitation
DTSTART:20580501T090000Z
SUMMARY:Mailed
ORGANIZER:mailto:grace@example.com
ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:invited@example.com`;
    const mail = (from: string, method: string, sequence: number) =>
      invitation({ from, messageId: `${method}-${from}`, method, sequence, lines });
    const status = async () =>
      (await api.get("/api/calendar/events?start=2058-05-01&end=2058-05-02")).body.data.map(
        (event: { title: string; status: string }) => `${event.title} ${event.status}`,
      );
    await deliver(mail("noreply@calendar.example", "REQUEST", 0), { to: "invited@example.com" });
    expect(await status()).toEqual(["Mailed tentative"]);
    await deliver(mail("eve@example.com", "CANCEL", 1), { to: "invited@example.com" });
    expect(await status()).toEqual(["Mailed tentative"]);
    await deliver(mail("noreply@calendar.example", "CANCEL", 1), { to: "invited@example.com" });
    expect(await status()).toEqual(["Mailed cancelled"]);
  });

  it("under a Message-ID that is known speaks for its own sender", async () => {
    const mail = (from: string, uid: string, method: string, sequence: number) => {
      const lines = `UID:${uid}\nDTSTART:20580601T090000Z\nSUMMARY:${uid}`;
      return invitation({ from, messageId: "overheard@example.com", method, sequence, lines });
    };
    const listed = async () => (await api.get("/api/calendar/events?start=2058-06-01&end=2058-06-02")).body.data;
    await deliver(mail("grace@example.com", "overheard", "REQUEST", 0), { to: "overheard@example.com" });
    await deliver(mail("eve@example.com", "overheard", "CANCEL", 1), { to: "overheard@example.com" });
    const [event] = await listed();
    expect(event).toMatchObject({ status: "tentative", emailId: expect.any(Number) });
    await deliver(mail("eve@example.com", "of-eve", "REQUEST", 0), { to: "overheard@example.com" });
    const [, another] = await listed();
    expect(another).toMatchObject({ organizer: { email: "eve@example.com" } });
    expect(another.emailId).not.toBe(event.emailId);
    await deliver(mail("Grace@example.com", "overheard", "CANCEL", 1), { to: "overheard@example.com" });
    expect((await listed())[0].status).toBe("cancelled");
  });
});

/** A mail that is nothing but an invitation; `lines` are those of its event. */
function invitation(mail: {
  from: string;
  messageId: string;
  method: string;
  sequence: number;
  lines: string;
}): string {
  return `From: ${mail.from}
Message-ID: <${mail.messageId}>
Subject: Invitation
Content-Type: text/calendar; method=${mail.method}; charset=utf-8

BEGIN:VCALENDAR
VERSION:2.0
METHOD:${mail.method}
BEGIN:VEVENT
SEQUENCE:${mail.sequence}
${mail.lines}
END:VEVENT
END:VCALENDAR
`;
}
