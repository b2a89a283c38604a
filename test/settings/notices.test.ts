import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { renderNotice } from "../../src/lib/notice.ts";
import { setClock } from "../auth/people.ts";
import { service } from "../harness.ts";
import { mailbox, PASSWORD, type Person, signedInPerson } from "./people.ts";

/* The emails that the service writes to people: in their zone and their way to write times, as text and as HTML. */

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0";
const NOW = new Date("2026-11-15T16:42:45.038Z");

afterEach(() => vi.useRealTimers());

async function personWith(profile: object): Promise<Person> {
  const person = await signedInPerson();
  const changed = await service().patch("/api/settings/profile", profile, { token: person.token });
  expect(changed.status).toBe(200);
  return person;
}

/** The email about a sign-in from a new browser. */
async function signInNotice({ email }: Person, agent = FIREFOX) {
  const mail = mailbox();
  setClock(NOW);
  const login = { email, password: PASSWORD };
  const headers = { "user-agent": agent };
  await service({ ...mail.vars, PUBLIC_URL: "https://poa.example" }).post("/api/auth/login", login, { headers });
  const [sent] = mail.sent;
  if (!sent) throw new Error("no email was sent");
  return sent;
}

describe("a security notice", () => {
  it.each([
    [{ timeZone: "Europe/Berlin", locale: "en-GB" }, "Sunday 15 November 2026, 17:42 (Europe/Berlin)"],
    [{ timeZone: "Europe/Berlin", locale: "de-DE" }, "Sunday 15 November 2026, 17:42 (Europe/Berlin)"],
    [
      { timeZone: "Europe/London", locale: "en-GB", timeFormat: "12h" },
      "Sunday 15 November 2026, 4:42 pm (Europe/London)",
    ],
    [
      { timeZone: "America/New_York", locale: "en-US", timeFormat: "12h" },
      "Sunday, November 15, 2026, 11:42 AM (America/New_York)",
    ],
    [{ timeZone: "Asia/Tokyo", locale: "ja-JP" }, "Monday 16 November 2026, 01:42 (Asia/Tokyo)"],
    [{ timeZone: "UTC" }, "Sunday 15 November 2026, 16:42 (UTC)"],
  ])("has the time as the person reads it: %o", async (profile, time) => {
    const { text, html } = await signInNotice(await personWith(profile));
    expect(text).toContain(`\nTime: ${time}\n`);
    expect(html).toContain(time);
    expect(text).not.toContain("2026-11-15T");
  });

  it("names the browser as people know it, and a program as it names itself", async () => {
    const person = await personWith({ timeZone: "UTC" });
    expect((await signInNotice(person)).text).toContain("Browser or app: Firefox on Windows\n");
    expect((await signInNotice(person, "curl/8.5.0")).text).toContain("Browser or app: curl/8.5.0\n");
  });

  it("says what to do in plain words, with one link that works in a browser", async () => {
    const { subject, text, html } = await signInNotice(await personWith({ timeZone: "UTC" }));
    expect(subject).toBe("New sign-in to your account");
    expect(text).toContain("If this was you, you can ignore this message.");
    expect(text).not.toMatch(/\bPOST\b|\/api\/|need do nothing/);
    expect([...html.matchAll(/<a href="([^"]+)"/g)].map(([, url]) => url)).toEqual(["https://poa.example/app/forgot"]);
    expect((await service().get("/app/forgot")).status).toBe(200);
  });

  it("is written as before to a person whose account is gone", async () => {
    const person = await personWith({ timeZone: "Europe/Berlin" });
    const mail = mailbox();
    const body = { confirm: person.email, currentPassword: PASSWORD };
    const answer = await service(mail.vars).call("DELETE", "/api/settings/account", { body, token: person.token });
    expect(answer.status).toBe(204);
    expect(mail.subjectsTo(person.email)).toEqual(["Your account was deleted"]);
    expect(mail.sent[0]?.text).toMatch(/Time: .*\(Europe\/Berlin\)/);
  });

  it("goes to the old address when that is what changed", async () => {
    const person = await personWith({ timeZone: "UTC" });
    const mail = mailbox();
    const client = service(mail.vars);
    const address = `new-${person.email}`;
    const { token } = person;
    await client.post("/api/settings/profile/email", { email: address, currentPassword: PASSWORD }, { token });
    await client.post("/api/settings/profile/email/confirm", { token: mail.token() }, { token });
    expect(mail.subjectsTo(person.email)).toEqual([
      "A change of your email address was requested",
      "Your email address was changed",
    ]);
    expect(mail.subjectsTo(address)).toEqual(["Confirm your new address"]);
  });
});

describe("the HTML of an email", () => {
  const html = () =>
    renderNotice({
      subject: `<b>Subject</b> & "more"`,
      name: "Ada",
      blocks: [
        "First <script>alert(1)</script>\nsecond line",
        { facts: [["Agent", `"><img src=x onerror=alert(1)>`]] },
        { title: "A & B", items: ["<i>one</i>", "two"] },
        { button: "Open <it>", url: `https://poa.example/?a="b"&c=<d>` },
      ],
      footer: "Because <you> asked.",
    }).html;

  it("escapes whatever others wrote", () => {
    expect(html()).not.toMatch(/<(?:script|img|i|b|it|you|d)\b/);
    expect(html()).toContain("First &lt;script&gt;alert(1)&lt;/script&gt;<br>second line");
    expect(html()).toContain('<a href="https://poa.example/?a=&quot;b&quot;&amp;c=&lt;d&gt;"');
  });

  it("loads nothing from anywhere and has no style but inline", () => {
    expect(html()).not.toMatch(/<(?:style|link|img|script|iframe)\b|<[^>]*\bsrc=|url\(/);
  });

  it("leaves text and background to the mail program, so that it can be dark", () => {
    expect(html()).toContain('<meta name="color-scheme" content="light dark">');
    const colours = [...html().matchAll(/(?<![\w-])(?:color|background(?:-color)?):[^;"]+/g)].map(([rule]) => rule);
    // Both together, on the button only.
    expect(colours).toEqual(["background:#2456c7", "color:#ffffff"]);
  });
});

describe("a greeting", () => {
  it.each([
    ["Ada Lovelace", "Hello Ada Lovelace,"],
    ["J. R. R. Tolkien", "Hello J. R. R. Tolkien,"],
    ["Claim your prize at evil.example", "Hello,"],
    ["https://evil.example", "Hello,"],
    ["Win <b>now</b>", "Hello,"],
  ])("repeats a name, and no link that somebody registered as one: %s", (name, greeting) => {
    const { text } = renderNotice({ subject: "x", name, blocks: ["y"], footer: "z" });
    expect(text.split("\n")[0]).toBe(greeting);
  });

  it("of a reset to an address that a stranger has registered carries no link of theirs", async () => {
    const person = await signedInPerson();
    await env.DB.prepare("UPDATE users SET name = 'Visit evil.example now' WHERE id = ?").bind(person.id).run();
    const mail = mailbox();
    await service(mail.vars).post("/api/auth/password/forgot", { email: person.email });
    expect(mail.sent[0]?.text).toMatch(/^Hello,\n/);
    expect(mail.sent[0]?.html).not.toContain("evil");
  });
});

describe("the daily brief", () => {
  it("is written by the profile: the date, the clock and the order", async () => {
    const { dailyBrief } = await import("../../src/features/brief/service.ts");
    const { systemCtx } = await import("../harness.ts");
    const client = service();
    const title = `Planning ${crypto.randomUUID()}`;
    await client.post("/api/calendar/events", { title, start: "2033-06-07T17:30:00Z" });
    const ctx = { ...systemCtx(), now: new Date("2033-06-07T10:00:00Z") };
    const zone = "America/New_York";
    const american = await dailyBrief(ctx, { timeZone: zone, timeFormat: "12h", locale: "en-US" });
    expect(american.text).toMatch(/^Your day, Tuesday, Jun 7, 2033\./);
    expect(american.text).toContain(`1:30 PM–2:00 PM ${title}`);
    const british = await dailyBrief(ctx, { timeZone: zone, timeFormat: "24h", locale: "en-GB" });
    expect(british.text).toMatch(/^Your day, Tuesday, 7 Jun 2033\./);
    expect(british.text).toContain(`13:30–14:00 ${title}`);
  });
});
