import { useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { Failure, toast } from "../../../client/notices.ts";
import { type Profile, useNow } from "../../../client/profile.ts";
import { queryClient, useList } from "../../../client/queries.ts";
import { facts } from "../../../lib/plain.ts";
import { pastText } from "../../../lib/time.ts";
import { webhooks as m } from "../../../messages/settings-webhooks.ts";
import { Button } from "../../../ui/button.tsx";
import { Chips } from "../../../ui/chips.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { Section } from "../../../ui/setting.tsx";

type Delivery = components["schemas"]["WebhookDelivery"];
type Status = Delivery["status"];

const TONES = { pending: "badge warn", delivered: "badge good", failed: "badge danger" };

/** What was sent to a webhook. New ones appear through the live channel. */
export function Deliveries({ webhookId, profile }: { webhookId: number; profile: Profile }) {
  const now = useNow();
  const [status, setStatus] = useState<Status | "all">("all");
  const { busy, attempt } = useAttempt();
  const list = useList(["delivery", webhookId, status], "/api/settings/webhooks/{id}/deliveries", {
    params: { id: webhookId },
    query: { limit: 20, ...(status !== "all" && { status }) },
  });

  async function repeat({ id: deliveryId }: Delivery) {
    const run = async () => {
      const { status: outcome, error } = await api.post("/api/settings/webhooks/{id}/deliveries/{deliveryId}/retry", {
        params: { id: webhookId, deliveryId },
      });
      if (outcome !== "delivered") throw new Failure(m.retryFailed, error);
      toast(m.retried);
    };
    await attempt(m.notRetried, run, deliveryId);
    await queryClient.invalidateQueries({ queryKey: ["delivery", webhookId] });
  }

  return (
    <Section heading={m.deliveries} lead={m.deliveriesLead}>
      <Chips<Status | "all"> label={m.filter} options={m.filters} value={status} onChange={setStatus} />
      <Entries of={list} none={m.noDeliveries}>
        {(each) => (
          <Entry
            name={each.eventType}
            badge={<span class={TONES[each.status]}>{m.statuses[each.status]}</span>}
            hint={facts(
              pastText(profile, new Date(each.lastAttemptAt ?? each.createdAt), now),
              m.attempts(each.attempts),
              each.responseStatus !== null && m.answered(each.responseStatus),
              each.durationMs !== null && m.took(each.durationMs),
              each.nextAttemptAt && m.next(pastText(profile, new Date(each.nextAttemptAt), now)),
            )}
            problem={each.error}
          >
            <Button
              isBusy={busy === each.id}
              aria-label={m.retryName(each.eventType)}
              onClick={() => void repeat(each)}
            >
              {m.retry}
            </Button>
          </Entry>
        )}
      </Entries>
    </Section>
  );
}
