import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { configOf, type Env } from "../../src/config.ts";
import { systemContext } from "../../src/context.ts";
import { notify } from "../../src/features/notifications/service.ts";
import { runSchedule } from "../../src/schedule.ts";
import { insertCheapPerson, openSession, PASSWORD, setClock } from "../auth/people.ts";
import { expectErrorLog, expectProblem, service, takeLogs } from "../harness.ts";
import { rarely } from "../sampled.ts";
import { mailbox, signedInPerson } from "./people.ts";

afterEach(() => void vi.useRealTimers());

const PATH = "/api/settings/profile/notifications";

async function cron(vars: Partial<Env>, now?: string): Promise<void> {
  if (now) setClock(new Date(now));
  const execution = createExecutionContext();
  await runSchedule("*/15 * * * *", systemContext(configOf({ ...env, ...vars }), execution));
  await waitOnExecutionContext(execution);
}

describe("the preferences", () => {
  it("are there from the start, and change one by one", async () => {
    const { token } = await signedInPerson();
    const client = service();
    expect((await client.get(PATH, { token })).body).toEqual({
      securityAlerts: true,
      syncFailure: true,
      tokenAlerts: true,
      dailyBrief: false,
      briefHour: 7,
      reminders: true,
      taskReminderMinutes: 0,
      eventReminderMinutes: 10,
      reminderChannels: ["push", "email"],
      quietHours: null,
      lastBrief: null,
      version: 1,
    });
    const changed = await client.patch(PATH, { dailyBrief: true, briefHour: 6 }, { token });
    expect(changed.body).toMatchObject({ dailyBrief: true, briefHour: 6, syncFailure: true, version: 2 });
    const stale = { token, headers: { "if-match": '"1"' } };
    expectProblem(await client.patch(PATH, { briefHour: 9 }, stale), 412, "version_conflict");
    expectProblem(await client.patch(PATH, { briefHour: 24 }, { token }), 422, "validation_failed");
    expectProblem(await client.patch(PATH, { securityAlerts: false }, { token }), 422, "nothing_to_update");
  });

  it("are honoured: each person hears only what they want to hear, and of their safety always", async () => {
    const [willing, unwilling] = [await signedInPerson(), await signedInPerson()];
    const off = { syncFailure: false, tokenAlerts: false };
    await service().patch(PATH, off, { token: unwilling.token });
    const mail = mailbox();
    const execution = createExecutionContext();
    const ctx = systemContext(configOf({ ...env, ...mail.vars }), execution);
    const people = [willing, unwilling].map(({ id, email }) => ({
      id,
      email,
      name: "N",
      timeZone: "UTC",
      timeFormat: "24h" as const,
      locale: "en",
    }));
    for (const kind of ["sync_failure", "token_alert", "security_alert"] as const) {
      notify(ctx, people, { kind, write: () => ({ subject: kind, blocks: ["text"] }) });
    }
    await waitOnExecutionContext(execution);
    expect(mail.subjectsTo(willing.email).sort()).toEqual(["security_alert", "sync_failure", "token_alert"]);
    expect(mail.subjectsTo(unwilling.email)).toEqual(["security_alert"]);
  });

  it("never fail what they tell of: without outgoing mail the log says so", async () => {
    const { token } = await signedInPerson();
    takeLogs();
    const client = service({ ALLOW_PRIVATE_HOSTS: "false" });
    const body = { name: "quiet", scopes: ["tasks:read"], currentPassword: PASSWORD };
    expect((await client.post("/api/settings/security/api-keys", body, { token })).status).toBe(201);
    expect(takeLogs().join()).toContain("notification_skipped");
  });
});

describe("security alerts", () => {
  const agent = (name: string) => ({ headers: { "user-agent": name } });

  it("tell of a sign-in with a client that was not seen before, once", async () => {
    const { email } = await insertCheapPerson();
    const mail = mailbox();
    const client = service(mail.vars);
    const login = (name: string) => client.post("/api/auth/login", { email, password: PASSWORD }, agent(name));
    await login("Firefox");
    await login("Firefox");
    await login("curl");
    expect(mail.subjectsTo(email)).toEqual(["New sign-in to your account", "New sign-in to your account"]);
    expect(mail.sent[1]?.text).toContain("curl");
  });

  it("give the time in the person's time zone, and a link instead of an API request", async () => {
    const { id, email } = await insertCheapPerson();
    await env.DB.prepare("UPDATE users SET time_zone = 'Asia/Tokyo' WHERE id = ?").bind(id).run();
    setClock(new Date("2031-05-05T22:30:00Z"));
    const mail = mailbox();
    await service({ ...mail.vars, PUBLIC_URL: "https://poa.example" }).post(
      "/api/auth/login",
      { email, password: PASSWORD },
      agent("Firefox"),
    );
    const text = mail.sent[0]?.text ?? "";
    expect(text).toContain("Time: Tuesday 6 May 2031, 07:30 (Asia/Tokyo)");
    expect(text).toMatch(/reset your password now\. .*\n\nReset your password:\nhttps:\/\/poa\.example\/app\/forgot\n/);
    expect(text).not.toContain("POST");
  });

  it("tell of a refresh token that was used twice", async () => {
    const { id, email } = await insertCheapPerson();
    const { refreshToken } = await openSession(id);
    const mail = mailbox();
    const client = service(mail.vars);
    const refresh = () => client.post("/api/auth/refresh", { refreshToken });
    await refresh();
    setClock(Date.now() + 60_000);
    expectProblem(await refresh(), 401, "refresh_reused");
    expect(mail.subjectsTo(email)).toEqual(["A session was ended because its refresh token was used twice"]);
  });
});

describe("the daily brief", () => {
  beforeEach(() => env.DB.prepare("UPDATE notification_preferences SET daily_brief = 0").run());

  async function reader(timeZone: string, briefHour = 7) {
    const person = await insertCheapPerson();
    await env.DB.batch([
      env.DB.prepare("UPDATE users SET time_zone = ? WHERE id = ?").bind(timeZone, person.id),
      env.DB.prepare("UPDATE notification_preferences SET daily_brief = 1, brief_hour = ? WHERE user_id = ?").bind(
        briefHour,
        person.id,
      ),
    ]);
    return person;
  }

  it("comes in the person's own morning, once a day", async () => {
    const tokyo = await reader("Asia/Tokyo");
    const lima = await reader("America/Lima");
    const mail = mailbox();
    await cron(mail.vars, "2031-05-05T21:45:00Z");
    expect(mail.sent).toEqual([]);
    await cron(mail.vars, "2031-05-05T22:00:00Z");
    await cron(mail.vars, "2031-05-05T22:15:00Z");
    expect(mail.subjectsTo(tokyo.email)).toEqual(["Your day, Tuesday 6 May 2031"]);
    await cron(mail.vars, "2031-05-06T12:00:00Z");
    expect(mail.subjectsTo(lima.email)).toEqual(["Your day, Tuesday 6 May 2031"]);
    await cron(mail.vars, "2031-05-06T22:00:00Z");
    expect(mail.subjectsTo(tokyo.email)).toEqual(["Your day, Tuesday 6 May 2031", "Your day, Wednesday 7 May 2031"]);
    expect(mail.sent).toHaveLength(3);
  });

  it("offers each person a free half hour of their own working day", async () => {
    const people = [];
    for (const start of ["10:00", "13:00"]) {
      const person = await reader("UTC");
      const { token } = await openSession(person.id);
      const hours = [{ start, end: "18:00" }];
      const names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
      const days = Object.fromEntries(names.map((name) => [name, hours]));
      await service().put("/api/settings/profile/working-hours", { days }, { token });
      people.push({ ...person, start });
    }
    const mail = mailbox();
    await cron(mail.vars, "2031-05-05T07:00:00Z");
    for (const { email, start } of people) {
      const sent = mail.sent.find(({ to }) => JSON.stringify(to).includes(email));
      expect(sent?.text).toContain(`Your next free half hour is today at ${start}`);
    }
  });

  it("comes once when two runs overlap", async () => {
    const { email } = await reader("UTC");
    const mail = mailbox();
    setClock(new Date("2031-05-05T07:00:00Z"));
    await Promise.all([cron(mail.vars), cron(mail.vars), cron(mail.vars)]);
    expect(mail.subjectsTo(email)).toHaveLength(1);
  });

  rarely("comes once on the day an hour is skipped, and on the day it is repeated", async () => {
    const { email } = await reader("Europe/Berlin", 2);
    const mail = mailbox();
    // On 30 March 2031 the clocks go from 2 to 3: at 01:00 UTC they show 03:00.
    for (const time of ["00:45", "01:00", "01:15", "02:00"]) await cron(mail.vars, `2031-03-30T${time}:00Z`);
    expect(mail.subjectsTo(email)).toEqual(["Your day, Sunday 30 March 2031"]);
    // On 26 October 2031 they show 02:00 to 03:00 twice.
    for (const time of ["00:00", "00:30", "01:00", "01:30", "02:00"]) await cron(mail.vars, `2031-10-26T${time}:00Z`);
    expect(mail.subjectsTo(email)).toEqual(["Your day, Sunday 30 March 2031", "Your day, Sunday 26 October 2031"]);
  });

  it("does not come in the evening to who asks for it at noon", async () => {
    const { email } = await reader("UTC", 7);
    const mail = mailbox();
    await cron(mail.vars, "2031-05-05T12:00:00Z");
    expect(mail.subjectsTo(email)).toEqual([]);
  });

  it("is tried again when the mail did not leave, and noted as skipped where there is no mail", async () => {
    expectErrorLog("mail_not_sent");
    expectErrorLog("notification_failed");
    const { id, email } = await reader("UTC");
    const session = await openSession(id);
    const lastBrief = async () => (await service().get(PATH, { token: session.token })).body.lastBrief;
    const broken = {
      EMAIL: { send: () => Promise.reject(new Error("down")) } as unknown as NonNullable<Env["EMAIL"]>,
      MAIL_FROM: "assistant@example.org",
    };
    await cron(broken, "2031-05-05T07:00:00Z");
    vi.useRealTimers();
    expect(await lastBrief()).toEqual({ date: "2031-05-05", status: "failed" });
    const mail = mailbox();
    await cron(mail.vars, "2031-05-05T07:15:00Z");
    await cron(mail.vars, "2031-05-05T07:30:00Z");
    expect(mail.subjectsTo(email)).toHaveLength(1);
    vi.useRealTimers();
    expect(await lastBrief()).toEqual({ date: "2031-05-05", status: "sent" });
    await cron({ ALLOW_PRIVATE_HOSTS: "false", BOOKINGSVC_BASE_URL: undefined }, "2031-05-06T07:00:00Z");
    vi.useRealTimers();
    expect(await lastBrief()).toEqual({ date: "2031-05-06", status: "skipped" });
  });
});
