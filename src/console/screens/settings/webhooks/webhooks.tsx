import { useState } from "preact/hooks";
import { useList } from "../../../client/queries.ts";
import { facts } from "../../../lib/plain.ts";
import { webhooks as m } from "../../../messages/settings-webhooks.ts";
import { Button } from "../../../ui/button.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Empty } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";
import { WebhookDetails } from "./webhook-details.tsx";
import { SecretShown, WebhookDialog } from "./webhook-dialog.tsx";
import { WebhookState } from "./webhook-state.tsx";

export default function Webhooks({ profile, id, query }: SettingsProps) {
  if (id !== undefined) return <WebhookDetails key={id} id={Number(id)} profile={profile} />;
  return <WebhookList isAdding={query.get("do") === "new"} />;
}

function WebhookList({ isAdding: isAsked }: { isAdding: boolean }) {
  const [isAdding, setIsAdding] = useState(isAsked);
  const [secret, setSecret] = useState<string | null>(null);
  const list = useList(["webhook", "list"], "/api/settings/webhooks", { query: { limit: 50 } });
  return (
    <Section
      heading={m.heading}
      lead={m.lead}
      actions={
        <Button tone="primary" icon="plus" onClick={() => setIsAdding(true)}>
          {m.add}
        </Button>
      }
    >
      <Entries of={list} none={<Empty icon="send" title={m.none} text={m.noneText} />}>
        {(each) => (
          <a class="hovers" href={`/app/settings/webhooks/${each.id}`}>
            <Entry
              name={each.url}
              hint={facts(
                each.description,
                each.eventTypes.length === 0 ? m.all : m.count(each.eventTypes.length),
                each.disabledReason,
              )}
            >
              <WebhookState webhook={each} />
              <Icon name="right" size={16} />
            </Entry>
          </a>
        )}
      </Entries>
      {isAdding && (
        <WebhookDialog
          onClose={() => setIsAdding(false)}
          onDone={(given) => {
            setIsAdding(false);
            setSecret(given);
          }}
        />
      )}
      {secret !== null && <SecretShown title={m.secretTitle} secret={secret} onClose={() => setSecret(null)} />}
    </Section>
  );
}
