import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { change, patched } from "../../../client/changes.ts";
import { toast } from "../../../client/notices.ts";
import { useNow } from "../../../client/profile.ts";
import { queryClient, useList } from "../../../client/queries.ts";
import { pastText, type TimeHabits } from "../../../lib/time.ts";
import { connections as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { Listed } from "../../../ui/listed.tsx";
import { Copyable } from "../../../ui/secret.tsx";
import { Section, SelectRow } from "../../../ui/setting.tsx";
import { Empty } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";

type Connection = components["schemas"]["Connection"];
type Rule = Connection["proposals"];

export default function Connections({ profile }: SettingsProps) {
  const now = useNow();
  const list = useList<Connection>({
    key: ["connection", "list"],
    read: (cursor, signal) => api.get("/api/settings/security/connections", { query: { limit: 50, cursor }, signal }),
  });
  const shown = list.records && patched("connection", list.records);
  return (
    <Section heading={m.heading} lead={m.lead}>
      <Listed
        list={{ ...list, records: shown }}
        none={
          <Empty icon="plug" title={m.none}>
            {m.noneText}
          </Empty>
        }
      >
        <ul class="setting-list">
          {shown?.map((each) => (
            <li key={each.id} class="setting-item">
              <div class="setting-line">
                <div class="grow">
                  <p class="setting-name">{each.name}</p>
                  <p class="hint">{factsOf(profile, now, each)}</p>
                </div>
                <Button onClick={() => end(each)}>{m.revoke}</Button>
              </div>
              <p class="badges wrap gap-4">
                {each.scopes.map((scope) => (
                  <span key={scope} class="badge">
                    {scope}
                  </span>
                ))}
              </p>
              <SelectRow<Rule>
                label={m.proposals}
                hint={m.rulesHint}
                value={each.proposals}
                options={[
                  ["every_write", m.rules.every_write],
                  ["changes", m.rules.changes],
                  ["never", m.rules.never],
                ]}
                onChange={(proposals) => setRule(each, proposals)}
              />
            </li>
          ))}
        </ul>
      </Listed>
      <Copyable label={m.address} value={`${location.origin}/mcp`} />
    </Section>
  );
}

function end({ id, name }: Connection): void {
  void ask({
    ...{ title: m.revokeTitle(name), text: m.revokeText, button: m.revoke, failed: m.notRevoked },
    async run() {
      await api.delete("/api/settings/security/connections/{id}", { params: { id } });
      toast(m.revoked(name));
      await queryClient.invalidateQueries({ queryKey: ["connection"] });
    },
  });
}

function setRule({ id }: Connection, proposals: Rule): void {
  void change<Connection, Connection>({
    kind: "connection",
    ids: [id],
    edit: (each) => ({ ...each, proposals }),
    send: () => api.patch("/api/settings/security/connections/{id}", { params: { id }, body: { proposals } }),
    failed: m.notSaved,
  });
}

function factsOf(
  habits: TimeHabits,
  now: Date,
  { redirectHost, createdAt, lastUsedAt, expiresAt }: Connection,
): string {
  const text = (moment: string) => pastText(habits, new Date(moment), now);
  const isLocal = /^(?:localhost|127\.|\[?::1)/.test(redirectHost);
  return [
    isLocal ? m.program : redirectHost,
    m.since(text(createdAt)),
    m.used(text(lastUsedAt)),
    m.until(text(expiresAt)),
  ].join(" · ");
}
