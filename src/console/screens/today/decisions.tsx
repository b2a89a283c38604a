import { useState } from "preact/hooks";
import { patched } from "../../client/changes.ts";
import { useGet } from "../../client/queries.ts";
import { captions } from "../../messages/captions.ts";
import { today as m } from "../../messages/today.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ProposalCard } from "../chat/proposal-card.tsx";
import { approve, skip } from "../streams/caption-changes.ts";
import { useInvitations } from "./data.ts";

/** More than this is decided on the screens of their own. */
const SHOWN = 3;

/** Proposals of the assistant, captions and invitations that wait for this person. Without any, the card is not there. */
export function Decisions() {
  const { data: proposals } = useGet(["proposal", "open"], "/api/ai/chat/proposals", { query: { limit: 100 } });
  const { data: pending } = useGet(["caption", "list", "waiting"], "/api/stream/captions/pending", {
    query: { limit: 50 },
  });
  const invitations = useInvitations();
  const [showsAll, setShowsAll] = useState(false);
  const open = proposals?.data.filter(({ status }) => status === "open") ?? [];
  const waiting = patched("caption", pending?.data ?? []).filter(({ status }) => status === "pending");
  if (open.length + waiting.length + invitations === 0) return null;
  return (
    <Card heading={m.decisions} class="decisions">
      <ul class="proposals stack">
        {open.slice(0, showsAll ? open.length : SHOWN).map((proposal) => (
          <ProposalCard key={proposal.id} proposal={proposal} isDisabled={false} />
        ))}
        {waiting.slice(0, SHOWN).map((caption) => (
          <li key={caption.id} class="proposal stack gap-6">
            <p>
              <strong>{captions.platforms[caption.platform]}</strong>{" "}
              <span class="muted">{captions.kinds[caption.kind]}</span>
            </p>
            <p class="decision-text">{caption.text}</p>
            <div class="wrap">
              <Button tone="primary" onClick={() => approve([caption])}>
                {captions.approve}
              </Button>
              <Button onClick={() => skip([caption])}>{captions.skip}</Button>
            </div>
          </li>
        ))}
      </ul>
      <ul class="around">
        {open.length > SHOWN && !showsAll && (
          <li class="line gap-12">
            <Button tone="quiet" onClick={() => setShowsAll(true)}>
              {m.allProposals(open.length)}
            </Button>
          </li>
        )}
        {waiting.length > SHOWN && <More href="/app/streams/captions" text={m.captions(waiting.length)} />}
        {invitations > 0 && <More href="/app/mail/inbox" text={m.invitations(invitations)} />}
      </ul>
    </Card>
  );
}

function More({ href, text }: { href: string; text: string }) {
  return (
    <li class="line gap-12">
      <a class="plain" href={href}>
        {text}
      </a>
    </li>
  );
}
