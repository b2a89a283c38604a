import { api } from "../../client/api.ts";
import { useAttempt } from "../../client/attempt.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { chat as m } from "../../messages/chat.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Proposal } from "./conversation.ts";

/** A change that waits for a person: in the service's words, never a model's. */
export function ProposalCard({ proposal, isDisabled }: { proposal: Proposal; isDisabled: boolean }) {
  const { isBusy, attempt } = useAttempt();
  const decide = (isApplied: boolean) => async () => {
    await attempt(isApplied ? m.notApplied : m.notDismissed, async () => {
      const params = { id: proposal.id };
      if (isApplied) await api.post("/api/ai/chat/proposals/{id}", { params });
      else await api.delete("/api/ai/chat/proposals/{id}", { params });
      toast(isApplied ? m.applied : m.dismissed);
    });
    void queryClient.invalidateQueries();
  };
  if (proposal.status !== "open") {
    return (
      <li class="proposal line settled">
        <span class="badge">{m[proposal.status]}</span>
        <span>{proposal.summary}</span>
        {proposal.agent && <span class="muted">{m.byAgent(proposal.agent)}</span>}
      </li>
    );
  }
  return (
    <li class="proposal stack gap-6">
      {proposal.agent && (
        <p class="line gap-6">
          <Icon name="plug" size={14} />
          <strong>{m.byAgent(proposal.agent)}</strong>
        </p>
      )}
      <p>{proposal.summary}</p>
      <p class="muted">{proposal.agent ? m.agentReason : proposal.reason}</p>
      <div class="wrap">
        <Button
          tone="primary"
          isBusy={isBusy}
          aria-disabled={isDisabled}
          onClick={isDisabled ? undefined : decide(true)}
        >
          {m.apply}
        </Button>
        <Button aria-disabled={isDisabled} onClick={isDisabled ? undefined : decide(false)}>
          {m.dismiss}
        </Button>
      </div>
    </li>
  );
}
