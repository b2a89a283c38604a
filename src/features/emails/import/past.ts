import { kindOf } from "../../../engine/email/kind.ts";
import { senderProof } from "../../../lib/authentication-results.ts";
import type { ParsedEmail } from "../parse-mime.ts";
import type { EmailToStore } from "../store.ts";

interface PastMessage {
  email: ParsedEmail;
  raw: EmailToStore["raw"];
  /** Its Message-ID, or what stands for it. */
  id: string;
}

type Place = Pick<EmailToStore, "status" | "isRead" | "isStarred" | "tags" | "receivedAt"> & { isSent: boolean };

/** An email of the past, from a file or a mailbox: nobody has checked its sender, and nothing happens because of it. */
export function pastEmail({ email: parsed, raw, id }: PastMessage, { isSent, ...place }: Place): EmailToStore {
  const { calendarParts, headers, messageId: _, date: __, from: sender, ...email } = parsed;
  const from = sender ?? { name: "", email: "unknown@invalid" };
  return {
    ...email,
    messageId: id,
    ...(raw && { raw }),
    direction: isSent ? "outbound" : "inbound",
    source: "import",
    kind: kindOf({
      headers,
      // The authentication results in a file are not trusted: its author may have written them.
      proof: senderProof(null),
      envelopeFrom: null,
      from: from.email,
      fromName: from.name,
      replyTo: email.replyTo?.email ?? null,
      deliveredTo: null,
      subject: email.subject,
      body: email.body,
      calendarParts,
    }),
    authentication: null,
    delivery: null,
    from,
    ...place,
  };
}
