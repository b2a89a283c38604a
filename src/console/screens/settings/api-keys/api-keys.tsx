import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { toast } from "../../../client/notices.ts";
import { useNow } from "../../../client/profile.ts";
import { queryClient, useGet, useList } from "../../../client/queries.ts";
import { facts } from "../../../lib/plain.ts";
import { pastText, type TimeHabits } from "../../../lib/time.ts";
import { apiKeys as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { Badges, Entries, Entry } from "../../../ui/entries.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { SecretDialog } from "../../../ui/secret.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Empty } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";
import { type ApiKey, KeyDialog } from "./key-dialog.tsx";

type Asked = { kind: "edit"; key: ApiKey | null } | { kind: "shown"; title: string; value: string } | null;

export default function ApiKeys({ profile, query }: SettingsProps) {
  const now = useNow();
  const [asked, setAsked] = useState<Asked>(query.get("do") === "new" ? { kind: "edit", key: null } : null);
  const list = useList(["api-key", "list"], "/api/settings/security/api-keys", { query: { limit: 50 } });
  const scopes = useGet(["api-key", "scopes"], "/api/settings/security/api-keys/scopes", {
    staleTime: Number.POSITIVE_INFINITY,
  }).data?.data;
  const close = () => setAsked(null);
  const reread = () => queryClient.invalidateQueries({ queryKey: ["api-key", "list"] });
  const show = (title: string, value: string | null) => {
    void reread();
    setAsked(value === null ? null : { kind: "shown", title, value });
  };
  const rotate = ({ id, version }: ApiKey) =>
    void ask({
      ...{ title: m.rotateTitle, text: m.rotateText, button: m.rotate, failed: m.notRotated },
      async run() {
        const request = { params: { id }, body: {}, version };
        show(m.rotated, (await api.post("/api/settings/security/api-keys/{id}/rotate", request)).key);
      },
    });
  const revoke = ({ id, name }: ApiKey) =>
    void ask({
      ...{ title: m.revokeTitle(name), text: m.revokeText, button: m.revoke, failed: m.notRevoked },
      async run() {
        await api.delete("/api/settings/security/api-keys/{id}", { params: { id } });
        toast(m.revoked);
        await reread();
      },
    });
  return (
    <Section
      heading={m.heading}
      lead={m.lead}
      actions={
        <Button tone="primary" icon="plus" onClick={() => setAsked({ kind: "edit", key: null })}>
          {m.create}
        </Button>
      }
    >
      <Entries of={list} none={<Empty icon="key" title={m.none} text={m.noneText} />}>
        {(key) => (
          <Entry icon="key" name={key.name} hint={factsOf(profile, now, key)} more={<Badges of={key.scopes} />}>
            <Menu label={m.actions(key.name)}>
              <MenuItem icon="edit" onChoose={() => setAsked({ kind: "edit", key })} label={m.edit} />
              <MenuItem icon="repeat" onChoose={() => rotate(key)} label={m.rotate} />
              <MenuItem icon="trash" tone="danger" onChoose={() => revoke(key)} label={m.revoke} />
            </Menu>
          </Entry>
        )}
      </Entries>
      {asked?.kind === "edit" && scopes && (
        <KeyDialog apiKey={asked.key} scopes={scopes} onClose={close} onDone={(value) => show(m.created, value)} />
      )}
      {asked?.kind === "shown" && (
        <SecretDialog
          title={asked.title}
          text={m.createdText}
          label={m.key}
          value={asked.value}
          hint={m.use}
          done={m.done}
          onClose={close}
        />
      )}
    </Section>
  );
}

function factsOf(habits: TimeHabits, now: Date, { createdAt, lastUsedAt, expiresAt }: ApiKey): string {
  const text = (moment: string) => pastText(habits, new Date(moment), now);
  const end = expiresAt && (new Date(expiresAt) < now ? m.ended(text(expiresAt)) : m.until(text(expiresAt)));
  return facts(m.since(text(createdAt)), lastUsedAt ? m.used(text(lastUsedAt)) : m.neverUsed, end ?? m.noEnd);
}
