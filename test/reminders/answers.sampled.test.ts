import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { EVERY_MINUTE, runSchedule } from "../../src/schedule.ts";
import { expectErrorLog, expectProblem } from "../harness.ts";
import { deliverBatch, queued, takeQueued } from "../queued.ts";
import { sampled } from "../sampled.ts";
import { asSystem, newWebhook } from "../webhooks/receiver.ts";
import {
  api,
  at,
  type Fired,
  leaveStage,
  newEvent,
  newTask,
  prefer,
  remindersOf,
  stage,
  tick,
  tokenOf,
} from "./stage.ts";

afterEach(leaveStage);

const NOON = "2026-11-18T12:00:00Z";

async function firedTask(preferences: object = {}) {
  const { owner, mail } = await stage(NOON, preferences);
  const task = await newTask({ title: "Pizza", dueAt: "2026-11-18T12:01:00Z" });
  await tick("2026-11-18T12:01:00Z", mail.vars);
  const [fired] = await remindersOf(owner);
  if (!fired) throw new Error("no reminder has fired");
  const answer = async (verb: string, body?: object) =>
    api.post(`/api/reminders/${fired.id}/${verb}`, body, await tokenOf(owner));
  return { owner, mail, task, fired, answer };
}

describe("snoozing a reminder", () => {
  it.each(
    sampled([
      [{ minutes: 10 }, "2026-11-18T12:11:00.000Z"],
      [{ until: "2026-11-18T18:00:00+01:00" }, "2026-11-18T17:00:00.000Z"],
      [{ untilText: "in 10 minutes" }, "2026-11-18T12:11:00.000Z"],
      [{ untilText: "tomorrow morning", timeZone: "Europe/Berlin" }, "2026-11-19T08:00:00.000Z"],
    ]),
  )("%j has it fire again then, once", async (snooze, until) => {
    const { owner, mail, answer } = await firedTask();
    const snoozed = await answer("snooze", snooze);
    expect(snoozed.status).toBe(200);
    expect(snoozed.body).toMatchObject({ state: "snoozed", snoozedUntil: until });
    await tick(at(until) - 1000, mail.vars);
    expect(mail.sent).toHaveLength(1);
    await tick(at(until), mail.vars);
    await tick(at(until) + 60_000, mail.vars);
    expect(mail.sent).toHaveLength(2);
    expect(await remindersOf(owner)).toMatchObject([
      {
        state: "fired",
        snoozedUntil: null,
        late: false,
        deliveries: [{}, { outcome: "sent" }, {}, { outcome: "sent" }],
      },
    ]);
  });

  it.each(
    sampled([
      [{}, "body"],
      [{ minutes: 10, untilText: "tomorrow" }, "body"],
      [{ minutes: 0 }, "minutes"],
      [{ until: "2020-01-01T00:00:00Z" }, "until"],
      [{ untilText: "when pigs fly" }, "untilText"],
      [{ minutes: 5, extra: true }, "extra"],
    ]),
  )("refuses %j", async (body, path) => {
    const { answer } = await firedTask();
    const refused = await answer("snooze", body);
    expectProblem(refused, 422, "validation_failed");
    if (path !== "body") expect(refused.body.errors[0].path).toContain(path);
  });

  it("ends with the task: one that is done, moved or deleted does not come back", async () => {
    const { owner, mail, task, answer } = await firedTask();
    await answer("snooze", { minutes: 10 });
    await api.patch(`/api/tasks/${task.id}`, { status: "done" });
    await tick("2026-11-18T12:11:00Z", mail.vars);
    expect(mail.sent).toHaveLength(1);
    const [fired] = await remindersOf(owner);
    expect(fired).toMatchObject({ state: "dismissed" });
    expect(fired?.deliveries.at(-1)).toMatchObject({ channel: null, outcome: "skipped", detail: "The task is done." });
  });

  it("that ends while nothing runs says that it is late", async () => {
    const { owner, mail, answer } = await firedTask();
    await answer("snooze", { minutes: 10 });
    await tick("2026-11-18T13:30:00Z", mail.vars);
    expect(await remindersOf(owner)).toMatchObject([{ late: true }]);
    expect(mail.sent[1]?.text).toContain("It was set for today at 12:11.");
  });

  it("ten times at once, while others dismiss it, leaves one answer, and it comes once at most", async () => {
    const { owner, mail, answer } = await firedTask();
    const snoozes = Array.from({ length: 10 }, (_, n) => answer("snooze", { minutes: 10 + n }));
    const answers = await Promise.all([...snoozes, answer("dismiss"), answer("dismiss")]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const [left] = await remindersOf(owner);
    for (let minute = 11; minute <= 31; minute += 1) await tick(at(NOON) + minute * 60_000, mail.vars);
    expect(mail.sent).toHaveLength(left?.state === "snoozed" ? 2 : 1);
  });

  it("of a task that was deleted is accepted, and nothing comes", async () => {
    const { owner, mail, task, answer } = await firedTask();
    expect((await api.delete(`/api/tasks/${task.id}`)).status).toBe(204);
    expect((await remindersOf(owner))[0]).toMatchObject({ title: null, state: "fired" });
    expect((await answer("snooze", { minutes: 1 })).status).toBe(200);
    await tick("2026-11-18T12:03:00Z", mail.vars);
    const [fired] = await remindersOf(owner);
    expect(fired).toMatchObject({ state: "dismissed" });
    expect(fired?.deliveries.at(-1)).toMatchObject({ outcome: "skipped", detail: "The task was deleted." });
    expect(mail.sent).toHaveLength(1);
    expect((await answer("dismiss")).status).toBe(200);
  });

  it("of an unknown reminder is 404", async () => {
    const { owner } = await stage(NOON);
    expectProblem(
      await api.post("/api/reminders/999999/snooze", { minutes: 5 }, await tokenOf(owner)),
      404,
      "not_found",
    );
  });
});

describe("dismissing a reminder", () => {
  it("ends it, also a snoozed one; snoozing brings it back", async () => {
    const { owner, mail, answer } = await firedTask();
    await answer("snooze", { minutes: 10 });
    expect((await answer("dismiss")).body).toMatchObject({ state: "dismissed", snoozedUntil: null });
    await tick("2026-11-18T12:11:00Z", mail.vars);
    expect(mail.sent).toHaveLength(1);
    expect(await remindersOf(owner, "?state=dismissed")).toHaveLength(1);
    expect(await remindersOf(owner, "?state=fired")).toEqual([]);
    await answer("snooze", { minutes: 1 });
    await tick("2026-11-18T12:12:00Z", mail.vars);
    expect(mail.sent).toHaveLength(2);
  });
});

describe("quiet hours", () => {
  const NIGHT = { quietHours: { start: "22:00", end: "07:00" }, eventReminderMinutes: 60 };

  it("hold a reminder until they end, unless its record is due or begins within them", async () => {
    const { owner, mail } = await stage("2026-11-18T21:00:00Z", NIGHT);
    await newEvent({ title: "Breakfast", start: "2026-11-19T07:30:00Z" });
    await newEvent({ title: "Flight", start: "2026-11-19T06:30:00Z" });
    await newTask({ title: "Pizza", dueAt: "2026-11-18T23:10:00Z" });
    await newTask({ title: "Named", reminders: [{ at: "2026-11-19T03:00:00Z" }] });
    await tick("2026-11-18T23:10:00Z", mail.vars);
    await tick("2026-11-19T03:00:00Z", mail.vars);
    await tick("2026-11-19T05:30:00Z", mail.vars);
    await tick("2026-11-19T06:30:00Z", mail.vars);
    expect(mail.sent.map(({ subject }) => subject)).toEqual(["Reminder: Pizza", "Reminder: Named", "Reminder: Flight"]);
    expect(await remindersOf(owner)).toContainEqual(
      expect.objectContaining({ title: "Breakfast", state: "fired", deliverAt: "2026-11-19T07:00:00.000Z" }),
    );
    await tick("2026-11-19T07:00:00Z", mail.vars);
    expect(mail.sent.map(({ subject }) => subject)).toContain("Reminder: Breakfast");
  });

  it("go by the person's clock, also on the night of a clock change", async () => {
    const { owner, mail } = await stage("2026-10-24T20:00:00Z", { quietHours: { start: "23:00", end: "07:00" } });
    await api.patch("/api/settings/profile", { timeZone: "Europe/Berlin" }, await tokenOf(owner));
    // 02:00 in Berlin, an hour before the clocks go back. Seven o'clock is then six in UTC, not five.
    await newEvent({ title: "Train", start: "2026-10-25T06:20:00Z", reminders: [{ minutesBefore: 380 }] });
    await tick("2026-10-25T00:00:00Z", mail.vars);
    expect(await remindersOf(owner)).toMatchObject([{ deliverAt: "2026-10-25T06:00:00.000Z" }]);
    await tick("2026-10-25T05:30:00Z", mail.vars);
    expect(mail.sent).toEqual([]);
    await tick("2026-10-25T06:00:00Z", mail.vars);
    expect(mail.sent).toHaveLength(1);
  });

  it("refuse what is no time", async () => {
    const { owner } = await stage(NOON);
    for (const quietHours of [{ start: "25:00", end: "07:00" }, { start: "07:00", end: "07:00" }, { start: "22:00" }]) {
      const answer = await api.patch("/api/settings/profile/notifications", { quietHours }, await tokenOf(owner));
      expectProblem(answer, 422, "validation_failed");
    }
  });
});

/** A mail binding that fails as told. */
function brokenMail(fail: (count: number) => Error | null) {
  let count = 0;
  const sent: unknown[] = [];
  const EMAIL = {
    send: async (mail: unknown) => {
      count += 1;
      const error = fail(count);
      if (error) throw error;
      sent.push(mail);
      return { messageId: "<1@mail.test>" };
    },
  } as unknown as NonNullable<Env["EMAIL"]>;
  return { sent, vars: { EMAIL, MAIL_FROM: "assistant@example.org" } satisfies Partial<Env>, tries: () => count };
}

describe("a channel that fails", () => {
  it("is tried again after a minute and after five, then no more, and the log says so", async () => {
    const { owner } = await stage(NOON);
    const broken = brokenMail(() => Object.assign(new Error("no"), { code: "E_RECIPIENT_NOT_ALLOWED" }));
    await newTask({ title: "Call", dueAt: NOON });
    for (const time of ["12:00", "12:01", "12:03", "12:07", "12:20", "13:00"]) {
      expectErrorLog("mail_not_sent");
      await tick(`2026-11-18T${time}:00Z`, broken.vars);
    }
    expect(broken.tries()).toBe(3);
    const [fired] = await remindersOf(owner);
    expect(fired?.deliveries.filter(({ outcome }) => outcome === "failed")).toHaveLength(3);
    expect(fired?.deliverAt).toBeNull();
  });

  it("works the second time", async () => {
    const { owner } = await stage(NOON);
    const broken = brokenMail((count) => (count === 1 ? Object.assign(new Error("no"), { code: "E_RATE" }) : null));
    await newTask({ title: "Call", dueAt: NOON });
    expectErrorLog("mail_not_sent");
    await tick(NOON, broken.vars);
    await tick("2026-11-18T12:01:00Z", broken.vars);
    await tick("2026-11-18T12:02:00Z", broken.vars);
    expect(broken.sent).toHaveLength(1);
    expect((await remindersOf(owner))[0]?.deliveries.map(({ outcome }) => outcome)).toEqual([
      "skipped",
      "failed",
      "skipped",
      "sent",
    ]);
  });

  it("and did not respond may have sent it: it is not sent twice", async () => {
    const { owner } = await stage(NOON);
    const broken = brokenMail(() => new Error("network connection lost"));
    await newTask({ title: "Call", dueAt: NOON });
    expectErrorLog("mail_not_sent");
    await tick(NOON, broken.vars);
    await tick("2026-11-18T12:10:00Z", broken.vars);
    expect(broken.tries()).toBe(1);
    expect((await remindersOf(owner))[0]?.deliveries.at(-1)).toMatchObject({ channel: "email", outcome: "unknown" });
  });

  it("and whose Worker died is not tried again: the next channel is", async () => {
    const { owner, mail } = await stage(NOON, { reminderChannels: ["email"] });
    await newTask({ title: "Call", dueAt: NOON });
    await asSystem((ctx) => runSchedule(EVERY_MINUTE, ctx), mail.vars);
    takeQueued();
    // As a Worker leaves it that is killed after the claim.
    await env.DB.prepare("UPDATE reminders SET sending = 'email', deliver_at = ?")
      .bind(at(NOON) + 180_000)
      .run();
    await tick("2026-11-18T12:02:00Z", mail.vars);
    expect(mail.sent).toEqual([]);
    await prefer(owner, { reminderChannels: ["email", "push"] });
    await tick("2026-11-18T12:04:00Z", mail.vars);
    await tick("2026-11-18T12:09:00Z", mail.vars);
    expect(mail.sent).toEqual([]);
    expect((await remindersOf(owner))[0]?.deliveries).toMatchObject([
      { channel: "email", outcome: "unknown" },
      { channel: "push", outcome: "skipped" },
    ]);
  });

  it("is not used twice for a message that comes twice, or was lost and is sent again", async () => {
    const { mail } = await stage(NOON);
    await newTask({ title: "Call", dueAt: NOON });
    await asSystem((ctx) => runSchedule(EVERY_MINUTE, ctx), mail.vars);
    const bodies = takeQueued().map(({ body }) => body);
    expect(bodies).toMatchObject([{ kind: "reminder.deliver" }]);
    // Lost: the next run sends it again.
    await asSystem((ctx) => runSchedule(EVERY_MINUTE, ctx), mail.vars);
    expect(queued()).toHaveLength(1);
    await deliverBatch("jobs", [...bodies, ...bodies, ...takeQueued().map(({ body }) => body)], { vars: mail.vars });
    expect(mail.sent).toHaveLength(1);
  });

  it("is replaced by the work of the cron itself where there is no queue", async () => {
    const { mail } = await stage(NOON);
    await newTask({ title: "Call", dueAt: NOON });
    await tick(NOON, { ...mail.vars, JOBS: undefined, RETRIES: undefined });
    expect(mail.sent).toHaveLength(1);
  });
});

describe("outbound events of reminders", () => {
  it("go to the person's own webhooks, when one fires and when it fires again", async () => {
    const { owner, mail } = await stage(NOON);
    const hook = await newWebhook(["task.due", "event.starting"], { ...owner, ...(await tokenOf(owner)) });
    await newWebhook(["task.due"]);
    await newTask({
      title: "Pizza",
      dueAt: "2026-11-18T12:01:00Z",
      reminders: [{ minutesBefore: 0, channel: "webhook" }],
    });
    await newEvent({ title: "Review", start: "2026-11-18T12:11:00Z" });
    await tick("2026-11-18T12:01:00Z", mail.vars);
    const events = await hook.events();
    expect(events.map(({ type }: { type: string }) => type).sort()).toEqual(["event.starting", "task.due"]);
    const due = events.find(({ type }: { type: string }) => type === "task.due");
    expect(due.data).toMatchObject({ recordType: "task", title: "Pizza", userId: owner.id, late: false });
    // By webhook alone; the event has the person's channels.
    expect(mail.subjectsTo(owner.email)).toEqual(["Reminder: Review"]);
    const fired: Fired[] = await remindersOf(owner);
    const pizza = fired.find(({ title }) => title === "Pizza");
    expect(pizza?.deliveries).toMatchObject([{ channel: "webhook", outcome: "sent" }]);
    await api.post(`/api/reminders/${pizza?.id}/snooze`, { minutes: 5 }, await tokenOf(owner));
    await tick("2026-11-18T12:06:00Z", mail.vars);
    expect(await hook.events()).toHaveLength(3);
  });

  it("are replaced by the person's channels if they have no webhook for it", async () => {
    const { owner, mail } = await stage(NOON);
    await newTask({ title: "Pizza", dueAt: NOON, reminders: [{ minutesBefore: 0, channel: "webhook" }] });
    await tick(NOON, mail.vars);
    expect(mail.subjectsTo(owner.email)).toEqual(["Reminder: Pizza"]);
  });
});

describe("live clients", () => {
  it("learn of a reminder that fires and of its answer, only those of the person", async () => {
    const { owner, mail } = await stage(NOON);
    const { body: start } = await api.get("/api/live", {
      ...(await tokenOf(owner)),
      headers: { accept: "application/json" },
    });
    await newTask({ title: "Pizza", dueAt: NOON });
    await tick(NOON, mail.vars);
    const [fired] = await remindersOf(owner);
    await api.post(`/api/reminders/${fired?.id}/dismiss`, undefined, await tokenOf(owner));
    const read = async (options: object) =>
      (
        await api.get(`/api/live?lastEventId=${start.lastEventId}`, {
          ...options,
          headers: { accept: "application/json" },
        })
      ).body.data;
    const own = await read(await tokenOf(owner));
    expect(own.map(({ type }: { type: string }) => type)).toEqual([
      "task.created",
      "reminder.fired",
      "reminder.dismissed",
    ]);
    expect(own[1].recordId).toBe(fired?.id);
    expect((await read({})).map(({ type }: { type: string }) => type)).toEqual(["task.created"]);
  });
});
