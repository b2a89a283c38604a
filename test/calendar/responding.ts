import PostalMime from "postal-mime";
import type { Env } from "../../src/config.ts";
import { service } from "../harness.ts";
import { apply, ics } from "./inviting.ts";

export const ME = "hello@example.com";
let numbers = 0;

/** Stands in for the platform's mail binding: keeps the raw messages, or fails. */
export function mailbox(answer: () => unknown = () => ({ messageId: "<x@mail.test>" }), vars: Partial<Env> = {}) {
  const sent: { to: string; raw: string }[] = [];
  const send = async (message: Record<string, unknown>) => {
    const result = await answer();
    sent.push({ to: `${message.to}`, raw: `${message["EmailMessage::raw"] ?? message.raw}` });
    return result;
  };
  const api = service({ EMAIL: { send } as unknown as Env["EMAIL"], MAIL_FROM: "assistant@example.com", ...vars });
  /** The replies: recipient, text and calendar part with its unfolded lines. */
  const replies = () =>
    Promise.all(
      sent.map(async ({ to, raw }) => {
        const email = await new PostalMime().parse(raw);
        const part = email.attachments.find(({ mimeType }) => mimeType === "text/calendar");
        const ics = typeof part?.content === "string" ? part.content : new TextDecoder().decode(part?.content);
        return {
          to,
          subject: email.subject,
          text: email.text?.replaceAll("\r\n", "\n").trim(),
          method: part?.method,
          lines: ics.replaceAll(/\r?\n /g, "").split(/\r?\n/),
          raw,
        };
      }),
    );
  return { api, sent, replies };
}

export const START = "DTSTART;TZID=W. Europe Standard Time:20541117T100000\nDURATION:PT1H";

export function lines(from: string, more = "", start = START) {
  return `${start}\nSUMMARY:Board review\nORGANIZER;CN="Gina Ø":mailto:${from}\nATTENDEE;RSVP=TRUE;CN=Ada:mailto:${ME}\nATTENDEE:mailto:bob@example.com\n${more}`;
}

/** An invitation from somebody new. */
export async function invited(more = "", start = START) {
  numbers += 1;
  const from = `gina-${numbers}@example.org`;
  const uid = `respond-${numbers}`;
  const invite = (sequence: number, text = lines(from, more, start)) =>
    apply(ics("REQUEST", uid, sequence, text), { from });
  const { results } = await invite(4);
  return { id: results[0]?.eventId, from, uid, invite };
}
