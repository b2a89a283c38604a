import { setTimeout as sleep } from "node:timers/promises";
import { MARK } from "./acts.ts";
import type { IsOver, Part, Select, Stage } from "./part.ts";
import { countSent, sentTwice } from "./sent-emails.ts";

const PAUSE_MS = 300;
/** By then the server is in the middle of it. */
const UNDER_WAY_MS = 15;

/** Another server that delivers emails, and a person who replies to them. */
export function openEmails(stage: Stage): Part {
  /** The Message-IDs of the emails that the service accepted. */
  const accepted: string[] = [];
  /** The replies that the service called sent: id → text. */
  const replied = new Map<number, string>();
  const correspondent = stage.newCaller("correspondent");
  let sent: ReadonlyMap<string, number> = new Map();
  return {
    load: (isOver) => Promise.all([deliver(stage, accepted, isOver), reply(isOver)]),
    phases: ["an inbound email", "an analysis", "a reply"],
    owed: {
      "analyses due": "SELECT count(*) AS n FROM emails WHERE analysis_due_at IS NOT NULL",
      "emails being sent": "SELECT count(*) AS n FROM emails WHERE delivery = 'sending'",
    },
    dueTimes: [
      ["emails", "analysis_due_at", "analysis_due_at IS NOT NULL"],
      ["emails", "updated_at", "delivery = 'sending'"],
    ],
    finish: () => correspondent.finish(),
    rules: {
      "every inbound email is analyzed": "SELECT message_id FROM emails WHERE source = 'inbound' AND analysis IS NULL",
    },
    audit(rows) {
      sent = countSent(stage.temporary, new RegExp(`${MARK} reply \\d+\\.`));
      return compareEmails(rows, { accepted, replied, sent });
    },
    figures: () => [`${accepted.length} inbound emails, ${replied.size} replies acknowledged, ${sent.size} left`],
  };

  /** A reply whose answer was lost is asked for again under its key, and is never sent twice. */
  async function reply(isOver: IsOver): Promise<void> {
    for (let turn = 0; !isOver(); turn++) {
      const found = await correspondent.surely({ path: `/api/emails?q=${MARK}&direction=inbound&limit=1` });
      const email = found.body?.data?.[0];
      if (email) await correspondent.inBackground(() => replyTo(email.id, turn));
      await sleep(PAUSE_MS * 2);
    }
  }

  async function replyTo(id: number, turn: number): Promise<void> {
    const text = `${MARK} reply ${turn}.`;
    const answer = correspondent.surely({
      method: "POST",
      path: `/api/emails/${id}/reply`,
      headers: { "idempotency-key": `reply-${turn}` },
      body: { body: text },
    });
    await sleep(UNDER_WAY_MS);
    stage.moments.reach("a reply");
    const result = await answer;
    // 409: whether the reply left before the server died is not known, and it is not sent again.
    if (correspondent.expect(result, [201, 409], "a reply") && result.status === 201) replied.set(result.body.id, text);
  }
}

/** An email that got no answer is sent again, as servers do. */
async function deliver({ service, moments }: Stage, accepted: string[], isOver: IsOver): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    const messageId = `<${MARK}-inbound-${turn}@example.com>`;
    const raw = `From: Ann <ann@example.com>\r
To: hello@example.com\r
Subject: ${MARK} inbound ${turn}\r
Message-ID: ${messageId}\r
\r
Could you send the signed contract by Friday? Thank you.\r
`;
    for (let isAccepted = false; !isAccepted; ) {
      const answer = service.email(raw);
      await sleep(UNDER_WAY_MS);
      moments.reach("an inbound email");
      isAccepted = await answer;
      if (!isAccepted) await sleep(PAUSE_MS);
    }
    accepted.push(messageId);
    await sleep(PAUSE_MS);
  }
}

interface Knowledge {
  accepted: readonly string[];
  replied: ReadonlyMap<number, string>;
  sent: ReadonlyMap<string, number>;
}

/** What was accepted is stored; what was called sent is, and no reply left twice. */
function compareEmails(rows: Select, { accepted, replied, sent }: Knowledge): string[] {
  const inbound = new Set(rows("SELECT message_id FROM emails WHERE source = 'inbound'").map((row) => row.message_id));
  const stored = new Set(rows("SELECT id FROM emails WHERE delivery = 'sent'").map(({ id }) => id));
  return [
    ...accepted.filter((id) => !inbound.has(id)).map((id) => `email ${id} was accepted and is lost`),
    ...[...replied.keys()]
      .filter((id) => !stored.has(id))
      .map((id) => `reply ${id} was called sent and is not stored so`),
    ...[...replied].filter(([, text]) => !sent.has(text)).map(([id]) => `reply ${id} was called sent and never left`),
    ...sentTwice(sent),
  ];
}
