import { setTimeout as sleep } from "node:timers/promises";
import { MARK } from "./acts.ts";
import type { Caller } from "./caller.ts";
import type { Moments } from "./moments.ts";
import type { Service } from "./service.ts";

const PAUSE_MS = 300;
/** By then the server is in the middle of it. */
const UNDER_WAY_MS = 15;

/** What senders and recipients know. */
export interface Correspondence {
  /** The Message-IDs of the emails that the service accepted. */
  accepted: string[];
  /** The ids of replies that the service called sent. */
  replied: number[];
}

/** Another server that delivers emails. One that got no answer is sent again, as servers do. */
export async function keepDelivering(
  service: Service,
  moments: Moments,
  { accepted }: Correspondence,
  isOver: () => boolean,
) {
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

/** A person who replies. A reply whose answer was lost is asked for again under its key, and is never sent twice. */
export async function keepReplying(
  caller: Caller,
  moments: Moments,
  { replied }: Correspondence,
  isOver: () => boolean,
) {
  for (let turn = 0; !isOver(); turn++) {
    const found = await caller.surely({ path: `/api/emails?q=${MARK}&direction=inbound&limit=1` });
    const email = found.body?.data?.[0];
    if (email) {
      const call = {
        method: "POST",
        path: `/api/emails/${email.id}/reply`,
        headers: { "idempotency-key": `reply-${turn}` },
        body: { body: `${MARK} reply ${turn}` },
      };
      const answer = caller.surely(call);
      await sleep(UNDER_WAY_MS);
      moments.reach("a reply");
      const reply = await answer;
      // 409: whether the reply left before the server died is not known, and it is not sent again.
      if (caller.expect(reply, [201, 409], "a reply") && reply.status === 201) replied.push(reply.body.id);
    }
    await sleep(PAUSE_MS * 2);
  }
}
