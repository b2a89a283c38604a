import { describe, expect, it } from "vitest";
import type { Env } from "../../src/config.ts";
import { type CalendarPart, storeInboundEmail } from "../../src/features/emails/inbound.ts";
import { AppError } from "../../src/lib/errors.ts";
import { expectErrorLog, service, systemCtx, takeLogs } from "../harness.ts";
import { rarely } from "../sampled.ts";
import { deliver } from "./deliver.ts";

const api = service();

/** Delivers to an inbox of its own and reads back what was stored. */
async function stored(raw: string | Uint8Array, inbox: string) {
  expect(await deliver(raw, { to: `${inbox}@example.com` })).toBeNull();
  const { body } = await api.get(`/api/emails?tag=${inbox}`);
  return (await api.get(`/api/emails/${body.data[0].id}`)).body;
}

const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

describe("a message", () => {
  it("of HTML only gets a text body", async () => {
    const html =
      "<html><style>p { color: red }</style><body><h1>Invoice</h1><ul><li>Pay &euro;20</li></ul></body></html>";
    const mail = await stored(`From: a@x.org\nContent-Type: text/html; charset=utf-8\n\n${html}\n`, "html-only");
    expect(mail.body).toBe("Invoice\n\n- Pay €20");
    expect(mail.html).toContain("<h1>Invoice</h1>");
  });

  it("of HTML beside an empty text gets its body from the HTML, and its tasks", async () => {
    const part = (type: string, text: string) => `--b\nContent-Type: text/${type}; charset=utf-8\n\n${text}\n`;
    const html = "<p>Hello,</p><p>please send the signed contract by Friday.</p>";
    const parts = `${part("plain", " ")}${part("html", html)}--b--\n`;
    const head = "From: a@x.org\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n";
    const mail = await stored(`${head}${parts}`, "blank-text");
    expect(mail.body).toBe("Hello,\n\nplease send the signed contract by Friday.");
    const { body } = await api.get(`/api/tasks?emailId=${mail.id}&status=all`);
    expect(body.data).toMatchObject([{ title: "Send the signed contract" }]);
  });

  it("of HTML is read with the letters its entities name", async () => {
    const html = "<p>Caf&eacute; &Uuml;ber Stra&szlig;e, gar&ccedil;on &Ntilde; &xvalueOf; &nosuch;</p>";
    const mail = await stored(`From: a@x.org\nContent-Type: text/html\n\n${html}\n`, "entities");
    expect(mail.body).toBe("Café Über Straße, garçon Ñ &xvalueOf; &nosuch;");
  });

  it("of a wrong or unknown charset is still read", async () => {
    const head =
      "From: a@x.org\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: 8bit\r\nContent-Type: text/plain; charset=";
    const known = await stored(latin1(`${head}iso-8859-1\r\n\r\nGr\xfc\xdfe\r\n`), "latin");
    expect(known.body).toBe("Grüße");
    const unknown = await stored(latin1(`${head}x-no-such-charset\r\n\r\nGr\xfc\xdfe\r\n`), "no-charset");
    expect(unknown.body).toMatch(/^Gr/);
    const wrong = await stored(latin1(`${head}utf-8\r\n\r\nGr\xfc\xdfe\r\n`), "wrong-charset");
    expect(wrong.body).toMatch(/^Gr/);
  });

  it("without headers, without a body, or of nothing at all is kept", async () => {
    expect((await stored("Subject: Bare\n\n", "bare")).body).toBe("");
    expect((await stored("just some text\n", "headless")).from.email).toBe("ann@example.com");
    expect((await stored("", "empty")).to).toEqual([{ name: "", email: "empty@example.com" }]);
  });

  it("that cannot be parsed is kept as it came, with a note", async () => {
    let raw = "Subject: Too deep\r\nMessage-ID: <deep@x>\r\n";
    for (let depth = 0; depth < 300; depth++) {
      raw += `Content-Type: multipart/mixed; boundary="b${depth}"\r\n\r\n--b${depth}\r\n`;
    }
    const mail = await stored(raw, "deep");
    expect(mail.subject).toBe("Too deep");
    expect(mail.messageId).toBe("<deep@x>");
    expect(mail.body).toMatch(/^\[This message could not be parsed\..*\]\n\nSubject: Too deep/s);
  });

  it("with a body larger than a row is cut with a note", async () => {
    const text = "wörds and ".repeat(250_000);
    const mail = await stored(`From: a@x.org\nContent-Type: text/plain; charset=utf-8\n\n${text}`, "huge");
    expect(mail.body.length).toBeGreaterThan(800_000);
    expect(mail.body).toContain("wörds and wörds");
    expect(mail.body).toMatch(/All of it is in the raw message\.\]$/);
    expect(mail.attachments).toMatchObject([{ name: "message.txt", size: 250_000 * 11, inline: false }]);
    const html = `<p>${"words and ".repeat(150_000)}</p>`;
    const page = await stored(`From: a@x.org\nContent-Type: text/html; charset=utf-8\n\n${html}`, "huge-html");
    expect(page.html.length).toBeGreaterThan(900_000);
    expect(page.body).toContain("All of it is in the raw message.");
    expect(page.attachments).toMatchObject([{ name: "message.html", size: html.length, inline: false }]);
  });

  rarely("of 20 MB with large attachments keeps their names and sizes", async () => {
    const line = `${"QUJD".repeat(19)}\r\n`;
    const file = line.repeat(Math.floor(10_000_000 / line.length));
    const part = (name: string) =>
      `--b\r\nContent-Type: application/pdf; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n`;
    const raw = `From: a@x.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nTwo files\r\n${part("one.pdf")}${part("zwei.pdf")}--b--\r\n`;
    const mail = await stored(new TextEncoder().encode(raw), "large");
    expect(mail.body).toBe("Two files");
    const size = Math.floor(10_000_000 / line.length) * 57;
    expect(mail.attachments).toMatchObject([
      { n: 1, name: "one.pdf", type: "application/pdf", size },
      { n: 2, name: "zwei.pdf", type: "application/pdf", size },
    ]);
  });

  it("larger than a Worker can hold goes back with the reason", async () => {
    const message = { from: "a@x.org", to: "b@x.org", raw: new Response("x").body, rawSize: 40_000_000 };
    const execution = { waitUntil: () => {} };
    const receipt = await storeInboundEmail(
      systemCtx({}, execution),
      message as Parameters<typeof storeInboundEmail>[1],
    );
    expect(receipt).toEqual({ stored: false, reason: expect.stringContaining("larger than 25 MB") });
  });

  it("is left with the sending server while the database is down", async () => {
    const gone = () => Promise.reject(new Error("gone"));
    const broken = { bind: () => broken, all: gone, raw: gone };
    const DB = { prepare: () => broken, batch: gone } as unknown as Env["DB"];
    await expect(deliver("From: a@x.org\n\nHi\n", { vars: { DB } })).rejects.toThrow("gone");
  });
});

describe("calendar parts", () => {
  const invite = `From: a@x.org
Message-ID: <invite@x>
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain

You are invited.
--b
Content-Type: text/calendar; method=REQUEST; charset=utf-8

BEGIN:VCALENDAR
SUMMARY:Frühstück
END:VCALENDAR
--b--
`;
  const receive = async (onCalendarPart: (part: CalendarPart) => Promise<void>) => {
    const bytes = new TextEncoder().encode(invite.replaceAll("\n", "\r\n"));
    const message = { from: "a@x.org", to: "invites@x.org", raw: new Response(bytes).body, rawSize: bytes.length };
    const deferred: Promise<unknown>[] = [];
    const execution = { waitUntil: (work: Promise<unknown>) => void deferred.push(work) };
    const ctx = systemCtx({}, execution);
    const receipt = await storeInboundEmail(ctx, message as Parameters<typeof storeInboundEmail>[1], {
      onCalendarPart: (_, part) => onCalendarPart(part),
    });
    await Promise.all(deferred);
    return receipt;
  };

  it("are handed on with the mail they came in", async () => {
    const parts: CalendarPart[] = [];
    const receipt = await receive(async (part) => void parts.push(part));
    expect(parts).toEqual([
      {
        emailId: receipt.stored && receipt.emailId,
        from: "a@x.org",
        isVerified: true,
        content: expect.stringContaining("Frühstück"),
      },
    ]);
  });

  it("that cannot be handled do not cost the mail", async () => {
    expectErrorLog("calendar_part_failed");
    const receipt = await receive(() => Promise.reject(new Error("no calendar")));
    expect(receipt.stored).toBe(true);
    expect(takeLogs().join("\n")).toMatch(/"level":"error","event":"calendar_part_failed".*"stack"/);
  });

  it("that break a rule are the sender's fault: a warning, without a stack", async () => {
    takeLogs();
    await receive(() => Promise.reject(new AppError("validation_failed", "The calendar data cannot be used.")));
    const line = takeLogs().find((each) => each.includes("calendar_part_failed"));
    expect(JSON.parse(line ?? "")).toMatchObject({ level: "warn", message: "The calendar data cannot be used." });
    expect(line).not.toContain("stack");
  });
});
