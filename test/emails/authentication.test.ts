import { beforeAll, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { expectProblem, service, takeLogs } from "../harness.ts";
import { deliver, deliverAndAnalyse } from "./deliver.ts";

const api = service();
const US = "mx.cloudflare.net";
const PASS = `Authentication-Results: ${US}; dkim=pass header.d=example.com; dmarc=pass header.from=example.com`;
const FAIL = `Authentication-Results: ${US}; dkim=none; dmarc=fail header.from=example.com; spf=softfail smtp.mailfrom=x@example.com`;
const PRODUCTION = { ALLOW_PRIVATE_HOSTS: "false" };

// Without an owner, production accepts no email.
beforeAll(async () => void (await signedInPerson("owner")));

interface Mail {
  tag: string;
  results?: string;
  from?: string;
  messageId?: string;
  more?: string;
  body?: string;
}

function mail({ tag, results = FAIL, from = "Grace <grace@example.com>", messageId, more, body }: Mail): string {
  const top = `Received: from x.example by cloudflare-email.net (cloudflare) id 1${results ? `\n${results}` : ""}`;
  const id = messageId ?? crypto.randomUUID();
  const text = body ?? "Please send the contract by Friday. This is URGENT, answer immediately!";
  return `${top}\nFrom: ${from}\nMessage-ID: <${id}>\nSubject: About ${tag}\n${more ? `${more}\n` : ""}\n${text}\n`;
}

const send = (given: Mail, vars = {}) => deliverAndAnalyse(mail(given), { to: `${given.tag}@example.com`, vars });

async function stored(tag: string) {
  const { body } = await api.get(`/api/emails?tag=${tag}&status=any`);
  return body.data;
}

const tasksOf = async (id: number) => (await api.get(`/api/tasks?emailId=${id}&status=all`)).body.data;

function invitation(tag: string, method: string, sequence: number, year = 2071): Pick<Mail, "more" | "body"> {
  return {
    more: `Content-Type: text/calendar; method=${method}; charset=utf-8`,
    body: `BEGIN:VCALENDAR
METHOD:${method}
BEGIN:VEVENT
UID:${tag}
SEQUENCE:${sequence}
DTSTART:${year}0501T090000Z
SUMMARY:${tag} ${sequence}
ORGANIZER:mailto:grace@example.com
ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.com
END:VEVENT
END:VCALENDAR`,
  };
}

async function events(year = 2071) {
  const { body } = await api.get(`/api/calendar/events?start=${year}-05-01&end=${year}-05-02`);
  return body.data.map((event: { title: string; status: string }) => [event.title, event.status === "cancelled"]);
}

describe("an email that fails authentication", () => {
  it("is stored and readable with its results, and makes no task, whatever INBOUND_TASKS says", async () => {
    for (const mode of ["action_items", "every"]) await send({ tag: `forged-${mode}` }, { INBOUND_TASKS: mode });
    for (const mode of ["action_items", "every"]) {
      const [email] = await stored(`forged-${mode}`);
      expect(email).toMatchObject({ kind: "spam_like", authentication: { spf: "fail", dkim: "none", dmarc: "fail" } });
      expect(await tasksOf(email.id)).toEqual([]);
      const { body } = await api.get(`/api/emails/${email.id}`);
      expect(body).toMatchObject({ authentication: { dmarc: "fail" }, body: expect.stringContaining("contract") });
    }
    expect((await api.post(`/api/emails/${(await stored("forged-every"))[0].id}/tasks`)).status).toBe(201);
  });

  it("creates, changes, cancels and answers no event", async () => {
    await send({ tag: "held", results: PASS, ...invitation("held", "REQUEST", 0) });
    expect(await events()).toEqual([["held 0", false]]);
    takeLogs();
    await send({ tag: "held", ...invitation("held", "REQUEST", 1) });
    await send({ tag: "held", ...invitation("held", "CANCEL", 2) });
    await send({ tag: "held", from: "bob@example.com", ...invitation("held", "REPLY", 0) });
    await send({ tag: "held", ...invitation("forged-new", "REQUEST", 0) });
    expect(await events()).toEqual([["held 0", false]]);
    const refused = takeLogs().filter((line) => line.includes("calendar_part_refused"));
    expect(refused).toHaveLength(4);
    expect(refused.join()).not.toContain("example.com");
    await send({ tag: "held", results: PASS, ...invitation("held", "CANCEL", 2) });
    expect(await events()).toEqual([["held 0", true]]);
  });

  it("does not gain trust from results that the sender wrote", async () => {
    const forged = [
      `${FAIL}\n${PASS}`,
      `${FAIL}\nReceived: from a by b\n${PASS}`,
      `${FAIL}; reason="x"\nARC-Authentication-Results: i=9; ${US}; dmarc=pass header.from=example.com`,
    ];
    for (const [index, results] of forged.entries()) {
      await send({ tag: `pretends-${index}`, results, ...invitation("pretends", "REQUEST", 0, 2072) });
      expect((await stored(`pretends-${index}`))[0].authentication.dmarc).toBe("fail");
    }
    expect(await events(2072)).toEqual([]);
  });

  it("is one whose pass is for the attacker's own domain, or that has two senders", async () => {
    const own = `Authentication-Results: ${US}; dkim=pass header.d=evil.example; dmarc=pass header.from=evil.example`;
    await send({ tag: "own-domain", results: own });
    await send({ tag: "two-senders", results: PASS, from: "grace@example.com, x@evil.example" });
    await send({ tag: "two-froms", results: PASS, more: "From: x@evil.example" });
    for (const tag of ["own-domain", "two-senders", "two-froms"]) {
      expect((await stored(tag))[0], tag).toMatchObject({ kind: "spam_like" });
    }
  });

  it("is known as one even if it cannot be parsed", async () => {
    const deep = Array.from({ length: 300 }, (_, depth) => `multipart/mixed; boundary="b${depth}"\n\n--b${depth}\n`);
    await send(
      { tag: "deep-forged", more: `Content-Type: ${deep.join("Content-Type: ")}` },
      { INBOUND_TASKS: "every" },
    );
    const [email] = await stored("deep-forged");
    expect(email).toMatchObject({ kind: "spam_like", authentication: { dmarc: "fail" } });
    expect(email.snippet).toContain("could not be parsed");
    expect(await tasksOf(email.id)).toEqual([]);
  });

  it("changes nothing about a stored email whose Message-ID it takes", async () => {
    const messageId = crypto.randomUUID();
    await send({ tag: "genuine", results: PASS, messageId, ...invitation("genuine", "REQUEST", 0, 2073) });
    const [before] = await stored("genuine");
    await deliver(mail({ tag: "other", messageId, ...invitation("genuine", "CANCEL", 1, 2073) }), {
      to: "other@example.com",
    });
    expect(await stored("genuine")).toEqual([before]);
    expect(await stored("other")).toEqual([]);
    expect(before).toMatchObject({ kind: "invitation", authentication: { dmarc: "pass" }, tags: ["genuine"] });
    expect(await events(2073)).toEqual([["genuine 0", false]]);
  });

  it("keeps no email away by taking its Message-ID first", async () => {
    const messageId = crypto.randomUUID();
    const genuine = mail({ tag: "kept-away", results: PASS, messageId, body: "Please send the contract by Friday." });
    await send({ tag: "first", messageId });
    await send({ tag: "first", messageId, from: "Eve <eve@evil.example>", results: "" });
    for (let time = 0; time < 2; time += 1) await deliver(genuine, { to: "kept-away@example.com" });
    const [email, ...more] = await stored("kept-away");
    expect(more).toEqual([]);
    expect(email).toMatchObject({ kind: "person", authentication: { dmarc: "pass" }, from: { name: "Grace" } });
    expect(await tasksOf(email.id)).toHaveLength(1);
    const taken = await stored("first");
    expect(taken.map(({ from }: { from: { email: string } }) => from.email).sort()).toEqual([
      "eve@evil.example",
      "grace@example.com",
    ]);
    expect(new Set([email, ...taken].map(({ threadId }) => threadId)).size).toBe(1);
  });

  it("is one that cannot be parsed and whose envelope names somebody else than its From", async () => {
    const own = `Authentication-Results: ${US}; dkim=pass header.d=evil.example; dmarc=pass header.from=evil.example`;
    const deep = Array.from({ length: 300 }, (_, depth) => `multipart/mixed; boundary="b${depth}"\n\n--b${depth}\n`);
    const more = `Content-Type: ${deep.join("Content-Type: ")}`;
    const raw = mail({ tag: "envelope", results: own, from: "Eve <eve@evil.example>", more });
    await deliver(raw, { from: "boss@example.com", to: "envelope@example.com" });
    expect((await stored("envelope"))[0]).toMatchObject({ from: { email: "eve@evil.example" } });
    const nobody = mail({ tag: "envelope-2", results: own, from: "Eve", more });
    await deliver(nobody, { from: "boss@example.com", to: "envelope-2@example.com" });
    expect((await stored("envelope-2"))[0]).toMatchObject({ kind: "spam_like", authentication: { dmarc: "fail" } });
  });

  it("is named as a warning first in its analysis, is never urgent, and waits for no reply", async () => {
    await send({ tag: "warned" });
    const [email] = await stored("warned");
    expect(email.analysis.insights[0]).toMatch(/^Warning: the sender could not be verified/);
    expect(email.analysis).toMatchObject({ replyNeeded: false });
    expect(["low", "normal"]).toContain(email.analysis.urgency.level);
    const { body } = await api.post("/api/ai/email-intelligence", { emailId: email.id });
    expect(body.insights[0]).toMatch(/^Warning/);
    await send({ tag: "not-warned", results: PASS });
    const [other] = await stored("not-warned");
    expect(other.analysis.insights.join()).not.toContain("Warning");
    expect(["high", "critical"]).toContain(other.analysis.urgency.level);
  });
});

describe("an email that reuses a Message-ID", () => {
  it("changes nothing about the stored one, not even its tags", async () => {
    const messageId = crypto.randomUUID();
    await send({ tag: "tagged", results: PASS, messageId });
    const [before] = await stored("tagged");
    await send({ tag: "unproved", results: "", messageId });
    await send({ tag: "of-eve", results: "", messageId, from: "eve@evil.example" });
    expect(await stored("tagged")).toEqual([{ ...before, threadCount: 2 }]);
    expect(await stored("of-eve")).toMatchObject([{ from: { email: "eve@evil.example" } }]);
    await send({ tag: "second-inbox", results: PASS, messageId });
    expect((await stored("second-inbox"))[0]).toMatchObject({ id: before.id, tags: ["tagged", "second-inbox"] });
  });

  it("of ours changes nothing about what we sent", async () => {
    const { body } = await api.post("/api/emails", {
      direction: "outbound",
      messageId: `<${crypto.randomUUID()}@ours>`,
      from: "me@example.com",
      to: "ann@example.com",
      subject: "Ours",
      body: "Hello",
    });
    const raw = mail({ tag: "ours", results: "", from: "me@example.com" }).replace(
      /^Message-ID.*$/m,
      `Message-ID: ${body.messageId}`,
    );
    await deliver(raw, { to: "injected@example.com" });
    expect(await stored("injected")).toEqual([]);
    expect((await api.get(`/api/emails/${body.id}`)).body.version).toBe(body.version);
  });
});

describe("the verdict about a sender", () => {
  const results = (text: string) => `Authentication-Results: ${US}; ${text}`;
  it.each([
    ["failed", "dmarc=none; spf=fail smtp.mailfrom=x@example.com; dkim=fail header.d=example.com"],
    ["failed", "dmarc=fail header.from=example.com; spf=none"],
    ["failed", "dmarc=none; dkim=fail header.d=example.com; spf=none"],
    ["unverified", "dmarc=none; spf=none; dkim=none"],
    ["verified", "dmarc=none; dkim=pass header.d=example.com"],
    ["verified", "dmarc=pass header.from=example.com"],
  ])("is %s for %s, in lists and alone", async (expected, text) => {
    const tag = `verdict-${crypto.randomUUID().slice(0, 8)}`;
    await send({ tag, results: results(text) });
    const [email] = await stored(tag);
    expect(email.senderProof).toBe(expected);
    expect((await api.get(`/api/emails/${email.id}`)).body.senderProof).toBe(expected);
  });

  it("is none for an email of one's own", async () => {
    const email = { direction: "outbound", from: "me@example.com", to: "ann@example.com", subject: "Ours", body: "Hi" };
    expect((await api.post("/api/emails", email)).body.senderProof).toBeNull();
  });

  it("keeps a forged email out of the conversations that it names", async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
    await send({ tag: "join-a", results: PASS, messageId: first });
    await send({ tag: "join-b", results: PASS, messageId: second });
    await send({ tag: "join-c", more: `References: <${first}> <${second}>` });
    const threads = await Promise.all(
      ["join-a", "join-b", "join-c"].map(async (tag) => (await stored(tag))[0].threadId),
    );
    expect(new Set(threads).size).toBe(3);
  });

  it("lets nobody block the address that a forged email has taken", async () => {
    await send({ tag: "forged-block" });
    const [forged] = await stored("forged-block");
    const answer = await api.post(`/api/emails/${forged.id}/block-sender`, {});
    expectProblem(answer, 409, "conflict");
    await send({ tag: "after-block", results: PASS });
    expect((await stored("after-block"))[0].status).toBe("inbox");
  });
});

describe("an email that nobody checked", () => {
  it("has no authentication, and in local work acts as its From", async () => {
    await send({ tag: "local", results: "", ...invitation("local", "REQUEST", 0, 2074) });
    await send({ tag: "local", results: "", ...invitation("local", "CANCEL", 1, 2074) });
    expect((await stored("local"))[0]).toMatchObject({ authentication: null, kind: "invitation" });
    expect(await events(2074)).toEqual([["local 0", true]]);
  });

  it("changes no event in production; tasks and a new invitation it can make", async () => {
    await send({ tag: "unknown", results: "", ...invitation("unknown", "REQUEST", 0, 2075) }, PRODUCTION);
    expect(await events(2075)).toEqual([["unknown 0", false]]);
    await send({ tag: "unknown", results: "", ...invitation("unknown", "REQUEST", 1, 2075) }, PRODUCTION);
    await send({ tag: "unknown", results: "", ...invitation("unknown", "CANCEL", 2, 2075) }, PRODUCTION);
    const reply = { from: "bob@example.com", ...invitation("unknown", "REPLY", 0, 2075) };
    await send({ tag: "unknown", results: "", ...reply }, PRODUCTION);
    expect(await events(2075)).toEqual([["unknown 0", false]]);
    await send({ tag: "unknown", results: PASS, ...invitation("unknown", "CANCEL", 2, 2075) }, PRODUCTION);
    expect(await events(2075)).toEqual([["unknown 0", true]]);
    await send({ tag: "unknown-task", results: "" }, PRODUCTION);
    expect(await tasksOf((await stored("unknown-task"))[0].id)).toHaveLength(1);
  });

  it("is also one checked by a server that TRUSTED_AUTHSERV does not name", async () => {
    const other = PASS.replace(US, "mx.other.example");
    await send({ tag: "untrusted", results: other });
    await send({ tag: "trusted", results: other }, { TRUSTED_AUTHSERV: "MX.Other.example, mx.third.example" });
    await send({ tag: "nobody", results: PASS }, { TRUSTED_AUTHSERV: "not a host!" });
    expect((await stored("untrusted"))[0].authentication).toBeNull();
    expect((await stored("trusted"))[0].authentication).toEqual({ spf: "none", dkim: "pass", dmarc: "pass" });
    expect((await stored("nobody"))[0].authentication).toBeNull();
  });
});
