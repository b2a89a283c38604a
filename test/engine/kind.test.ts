import { describe, expect, it } from "vitest";
import { kindOf, makesTasks } from "../../src/engine/email/kind.ts";
import type { EmailKind } from "../../src/lib/email-kinds.ts";

interface Case {
  headers?: Record<string, string>;
  from?: string;
  envelopeFrom?: string;
  subject?: string;
  body?: string;
  calendar?: string;
  proof?: "verified" | "unverified" | "failed";
}

function kind({ headers = {}, calendar, ...facts }: Case): EmailKind {
  return kindOf({
    headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
    proof: "verified",
    envelopeFrom: "ann@example.com",
    from: "ann@example.com",
    fromName: "Ann Lee",
    replyTo: null,
    deliveredTo: "hello@example.com",
    subject: "Hello",
    body: "Could you send the contract by Friday?",
    calendarParts: calendar === undefined ? [] : [`BEGIN:VCALENDAR\r\nMETHOD:${calendar}\r\nEND:VCALENDAR`],
    ...facts,
  });
}

const CASES: Record<string, [EmailKind, Case][]> = {
  "a person": [
    ["person", {}],
    ["person", { proof: "unverified" }],
    ["person", { headers: { "auto-submitted": "no", precedence: "first-class", "x-autoreply": "no" } }],
    ["person", { headers: { "x-auto-response-suppress": "All" } }],
    ["person", { calendar: "PUBLISH" }],
    ["person", { subject: "Receipt", body: "Your receipt: total paid 12 EUR. Thank you for your order." }],
    ["person", { subject: "Out of office next week?" }],
    ["person", { from: "norbert@example.com" }],
  ],
  "a bulk sender": [
    ["newsletter", { headers: { "list-unsubscribe": "<https://x.example/u>" } }],
    ["newsletter", { headers: { "list-id": "News <news.example.com>" } }],
    ["newsletter", { headers: { precedence: "Bulk" } }],
    ["newsletter", { headers: { precedence: "list" } }],
    ["newsletter", { headers: { precedence: "junk" } }],
    ["newsletter", { headers: { "list-id": "<x>" }, from: "no-reply@example.com" }],
  ],
  "a machine": [
    ["notification", { headers: { "auto-submitted": "auto-generated" } }],
    ["notification", { headers: { "auto-submitted": "Auto-Generated; type=x" } }],
    ...["noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "notifications", "noreply+1", "alerts"].map(
      (name): [EmailKind, Case] => ["notification", { from: `${name}@example.com` }],
    ),
    ["receipt", { from: "no-reply@shop.example", subject: "Your receipt", body: "Thank you for your order." }],
  ],
  "a mail system": [
    ["bounce", { headers: { "content-type": 'multipart/report; report-type="delivery-status"; boundary=b' } }],
    ["bounce", { headers: { "content-type": "multipart/report; boundary=b;\r\n\treport-type=Delivery-Status" } }],
    ["bounce", { envelopeFrom: "", from: "MAILER-DAEMON@mx.example" }],
    ["bounce", { headers: { "return-path": "<>" }, from: "postmaster@mx.example" }],
    ["notification", { from: "postmaster@mx.example" }],
  ],
  "an answering machine": [
    ["auto_reply", { headers: { "auto-submitted": "auto-replied" } }],
    ["auto_reply", { headers: { "x-autoreply": "yes" } }],
    ["auto_reply", { headers: { "x-autorespond": "" } }],
    ["auto_reply", { headers: { precedence: "auto_reply" } }],
    ["auto_reply", { headers: { "x-auto-response-suppress": "All" }, subject: "Automatic reply: Contract" }],
    ["auto_reply", { headers: { "auto-submitted": "auto-generated" }, subject: "Out of office: Ann" }],
    ["auto_reply", { headers: { "auto-submitted": "auto-replied", "list-id": "<x>" } }],
  ],
  "a calendar": [
    ...["REQUEST", "CANCEL", "REPLY", "COUNTER", "request"].map((calendar): [EmailKind, Case] => [
      "invitation",
      { calendar },
    ]),
    ["invitation", { calendar: "REQUEST", headers: { "list-unsubscribe": "<x>" } }],
  ],
  "somebody who cannot be verified": [
    ["spam_like", { proof: "failed" }],
    ["spam_like", { proof: "failed", calendar: "REQUEST", headers: { "auto-submitted": "auto-replied" } }],
  ],
};

describe("an email from", () => {
  for (const [sender, cases] of Object.entries(CASES)) {
    it.each(cases)(`${sender} is %s: %j`, (expected, facts) => expect(kind(facts)).toBe(expected));
  }
});

it("only emails of persons become tasks by default, and no setting makes any of a bounce, an automatic reply or a forgery", () => {
  expect(makesTasks("person", "action_items")).toBe(true);
  for (const other of ["newsletter", "notification", "receipt", "invitation", "bounce", "spam_like"] as const) {
    expect(makesTasks(other, "action_items")).toBe(false);
  }
  for (const never of ["bounce", "auto_reply", "spam_like"] as const) expect(makesTasks(never, "every")).toBe(false);
  for (const other of ["person", "newsletter", "notification"] as const) expect(makesTasks(other, "every")).toBe(true);
});
