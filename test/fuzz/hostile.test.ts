import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { joinBytes } from "../../src/lib/encoding.ts";
import { centralRecord, endRecords, localHeader, packEntry } from "../../src/lib/zip/write.ts";
import { beginClean } from "../clean-slate.ts";
import { deliver } from "../emails/deliver.ts";
import { type Answer, forgetSecrets, service } from "../harness.ts";
import { deliverQueue } from "../queued.ts";
import { IMPORT, newOwner, upload } from "../transfers/archives.ts";
import { stayOffline } from "./offline.ts";

/*
 * What arrives as a whole and was made to harm: emails, calendars, archives and forms. `fuzz.test.ts` calls operations with
 * what their schemas allow; none of these has a schema for its inside.
 */

stayOffline();

beforeEach(beginClean);

const { seed, runs } = inject("fuzz");

const api = service();
const check = (property: fc.IAsyncProperty<unknown>) => fc.assert(property, { seed, numRuns: runs });

/** A piece, up to some thousand times. */
const many = (...pieces: string[]) =>
  fc.tuple(fc.constantFrom(...pieces), fc.integer({ min: 1, max: 3000 })).map(([piece, times]) => piece.repeat(times));
const some = (pieces: readonly fc.Arbitrary<string>[]) =>
  fc.array(fc.oneof(...pieces), { maxLength: 20 }).map((found) => found.join(""));

const VALUES = many(
  '"',
  '\\"',
  "(",
  ")",
  "\\",
  ";",
  "a=b;",
  "x*0=a; ",
  "x*=utf-8''%ff; ",
  "<",
  ">",
  "@",
  ",",
  " ",
  "=?utf-8?q?=ff?=",
  "é",
  "\u0000",
);
const HEADERS = fc
  .tuple(
    fc.constantFrom(
      "Content-Type: text/plain; x=",
      "Content-Type: multipart/mixed; boundary=",
      "Content-Disposition: attachment; filename=",
      "Content-Transfer-Encoding: ",
      "Content-ID: ",
      "From: ",
      "Subject: ",
      "Received: by x; ",
      "List-Id: ",
      "List-Unsubscribe: ",
      "Authentication-Results: ",
      "References: ",
      "X-Y: ",
    ),
    VALUES,
  )
  .map(([name, value]) => `${name}${value.replaceAll(/.{900}/gs, "$&\r\n ")}\r\n`);
const PARTS = some([
  HEADERS,
  many("\r\n", "--b\r\n", "--b--\r\n", "--\r\n", "\r\n\r\n", " ", "=", "=0", "text ", "<img ", "<style>"),
  fc.constant("\r\n--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"),
  fc.constant("\r\n--b\r\nContent-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\n"),
]);

// A random word of a form may be called a secret there, and be part of a path in another file.
afterEach(forgetSecrets);

describe(`what was made to harm, seed ${seed}`, () => {
  it("as an email is stored, and never a failure", async () => {
    const emails = fc.tuple(some([HEADERS]), PARTS);
    await check(
      fc.asyncProperty(emails, async ([head, body]) => {
        const raw = `From: a@x.org\r\n${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n${body}`;
        expect(await deliver(new TextEncoder().encode(raw), { to: "hostile@example.com" })).toBeNull();
      }),
    );
    await deliverQueue();
    expect((await api.get("/api/emails?limit=1")).body.data).toHaveLength(1);
  });

  const LINES = some([
    many(
      "BEGIN:VEVENT\nUID:a\nEND:VEVENT\n",
      "BEGIN:VEVENT\n",
      "END:VEVENT\n",
      "BEGIN:VTIMEZONE\nTZID:E\nEND:VTIMEZONE\n",
      "DTSTART;TZID=E:20310101T100000\n",
      " folded\n",
      "ATTENDEE:mailto:a@b.c\n",
      "EXDATE:20310101T100000Z\n",
      "X-WR-TIMEZONE:E\n",
      "BEGIN:X\n",
      "\n",
    ),
    fc.constantFrom(
      "BEGIN:VEVENT\nUID:z\nDTSTART;TZID=E:20310101T100000\nEND:VEVENT\n",
      "BEGIN:VEVENT\nUID:r\nDTSTART:20310101T100000Z\nRRULE:FREQ=SECONDLY\nEND:VEVENT\n",
      "BEGIN:VTIMEZONE\nTZID:E\nBEGIN:STANDARD\nDTSTART:19700101T000000\nRRULE:FREQ=SECONDLY\nTZOFFSETFROM:+0100\nTZOFFSETTO:+0200\nEND:STANDARD\nEND:VTIMEZONE\n",
      "BEGIN:VEVENT\nUID:d\nDTSTART:99999999T999999Z\nDURATION:P99999999999D\nEND:VEVENT\n",
    ),
  ]);

  it("as a calendar is imported as far as it can be read", async () => {
    await check(
      fc.asyncProperty(LINES, async (lines) => {
        const raw = `BEGIN:VCALENDAR\n${lines}END:VCALENDAR\n`;
        const { status, body } = await api.post("/api/calendar/import", undefined, {
          raw,
          headers: { "content-type": "text/calendar" },
        });
        expect(status).toBe(202);
        await deliverQueue();
        const { body: job } = await api.get(`/api/calendar/import/${body.id}`);
        expect(["succeeded", "failed"]).toContain(job.state);
      }),
    );
  });

  const FIELDS = fc.array(
    fc.tuple(
      fc.constantFrom(
        "client_id",
        "redirect_uri",
        "response_type",
        "code_challenge",
        "code_challenge_method",
        "resource",
        "scope",
        "state",
        "step",
        "ticket",
        "decision",
        "password",
        "email",
        "grant_type",
        "code",
        "code_verifier",
        "refresh_token",
        "token",
        "token_type_hint",
        "proposals",
        "__proto__",
      ),
      fc.oneof(
        VALUES.map((text) => text.slice(0, 5000)),
        fc.string(),
        fc.constantFrom(
          "code",
          "S256",
          "authorization_code",
          "refresh_token",
          "password",
          "consent",
          "allow",
          "http://127.0.0.1:1/",
          "https://a;sandbox",
          "javascript:1",
        ),
      ),
    ),
    { maxLength: 12 },
  );

  it.each(["/oauth/authorize", "/oauth/token", "/oauth/revoke", "/oauth/register"])(
    "as a form at %s is answered, and never a failure",
    async (path) => {
      const client = service({ ACCESS_MODE: "private" });
      const type = fc.constantFrom("application/x-www-form-urlencoded", "application/json", "text/plain", "");
      await check(
        fc.asyncProperty(FIELDS, type, async (fields, contentType) => {
          const text = new URLSearchParams(fields).toString();
          const raw = contentType === "application/json" ? JSON.stringify(Object.fromEntries(fields)) : text;
          const answers: Answer[] = [
            await client.call("POST", path, { raw, headers: { "content-type": contentType } }),
          ];
          if (path === "/oauth/authorize") answers.push(await client.get(`${path}?${text.slice(0, 6000)}`));
          for (const { status } of answers) expect(status).toBeLessThan(500);
        }),
      );
    },
  );

  const NUMBERS = fc.constantFrom(0, 1, 10, 200, 2 ** 31, 2 ** 32 - 1);
  const ENTRIES = fc.array(
    fc.record({
      name: fc.oneof(
        fc.constantFrom("manifest.json", "../x", "/etc/x", "a/".repeat(500), "", "data/tasks/00001.ndjson", "\u0000"),
        fc.string(),
      ),
      method: fc.constantFrom(0, 8, 8, 99),
      crc: NUMBERS,
      packed: NUMBERS,
      size: NUMBERS,
      // Most begin at the same place.
      offset: fc.constantFrom(0, 0, 0, 30, 2 ** 31),
    }),
    { maxLength: 30 },
  );

  it("as an archive is refused, and never a failure", async () => {
    const token = await newOwner(api, "archives@example.org");
    // A small file that is large when it is inflated.
    const { entry: bomb, packed } = await packEntry("manifest.json", new Uint8Array(5_000_000));
    const archives = fc.tuple(ENTRIES, fc.nat(3), fc.integer({ min: -3, max: 3 }));
    await check(
      fc.asyncProperty(archives, async ([entries, cut, wrong]) => {
        const body = joinBytes([localHeader(bomb, new Date(0)), packed]);
        const records = entries.map((entry) => centralRecord(entry, new Date(0)));
        const directory = joinBytes([centralRecord({ ...bomb, offset: 0 }, new Date(0)), ...records]);
        const end = { entries: entries.length + 1 + wrong, offset: body.length, size: directory.length + wrong };
        const whole = joinBytes([body, directory, endRecords({ ...end, entries: Math.max(0, end.entries) })]);
        const { status, body: job } = await upload(api, token, whole.slice(0, whole.length - cut * 7));
        expect(status).toBeLessThan(500);
        if (status !== 202) return;
        await deliverQueue();
        const { body: done } = await api.get(`${IMPORT}/${job.id}`, { token });
        expect(done.state).toBe("failed");
      }),
    );
  });
});
