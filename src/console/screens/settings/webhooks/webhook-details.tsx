import { useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { Failure, toast } from "../../../client/notices.ts";
import { isProblem } from "../../../client/problem.ts";
import { type Profile, useNow } from "../../../client/profile.ts";
import { queryClient, useList } from "../../../client/queries.ts";
import { useRecord } from "../../../client/record.ts";
import { facts } from "../../../lib/plain.ts";
import { navigate } from "../../../lib/router.ts";
import { fullText, pastText } from "../../../lib/time.ts";
import { webhooks as m } from "../../../messages/settings-webhooks.ts";
import { Button } from "../../../ui/button.tsx";
import { Callout } from "../../../ui/callout.tsx";
import { Chips } from "../../../ui/chips.tsx";
import { Badges, Entries, Entry } from "../../../ui/entries.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Section, SwitchRow } from "../../../ui/setting.tsx";
import { Empty, Pending } from "../../../ui/states.tsx";
import { SecretShown, WebhookDialog } from "./webhook-dialog.tsx";
import { type Webhook, WebhookState } from "./webhook-state.tsx";

/** One webhook: its state, a test, its deliveries. */
export function WebhookDetails({ id, profile }: { id: number; profile: Profile }) {
  const [isEditing, setIsEditing] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { isBusy, attempt } = useAttempt();
  const params = { id };
  const { record, error, retry, row, isSaved } = useRecord<Webhook, Partial<Webhook>>({
    key: ["webhook", id],
    read: (signal) => api.get("/api/settings/webhooks/{id}", { params, signal }),
    send: ({ enabled }, version) => api.patch("/api/settings/webhooks/{id}", { params, body: { enabled }, version }),
    failed: m.notSaved,
  });
  const reread = () => queryClient.invalidateQueries({ queryKey: ["webhook"] });

  async function test() {
    await attempt(m.notTested, async () => {
      const { status, responseStatus, error: reason } = await api.post("/api/settings/webhooks/{id}/test", { params });
      if (status !== "delivered") throw new Failure(m.testFailed, reason);
      toast(m.tested(String(responseStatus)));
    });
    await queryClient.invalidateQueries({ queryKey: ["delivery", id] });
  }

  const rotate = ({ version }: Webhook) =>
    void ask({
      ...{ title: m.rotateTitle, text: m.rotateText, button: m.rotate, failed: m.notRotated },
      async run() {
        const { secret: made } = await api.post("/api/settings/webhooks/{id}/rotate-secret", { params, version });
        setSecret(made);
        await reread();
      },
    });
  const remove = ({ url }: Webhook) =>
    void ask({
      ...{ title: m.deleteTitle, text: m.deleteText(url), button: m.delete, failed: m.notDeleted },
      async run() {
        await api.delete("/api/settings/webhooks/{id}", { params });
        toast(m.deleted);
        navigate("/app/settings/webhooks");
        await queryClient.invalidateQueries({ queryKey: ["webhook", "list"] });
      },
    });

  const back = (
    <a class="settings-up disclose" href="/app/settings/webhooks">
      <Icon name="left" size={16} />
      {m.all_webhooks}
    </a>
  );
  if (isProblem(error, "not_found", "validation_failed")) return <Empty icon="send" title={m.gone} action={back} />;
  if (!record) return <Pending of={{ error, retry }} />;
  return (
    <>
      {back}
      <Section
        heading={record.url}
        lead={record.description}
        isSaved={isSaved}
        actions={<WebhookState webhook={record} />}
      >
        {record.failingSince && (
          <Callout tone="danger">{m.failingSince(fullText(profile, new Date(record.failingSince)))}</Callout>
        )}
        {record.disabledReason && <Callout tone="danger">{record.disabledReason}</Callout>}
        {record.previousSecretUntil && (
          <p class="muted">{m.both(fullText(profile, new Date(record.previousSecretUntil)))}</p>
        )}
        <SwitchRow label={m.enabled} hint={m.enabledHint} {...row("enabled")} />
        <Badges of={record.eventTypes.length === 0 ? [m.all] : record.eventTypes} />
        <div class="form-actions wrap">
          <Button icon="send" isBusy={isBusy} onClick={() => void test()}>
            {m.test}
          </Button>
          <Button icon="edit" onClick={() => setIsEditing(true)}>
            {m.edit}
          </Button>
          <Button icon="repeat" onClick={() => rotate(record)}>
            {m.rotate}
          </Button>
          <Button icon="trash" tone="danger" onClick={() => remove(record)}>
            {m.delete}
          </Button>
        </div>
      </Section>
      <Deliveries webhookId={id} profile={profile} />
      {isEditing && (
        <WebhookDialog webhook={record} onClose={() => setIsEditing(false)} onDone={() => setIsEditing(false)} />
      )}
      {secret !== null && <SecretShown title={m.rotatedTitle} secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}

type Delivery = components["schemas"]["WebhookDelivery"];
type Status = Delivery["status"];

const TONES = { pending: "badge warn", delivered: "badge good", failed: "badge danger" };

/** What was sent to a webhook. New ones appear through the live channel. */
function Deliveries({ webhookId, profile }: { webhookId: number; profile: Profile }) {
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
