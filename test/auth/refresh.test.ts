import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { auditActions, countRows, type Person, setClock, signedInPerson } from "./people.ts";

afterEach(() => void vi.useRealTimers());

const refresh = (refreshToken: string) => service().post("/api/auth/refresh", { refreshToken });
const statusOfMe = async (token: string) => (await service().get("/api/auth/me", { token })).status;
const liveSessions = (person: Person) => countRows("sessions", "user_id = ?", person.id);
const DAY = 24 * 60 * 60 * 1000;

describe("POST /api/auth/refresh", () => {
  it("trades the token for a new pair, again and again", async () => {
    const person = await signedInPerson();
    let { refreshToken } = person;
    for (let round = 0; round < 3; round++) {
      const { status, body } = await refresh(refreshToken);
      expect(status).toBe(200);
      expect(body.refreshToken).not.toBe(refreshToken);
      expect(await statusOfMe(body.token)).toBe(200);
      refreshToken = body.refreshToken;
    }
  });

  it("gives the current token to who repeats the previous one within ten seconds", async () => {
    const person = await signedInPerson();
    const start = Date.now();
    setClock(start);
    const first = await refresh(person.refreshToken);
    setClock(start + 9_000);
    const second = await refresh(person.refreshToken);
    expect(second.status).toBe(200);
    expect(second.body.refreshToken).toBe(first.body.refreshToken);
    expect(await statusOfMe(second.body.token)).toBe(200);
  });

  it("ends the session when the previous token comes back later, and tells the audit log", async () => {
    const person = await signedInPerson();
    const start = Date.now();
    setClock(start);
    const { body } = await refresh(person.refreshToken);
    setClock(start + 10_001);
    expectProblem(await refresh(person.refreshToken), 401, "refresh_reused");
    expectProblem(await refresh(body.refreshToken), 401, "session_revoked");
    expect(await statusOfMe(body.token)).toBe(401);
    expect(await auditActions(person.id)).toContain("session.refresh_reused");
  });

  it("ends the session when an older token than the previous one comes back, even at once", async () => {
    const person = await signedInPerson();
    const first = await refresh(person.refreshToken);
    await refresh(first.body.refreshToken);
    expectProblem(await refresh(person.refreshToken), 401, "refresh_reused");
    expect(await liveSessions(person)).toBe(0);
  });

  it("gives each of twenty parallel callers a working token and leaves one session", async () => {
    const person = await signedInPerson();
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(person.refreshToken)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1);
    expect(await Promise.all(answers.map(({ body }) => statusOfMe(body.token)))).toEqual(Array(20).fill(200));
    expect(await liveSessions(person)).toBe(1);
    expect((await refresh(answers[0]?.body.refreshToken)).status).toBe(200);
  });

  it("never revives a session that a parallel logout ends", async () => {
    const person = await signedInPerson();
    const [, ...answers] = await Promise.all([
      service().post("/api/auth/logout", undefined, { token: person.token }),
      ...Array.from({ length: 5 }, () => refresh(person.refreshToken)),
    ]);
    expect(await liveSessions(person)).toBe(0);
    for (const { status, body } of answers) {
      expect([200, 401]).toContain(status);
      if (status === 200) expect(await statusOfMe(body.token)).toBe(401);
    }
  });

  it("fails at once when the session row is deleted", async () => {
    const person = await signedInPerson();
    await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(person.id).run();
    expectProblem(await refresh(person.refreshToken), 401, "session_revoked");
  });

  it("keeps a session alive for 30 days from the last use, and 90 days at most", async () => {
    const person = await signedInPerson();
    const start = Date.now();
    let { refreshToken } = person;
    for (const day of [29, 58, 87]) {
      setClock(start + day * DAY);
      const { status, body } = await refresh(refreshToken);
      expect(status, `day ${day}`).toBe(200);
      refreshToken = body.refreshToken;
    }
    setClock(start + 91 * DAY);
    expectProblem(await refresh(refreshToken), 401, "session_revoked");
  });

  it("ends after 30 days without use", async () => {
    const person = await signedInPerson();
    setClock(Date.now() + 31 * DAY);
    expectProblem(await refresh(person.refreshToken), 401, "session_revoked");
  });

  it("refuses a token that is altered, signed for another session, or something else altogether", async () => {
    const [one, other] = await Promise.all([signedInPerson(), signedInPerson()]);
    const [sid, , signature] = one.refreshToken.split(".");
    const otherSid = other.refreshToken.split(".")[0];
    const forged = [
      `${sid}.1.${signature}`,
      `${otherSid}.0.${signature}`,
      `${sid}.0.`,
      `${sid}.0.AAAA`,
      "x",
      "..",
      one.token,
    ];
    for (const token of forged) expectProblem(await refresh(token), 401, "unauthenticated");
    expect(await liveSessions(one)).toBe(1);
    expect(await liveSessions(other)).toBe(1);
  });

  it("asks for the token when the body has none", async () => {
    expectProblem(await service().post("/api/auth/refresh", {}), 422, "validation_failed");
  });
});
