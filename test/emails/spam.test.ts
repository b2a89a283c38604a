import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { purgeEmails } from "../../src/features/emails/retention/purge.ts";
import { setClock, signedInPerson } from "../auth/people.ts";
import { emptyService, service, systemCtx } from "../harness.ts";
import { newKey } from "../http/attack.ts";
import { takeQueued } from "../queued.ts";
import { deliver } from "./deliver.ts";
import { storeMail, subjects } from "./new-mail.ts";

const api = service();
const DAY_MS = 86_400_000;
const FRAUD =
  "Dear customer, you have won the lottery: 5 million dollars! Send your bank details and your password within 24 hours to claim your prize, or your account will be closed.";
const PASS = "dkim=pass header.d=example.com; dmarc=pass header.from=example.com";
const FAIL = "dkim=none; dmarc=fail header.from=example.com";

beforeEach(async () => {
  await emptyService();
  await env.DB.batch(["blocked_senders", "known_senders"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  await signedInPerson("owner");
  return () => vi.useRealTimers();
});

async function arrive(
  subject: string,
  { results = PASS, from = "shop@example.com", body = FRAUD, header = "X-Mailer: mail" } = {},
) {
  const raw = `Received: from x by cloudflare-email.net (cloudflare) id 1
Authentication-Results: mx.cloudflare.net; ${results}
From: Shop <${from}>
Message-ID: <${crypto.randomUUID()}@x>
Subject: ${subject}
${header}

${body}
`;
  await deliver(raw, { from, vars: { ALLOW_PRIVATE_HOSTS: "false" } });
  takeQueued();
  const { body: found } = await api.get(`/api/emails?status=any&q=${encodeURIComponent(`"${subject}"`)}`);
  return found.data[0];
}

const boxes = async () => (await api.get("/api/emails/boxes")).body;

describe("suspected spam", () => {
  it("is in a box of its own: no list, count or search shows it unless it is asked for", async () => {
    await storeMail(api, "spam", { subject: "wanted prize" });
    const spam = await arrive("winning prize");
    expect(spam).toMatchObject({ status: "spam", kind: "spam_like" });
    expect(await boxes()).toMatchObject({ inbox: { count: 1, unread: 1 }, spam: { count: 1, unread: 1 } });
    for (const query of ["", "status=inbox", "unread=true", "q=prize", "direction=inbound"]) {
      expect(await subjects(api, query)).toEqual(["wanted prize"]);
    }
    for (const query of ["status=spam", "q=in:spam", "q=prize in:spam", "status=spam&unread=true"]) {
      expect(await subjects(api, query)).toEqual(["winning prize"]);
    }
    for (const query of ["status=any", "q=prize in:anywhere", "status=any&unread=true"]) {
      expect((await subjects(api, query)).toSorted()).toEqual(["wanted prize", "winning prize"]);
    }
    expect((await api.get("/api/stats")).body.unreadEmails).toBe(1);
    expect((await api.get("/api/emails/threads?status=spam")).body.data).toMatchObject([
      { status: "spam", conversation: { count: 1 } },
    ]);
  });

  it("is deleted 30 days after it entered the box, however old it is, and never if it was elsewhere", async () => {
    const old = { receivedAt: new Date(Date.now() - 90 * DAY_MS).toISOString() };
    const moved = await storeMail(api, "spam", { subject: "moved", ...old });
    await storeMail(api, "spam", { subject: "guessed", kind: "spam_like", ...old });
    await storeMail(api, "spam", { subject: "in the inbox", kind: "spam_like", status: "inbox", ...old });
    const saved = await storeMail(api, "spam", { subject: "not spam", kind: "spam_like", ...old });
    await api.patch(`/api/emails/${saved.id}`, { status: "inbox" });
    expect(await purgeEmails(systemCtx())).toBe(0);
    setClock(Date.now() + 10 * DAY_MS);
    await api.patch(`/api/emails/${moved.id}`, { status: "spam" });
    setClock(Date.now() + 21 * DAY_MS);
    expect(await purgeEmails(systemCtx())).toBe(1);
    expect(await subjects(api, "status=spam")).toEqual(["moved"]);
    setClock(Date.now() + 10 * DAY_MS);
    expect(await purgeEmails(systemCtx())).toBe(1);
    expect((await subjects(api, "status=any")).toSorted()).toEqual(["in the inbox", "not spam"]);
  });

  it("that the person says is none comes to the inbox, and the sender's later emails do at once", async () => {
    const first = await arrive("first offer");
    await api.patch("/api/emails", { ids: [first.id], status: "inbox" });
    expect(await subjects(api, "status=inbox")).toEqual(["first offer"]);
    expect(await arrive("second offer")).toMatchObject({ status: "inbox", kind: "person" });
    expect(await arrive("other sender", { from: "other@example.com" })).toMatchObject({ status: "spam" });
    expect(await arrive("forged offer", { results: FAIL })).toMatchObject({ status: "spam", kind: "spam_like" });
  });

  it("whose sender could not be verified stays marked, but comes to the inbox once the person said so", async () => {
    const first = await arrive("list mail", { results: FAIL, body: "See you at the meeting." });
    expect(first).toMatchObject({ status: "spam", kind: "spam_like" });
    await api.patch(`/api/emails/${first.id}`, { status: "inbox" });
    const next = await arrive("list mail again", { results: FAIL, body: "See you at the meeting." });
    expect(next).toMatchObject({ status: "inbox", kind: "spam_like" });
  });

  it("can be reported: later emails of the sender go there, make no task, and can be taken back", async () => {
    const body = "Please send the report by Friday.";
    const first = await arrive("a pitch", { body });
    expect(first.status).toBe("inbox");
    await api.patch(`/api/emails/${first.id}`, { status: "spam" });
    const next = await arrive("next pitch", { body });
    expect(next).toMatchObject({ status: "spam", kind: "person" });
    expect((await api.get(`/api/tasks?emailId=${next.id}&status=all`)).body.data).toEqual([]);
    await api.patch(`/api/emails/${first.id}`, { status: "inbox" });
    expect((await arrive("last pitch", { body })).status).toBe("inbox");
  });

  it("says nothing of the sender any more when it is moved back: what was said before counts again", async () => {
    const body = "Please send the report by Friday.";
    const first = await arrive("reported", { body });
    for (const status of ["spam", "inbox"]) await api.patch("/api/emails", { ids: [first.id], status });
    // No praise is left of that: the words decide.
    expect((await arrive("a fraud")).status).toBe("spam");
    const praised = await arrive("praised fraud");
    await api.patch(`/api/emails/${praised.id}`, { status: "archived" });
    const second = await arrive("second fraud");
    expect(second.status).toBe("inbox");
    await api.patch(`/api/emails/${second.id}`, { status: "spam" });
    expect((await arrive("third", { body })).status).toBe("spam");
    await api.patch(`/api/emails/${second.id}`, { status: "inbox" });
    expect((await arrive("fourth fraud")).status).toBe("inbox");
    await api.patch(`/api/emails/${praised.id}`, { status: "spam" });
    expect((await arrive("fifth fraud")).status).toBe("spam");
    expect((await arrive("sixth", { body })).status).toBe("inbox");
  });

  it("says nothing new when it comes back from the trash", async () => {
    const guess = await arrive("a guess");
    for (const status of ["trash", "spam"]) await api.patch(`/api/emails/${guess.id}`, { status });
    expect((await arrive("harmless", { body: "See you at the meeting." })).status).toBe("inbox");
  });

  it("teaches nothing when a program moves it, or when the report is about a forged email", async () => {
    const { key } = await newKey(await signedInPerson("owner"), ["emails:read", "emails:write"]);
    const first = await arrive("by a program");
    const moved = await api.patch(`/api/emails/${first.id}`, { status: "inbox" }, { token: key });
    expect(moved.status).toBe(200);
    expect((await arrive("by a program again")).status).toBe("spam");
    const forged = await arrive("forged", { results: FAIL, from: "friend@example.com", body: "See you." });
    await api.patch(`/api/emails/${forged.id}`, { status: "archived" }, { token: key });
    await api.patch(`/api/emails/${forged.id}`, { status: "spam" });
    expect((await arrive("real", { from: "friend@example.com", body: "See you." })).status).toBe("inbox");
  });
});

describe("nobody gains or loses a place in the inbox by the address of another", () => {
  // A domain that has no DMARC, as anybody may write it.
  const domain = "nodmarc.example";
  const OWN = { from: `friend@${domain}`, results: `dkim=pass header.d=${domain}; dmarc=none header.from=${domain}` };
  const WRITTEN = { from: `friend@${domain}`, results: `dkim=none; dmarc=none header.from=${domain}` };
  const HELLO = "See you at the meeting.";
  const move = (email: { id: number }, status: string) => api.patch(`/api/emails/${email.id}`, { status });

  it("what the person said of proved emails is not for those that nobody has checked", async () => {
    const first = await arrive("proved", OWN);
    expect(first).toMatchObject({ status: "spam", senderProof: "verified" });
    await move(first, "inbox");
    expect(await arrive("proved again", OWN)).toMatchObject({ status: "inbox" });
    expect(await arrive("in their name", WRITTEN)).toMatchObject({ status: "spam", senderProof: "unverified" });
    // A second judgment of proved emails changes nothing; one of the others does.
    const written = await arrive("in their name, too", WRITTEN);
    await move(written, "inbox");
    expect((await arrive("in their name again", WRITTEN)).status).toBe("inbox");
    expect((await arrive("proved for ever", OWN)).status).toBe("inbox");
  });

  it("a report of an email that nobody has checked is no report of the sender's own", async () => {
    const written = await arrive("in their name", { ...WRITTEN, body: HELLO });
    expect(written.status).toBe("inbox");
    await move(written, "spam");
    expect((await arrive("in their name again", { ...WRITTEN, body: HELLO })).status).toBe("spam");
    const own = await arrive("proved", { ...OWN, body: HELLO });
    expect(own.status).toBe("inbox");
    await move(own, "spam");
    expect((await arrive("proved again", { ...OWN, body: HELLO })).status).toBe("spam");
    await move(await arrive("in their name, moved", { ...WRITTEN, body: HELLO }), "inbox");
    await move(await arrive("in their name, reported", { ...WRITTEN, body: HELLO }), "spam");
    expect((await arrive("proved at last", { ...OWN, body: HELLO })).status).toBe("inbox");
  });

  it("nor by “Fwd:”: only what somebody known and proved forwards is theirs to forward", async () => {
    const known = { from: `known@${domain}`, results: OWN.results };
    await env.DB.prepare("INSERT INTO known_senders (email, since) VALUES (?, 0)").bind(known.from).run();
    expect(await arrive("Fwd: known", known)).toMatchObject({ status: "inbox", kind: "person" });
    expect(await arrive("not forwarded", known)).toMatchObject({ status: "spam" });
    for (const stranger of [OWN, WRITTEN, { ...known, results: WRITTEN.results }]) {
      const subject = `Fwd: ${crypto.randomUUID()}`;
      expect(await arrive(subject, stranger)).toMatchObject({ status: "spam", kind: "spam_like" });
    }
  });

  it("a block from an email that nobody has checked lets the sender's own emails through, and says so", async () => {
    const block = async (email: { id: number }) => (await api.post(`/api/emails/${email.id}/block-sender`, {})).body;
    const mine = { ...OWN, body: HELLO };
    const theirs = { ...WRITTEN, body: HELLO };
    const written = await arrive("in their name", theirs);
    const blocked = await block(written);
    expect(blocked).toMatchObject({ sender: `friend@${domain}`, unverifiedOnly: true });
    expect((await arrive("in their name again", theirs)).status).toBe("trash");
    const own = await arrive("their own", mine);
    expect(own.status).toBe("inbox");
    expect(await block(own)).toEqual({ ...blocked, unverifiedOnly: false });
    // What was blocked of the sender stays blocked.
    expect(await block(written)).toEqual({ ...blocked, unverifiedOnly: false });
    expect((await arrive("their own again", mine)).status).toBe("trash");
    expect((await arrive("in their name at last", theirs)).status).toBe("trash");
    await api.delete(`/api/emails/blocked-senders/${blocked.id}`);
    const domainWide = await api.post(`/api/emails/${written.id}/block-sender`, { scope: "domain" });
    expect(domainWide.body).toMatchObject({ sender: domain, unverifiedOnly: true });
    expect((await arrive("their own, free", mine)).status).toBe("inbox");
    expect((await api.post("/api/emails/blocked-senders", { sender: domain })).body.unverifiedOnly).toBe(false);
    expect((await arrive("their own, blocked", mine)).status).toBe("trash");
  });

  it.each([
    "Auto-Submitted: auto-replied",
    "X-Autoreply: yes",
    "Precedence: auto_reply",
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "Content-Type: multipart/report; report-type=disposition-notification; boundary=b",
    "Content-Type: text/calendar; method=REQUEST",
    "List-Id: <announce.example.com>",
    "X-GitHub-Reason: mention",
  ])("nor by a header: %s", async (header) => {
    expect(await arrive("you have won", { header })).toMatchObject({ status: "spam", kind: "spam_like" });
  });
});
