import type { Env } from "../../src/config.ts";

/** What the service hands to the platform's mail binding. */
export interface HandedOver {
  from: { name: string; email: string };
  to?: { name: string; email: string }[];
  cc?: { name: string; email: string }[];
  bcc?: { name: string; email: string }[];
  replyTo?: { name: string; email: string };
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
  attachments?: { filename: string; type: string; disposition: string; contentId?: string; content: Uint8Array }[];
}

/** Stands in for the platform's mail binding: keeps what it is given, or fails. */
export function fakeMail(
  answer: () => unknown = () => ({
    messageId: `<sent-${crypto.randomUUID()}@mail.test>`,
  }),
) {
  const sent: HandedOver[] = [];
  const send = async (message: HandedOver) => {
    sent.push(message);
    return answer();
  };
  return { sent, EMAIL: { send } as unknown as Env["EMAIL"] };
}

/** A refusal as the platform words it. */
export function refusal(message = "recipient not allowed", code = "E_RECIPIENT_NOT_ALLOWED"): Error {
  return Object.assign(new Error(message), { code });
}
