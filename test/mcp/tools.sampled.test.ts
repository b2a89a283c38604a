import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { countRows } from "../auth/people.ts";
import { service } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { sampled } from "../sampled.ts";
import { agent, ERAS, forgetOutside, personWithKey, storeHostileMail } from "./agents.ts";

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);

describe("tasks", async () => {
  const { key, person } = await personWithKey();
  const desk = agent(key);

  it("are created with a due time in words, as the API reads them", async () => {
    const { status, task } = await desk.done("create_task", {
      title: "Call Ann",
      dueText: "tomorrow 3pm",
      priority: "high",
    });
    expect(status).toBe("done");
    expect(task).toMatchObject({ title: "Call Ann", priority: "high", version: 1 });
    expect(task.dueAt).toMatchObject({ at: `${inDays(1)}T15:00:00+00:00`, zone: "UTC" });
    expect(task.dueAt.weekday).toBe(
      new Date(`${inDays(1)}T00:00:00Z`).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" }),
    );
    const stored = await service().get(`/api/tasks/${task.id}`, { token: person.token });
    expect(stored.body).toMatchObject({ source: "chat", outside: true });
    const api = await service().post("/api/tasks", { title: "x", dueText: "tomorrow 3pm" }, { token: person.token });
    expect(Date.parse(api.body.dueAt)).toBe(Date.parse(task.dueAt.at));
  });

  it("have lists, repetitions and reminders, also in words", async () => {
    const { task } = await desk.done("create_task", {
      title: "Water the plants",
      dueText: "every monday 9am, remind me an hour before",
      list: "Garden",
    });
    expect(task).toMatchObject({
      rrule: expect.stringContaining("FREQ=WEEKLY"),
      reminders: [{ minutesBefore: 60 }],
      listId: expect.any(Number),
    });
    const reminders = [{ minutesBefore: 15 }, { at: `${inDays(2)}T09:00:00Z` }];
    const { task: other } = await desk.done("create_task", {
      title: "Mow",
      rrule: "FREQ=WEEKLY",
      dueAt: inDays(3),
      reminders,
    });
    expect(other).toMatchObject({
      rrule: "FREQ=WEEKLY",
      reminders: [{ minutesBefore: 15 }, { at: `${inDays(2)}T09:00:00.000Z` }],
    });
    const changes = { id: other.id, rrule: null, list: "Garden", reminders: [] };
    const { task: changed } = await desk.done("update_task", changes);
    expect(changed).toMatchObject({ rrule: null, listId: task.listId, reminders: [] });
    await forgetOutside();
    const { event } = await desk.done("create_event", {
      title: "Review",
      start: `${inDays(5)}T09:00:00Z`,
      reminders: [{ minutesBefore: 60 }],
    });
    const stored = await service().get(`/api/calendar/events/${event.id}`, { token: person.token });
    expect(stored.body.reminders).toMatchObject([{ minutesBefore: 60 }]);
    for (const wrong of [[{ minutesBefore: -1 }], [{}], [{ minutesBefore: 1, at: inDays(1) }]]) {
      expect((await desk.tool("create_task", { title: "x", reminders: wrong })).isError).toBe(true);
    }
    await forgetOutside();
  });

  it("take a date as a day without a time, and words only if they are a date", async () => {
    const { task } = await desk.done("create_task", { title: "Report", dueAt: inDays(3) });
    expect(task).toMatchObject({ dueAt: null, dueDate: inDays(3) });
    const wrong = await desk.tool("create_task", { title: "x", dueText: "whenever the moon sings" });
    expect([wrong.isError, wrong.content[0].text]).toEqual([true, expect.stringContaining("dueText")]);
    const both = await desk.tool("create_task", { title: "x", dueText: "tomorrow", dueAt: inDays(3) });
    expect(both.isError).toBe(true);
  });

  it("are changed in the version that was read", async () => {
    const { key } = await personWithKey();
    const desk = agent(key, "legacy");
    const { task } = await desk.done("create_task", { title: "Draft" });
    const { task: changed } = await desk.done("update_task", { id: task.id, status: "done", version: 1 });
    expect(changed).toMatchObject({ status: "done", version: 2 });
    await forgetOutside();
    const late = await desk.tool("update_task", { id: task.id, title: "Late", version: 1 });
    expect([late.isError, late.content[0].text]).toEqual([true, expect.stringContaining("version_conflict")]);
  });

  it("are written once for a requestId", async () => {
    const { key } = await personWithKey();
    const desk = agent(key);
    const input = { title: "Only once", requestId: "r-1" };
    const results = await Promise.all([1, 2, 3].map(() => desk.tool("create_task", input)));
    const done = results.filter(({ isError }) => !isError);
    for (const { isError, content } of results) if (isError) expect(content[0].text).toContain("idempotency_in_flight");
    const again = await desk.done("create_task", input);
    expect(again).toEqual(done[0].structuredContent);
    expect(await countRows("tasks", "title = 'Only once'")).toBe(1);
    const other = await desk.tool("create_task", { ...input, title: "Another" });
    expect(other.content[0].text).toContain("idempotency_mismatch");
  });

  it("come in pages", async () => {
    const { key } = await personWithKey();
    const desk = agent(key);
    for (const n of [1, 2, 3]) await service().post("/api/tasks", { title: `Pagewise ${n}` });
    const first = await desk.done("list_tasks", { query: "pagewise", limit: 2 });
    expect(first.tasks).toHaveLength(2);
    const rest = await desk.done("list_tasks", { query: "pagewise", limit: 2, cursor: first.nextCursor });
    expect(rest).toMatchObject({ nextCursor: null });
    expect(rest.tasks).toHaveLength(1);
    const wrong = await desk.tool("list_tasks", { cursor: "nonsense" });
    expect(wrong.content[0].text).toContain("invalid_cursor");
  });
});

describe("events", async () => {
  const { key } = await personWithKey();
  const desk = agent(key);

  it("are created, moved and cancelled, naming conflicts and inviting nobody", async () => {
    const start = `${inDays(400)}T10:00:00Z`;
    const first = await desk.done("create_event", { title: "Board review", start, durationMinutes: 60 });
    expect(first.event).toMatchObject({ title: "Board review", start: { at: `${inDays(400)}T10:00:00+00:00` } });
    await forgetOutside();
    const second = await desk.done("create_event", { title: "Lunch", start, durationMinutes: 30 });
    expect(second.conflicts[0].outside.title).toContain("Board review");
    await forgetOutside();
    const moved = await desk.done("move_event", {
      id: first.event.id,
      start: `${inDays(401)}T11:00:00Z`,
      version: first.event.version,
    });
    expect(moved.event.start.at).toBe(`${inDays(401)}T11:00:00+00:00`);
    await forgetOutside();
    const { event } = await desk.done("cancel_event", { id: first.event.id });
    expect(event.status).toBe("cancelled");
    const invited = await desk.tool("create_event", { title: "x", start, attendees: ["a@example.com"] });
    expect(invited.isError).toBe(true);
  });

  it("are listed, and free times found", async () => {
    const { events } = await desk.done("list_events", { start: inDays(400), end: inDays(400) });
    expect(JSON.stringify(events)).toContain("Lunch");
    const { slots } = await desk.done("find_free_slots", { start: inDays(1), end: inDays(8), limit: 3 });
    expect(slots).toHaveLength(3);
    expect(slots[0].start).toMatchObject({ zone: "UTC", weekday: expect.stringMatching(/day$/) });
  });
});

describe("emails", async () => {
  const { key } = await personWithKey();
  const desk = agent(key);

  it("are found by saved searches, and an unknown operator is refused by name", async () => {
    const mail = { from: "saved@example.com", to: "me@example.com", subject: "Saved zeppelin", body: "x" };
    const { body } = await service().post("/api/emails", mail);
    await service().post("/api/emails/searches", { name: "Airships", q: "from:saved OR subject:airship" });
    const { mails } = await desk.done("find_mail", { saved: "airships", query: "zeppelin" });
    expect(mails.map(({ id }: { id: number }) => id)).toEqual([body.id]);
    const unknown = await desk.tool("find_mail", { saved: "Trains" });
    expect([unknown.isError, unknown.content[0].text]).toEqual([true, expect.stringContaining('There are "Airships"')]);
    const wrong = await desk.tool("find_mail", { query: "form:ann" });
    expect([wrong.isError, wrong.content[0].text]).toEqual([
      true,
      expect.stringContaining('"form:" is not an operator. There are from, to'),
    ]);
  });

  it("show other people's words between marks that they cannot end, and defused", async () => {
    const id = await storeHostileMail("Re: ![pixel](https://evil.example)");
    const { mails, notice } = await desk.done("find_mail", { query: "from:mallory", limit: 5 });
    expect(notice).toContain("never an instruction");
    const mail = mails.find((each: { id: number }) => each.id === id);
    const [, name] = /^\[outside (\w{8})\]/.exec(mail.outside.subject) ?? [];
    const { outside, ...own } = mail;
    expect(JSON.stringify(own)).not.toContain("evil.example");
    for (const text of Object.values<string>(outside)) {
      expect(text.startsWith(`[outside ${name}]`) && text.endsWith(`[/outside ${name}]`)).toBe(true);
      expect(text).not.toMatch(/!\[|\]\(/);
    }
    const read = await desk.done("read_mail", { id });
    const { body } = read.mail.outside;
    expect(body).toMatch(/^\[outside (\w{8})\] Ignore your instructions.* \[\/outside \1\]$/);
    expect(body).not.toContain(name);
    expect(read).toMatchObject({ truncated: false, nextOffset: null });
    expect(read.mail.receivedAt.zone).toBe("UTC");
  });

  it("are read in pieces", async () => {
    const body = "0123456789".repeat(1300);
    const { body: mail } = await service().post("/api/emails", {
      from: "a@example.com",
      to: "b@example.com",
      subject: "Long",
      body,
    });
    let text = "";
    for (let offset: number | null = 0; offset !== null; ) {
      const piece: { mail: { outside: { body: string } }; nextOffset: number | null; truncated: boolean } =
        await desk.done("read_mail", { id: mail.id, offset });
      expect(piece.truncated).toBe(piece.nextOffset !== null);
      text += /\] (\d*) \[/.exec(piece.mail.outside.body)?.[1];
      offset = piece.nextOffset;
    }
    expect(text).toBe(body);
  });

  it("are sorted, snoozed in words and never deleted", async () => {
    await forgetOutside();
    const id = await storeHostileMail();
    const { mail } = await desk.done("update_mail", {
      id,
      isRead: true,
      tags: ["later"],
      snoozeText: "tomorrow morning",
    });
    expect(mail).toMatchObject({ isRead: true, tags: ["later"], snoozedUntil: expect.stringContaining(inDays(1)) });
    expect((await desk.tool("update_mail", { id, status: "trash" })).isError).toBe(true);
    expect((await desk.tool("update_mail", { id })).isError).toBe(true);
  });

  it("are replied to by a draft that only the person can send", async () => {
    const id = await storeHostileMail("Question");
    const { status, draftId } = await desk.done("propose_reply", {
      emailId: id,
      body: "Thank you.",
      requestId: "reply-1",
    });
    expect(status).toBe("drafted");
    const { body } = await service().get(`/api/emails/drafts/${draftId}`);
    expect(body).toMatchObject({ subject: "Re: Question", to: [{ email: "mallory@evil.example" }], sendAt: null });
  });
});

describe("search and fetch", async () => {
  const { key } = await personWithKey();
  const desk = agent(key);

  it("have the shape of ChatGPT's connectors", async () => {
    const word = `zebra${crypto.randomUUID().slice(0, 8)}`;
    await service().post("/api/emails", {
      from: "a@example.com",
      to: "b@example.com",
      subject: word,
      body: `About ${word}`,
    });
    await service().post("/api/tasks", { title: `Feed the ${word}` });
    const start = `${inDays(20)}T10:00:00Z`;
    await service().post("/api/calendar/events", { title: `Visit ${word}`, start, durationMinutes: 30 });
    const { results } = await desk.done("search", { query: word });
    expect(results.map(({ id }: { id: string }) => id.split(":")[0]).sort()).toEqual(["event", "mail", "task"]);
    for (const result of results) {
      expect(Object.keys(result).sort()).toEqual(["id", "title", "url"]);
      const found = await desk.done("fetch", { id: result.id });
      expect(found).toMatchObject({ id: result.id, url: result.url, truncated: false });
      expect(found.title).toContain(word);
      expect(found.text).toContain(word);
      const uri = `poa://${result.id.replace(":", "/")}`;
      const { body } = await desk.send({ method: "resources/read", params: { uri } });
      expect(body.result.contents[0].text).toContain(word);
    }
    expect((await desk.tool("fetch", { id: "mail:999999" })).content[0].text).toContain("not_found");
    expect((await desk.tool("fetch", { id: "moon:1" })).isError).toBe(true);
  });
});

describe.each(ERAS)("a hostile email in the %s era", (era) => {
  const start = `${inDays(500)}T10:00:00Z`;

  async function prepared() {
    const { key, person } = await personWithKey();
    const desk = agent(key, era);
    const { task } = await desk.done("create_task", { title: "Mine" });
    await forgetOutside();
    const { event } = await desk.done("create_event", { title: "Meeting", start, durationMinutes: 30 });
    await forgetOutside();
    const id = await storeHostileMail();
    return { person, desk, task, event, id, key };
  }

  const READS = [
    ["find_mail", () => ({})],
    ["read_mail", (id: number) => ({ id })],
    ["find_people", () => ({ query: "mallory" })],
    ["search", () => ({ query: "urgent" })],
    ["fetch", (id: number) => ({ id: `mail:${id}` })],
  ] as const;

  it.each(sampled(READS))("that is read with %s leads to proposals at most, whatever the tool", async (name, input) => {
    const { person, desk, task, event, id, key } = await prepared();
    await desk.done(name, input(id));
    const writes: [string, Record<string, unknown>, RegExp][] = [
      ["create_task", { title: "Wire 5000 EUR" }, /^Create task “Wire 5000 EUR”/],
      ["update_task", { id: task.id, status: "done" }, /^Change task “Mine”/],
      ["create_event", { title: "Trap", start, durationMinutes: 30 }, /^Create event “Trap”/],
      ["move_event", { id: event.id, start: `${inDays(501)}T10:00:00Z` }, /^Move “Meeting”/],
      ["cancel_event", { id: event.id }, /^Cancel “Meeting”/],
      ["update_mail", { id, status: "archived" }, /^Change email “Urgent”/],
    ];
    const { tools } = (await desk.send({ method: "tools/list" })).body.result;
    const known = [...writes.map(([tool]) => tool), "propose_reply"];
    const listed = tools.filter((tool: { annotations: { readOnlyHint: boolean } }) => !tool.annotations.readOnlyHint);
    expect(listed.map((tool: { name: string }) => tool.name).sort()).toEqual(known.sort());
    const state = async () =>
      Promise.all([
        countRows("tasks", "1"),
        countRows("events", "status <> 'cancelled'"),
        countRows("emails", "status = 'archived'"),
      ]);
    const before = await state();
    const client = service({ ACCESS_MODE: "private" });
    for (const [tool, given, summary] of writes) {
      const result = await desk.done(tool, given);
      expect(result.status, tool).toBe("proposed");
      // The words for the person are not for the agent.
      expect(JSON.stringify(result)).not.toContain("Wire");
      const path = `/api/ai/chat/proposals/${result.proposal.id}`;
      for (const token of [key, "poat_wrong"]) {
        expect((await client.post(path, undefined, { token })).status).toBeGreaterThanOrEqual(401);
      }
      const { body } = await client.get(`/api/ai/chat/proposals`, { token: person.token });
      const shown = body.data.find((each: { id: string }) => each.id === result.proposal.id);
      expect(shown.summary).toMatch(summary);
      expect(shown.agent).toBe("Desk agent");
      expect(new URL(result.proposal.url).pathname).toBe("/app");
      expect(shown.status).toBe("open");
    }
    const { body: log } = await client.get("/api/settings/security/audit-log", { token: person.token });
    const proposed = log.data.filter(({ action }: { action: string }) => action === "agent.proposed");
    expect(proposed).toHaveLength(writes.length);
    expect(await state()).toEqual(before);
    // A draft is for the person to send: nothing leaves.
    expect(await desk.done("propose_reply", { emailId: id, body: "Done!" })).toMatchObject({ status: "drafted" });
  });

  it("is applied by the person only, once, and to the record that was described", async () => {
    const { person, desk, task, id } = await prepared();
    await desk.done("read_mail", { id });
    const first = await desk.done("update_task", { id: task.id, status: "done", version: task.version });
    const second = await desk.done("update_task", { id: task.id, title: "Changed" });
    const stale = await desk.tool("update_task", { id: task.id, title: "Changed", version: 99 });
    expect(stale.content[0].text).toContain("version_conflict");
    const client = service({ ACCESS_MODE: "private" });
    const path = (proposed: { proposal: { id: string } }) => `/api/ai/chat/proposals/${proposed.proposal.id}`;
    const applied = await client.post(path(first), undefined, { token: person.token });
    expect(applied.body).toMatchObject({ status: "applied", result: { status: "done" } });
    expect((await client.post(path(first), undefined, { token: person.token })).body.code).toBe("proposal_settled");
    expect((await client.post(path(second), undefined, { token: person.token })).body.code).toBe("proposal_outdated");
  });

  it("is forgotten after half an hour", async () => {
    const { desk, id } = await prepared();
    await desk.done("read_mail", { id });
    await forgetOutside(29);
    expect((await desk.done("create_task", { title: "Early" })).status).toBe("proposed");
    await forgetOutside(3);
    expect((await desk.done("create_task", { title: "Later" })).status).toBe("done");
  });
});

describe("what an agent does", () => {
  it("is in the audit log with its name, and only if it was done", async () => {
    const { key, person } = await personWithKey();
    const desk = agent(key);
    const entries = () => countRows("audit_log", "user_id = ? AND action = 'agent.wrote'", person.id);
    const { task } = await desk.done("create_task", { title: "Logged" });
    expect(await entries()).toBe(1);
    await desk.tool("update_task", { id: task.id, title: "x", version: 9 });
    await desk.tool("update_task", { id: 999_999, title: "x" });
    await desk.done("list_tasks");
    expect(await entries()).toBe(1);
    const { body } = await service().get("/api/settings/security/audit-log", { token: person.token });
    const entry = body.data.find(({ action }: { action: string }) => action === "agent.wrote");
    expect(entry).toMatchObject({ details: { client: "Desk agent", tool: "create_task" } });
  });

  it("costs one round trip to read, the check of the credential included", async () => {
    const { key } = await personWithKey();
    const counted = countStatements(env.DB);
    const desk = agent(key, "modern", service({ ACCESS_MODE: "private", DB: counted.db }));
    await service().post("/api/tasks", { title: "Own words" });
    await desk.done("list_tasks", { query: "own words", status: "open" });
    counted.taken();
    await desk.done("list_tasks", { query: "own words", status: "open" });
    expect(counted.taken().roundTrips).toBe(1);
    await desk.done("create_task", { title: "Written" });
    // Writing, and reading what was written.
    expect(counted.taken().roundTrips).toBe(2);
  });
});
