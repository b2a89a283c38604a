import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { useNow } from "../../../client/profile.ts";
import { useRecords } from "../../../client/records.ts";
import { facts } from "../../../lib/plain.ts";
import { pastText, type TimeHabits } from "../../../lib/time.ts";
import { connections as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { Badges, Entries, Entry } from "../../../ui/entries.tsx";
import { Copyable } from "../../../ui/secret.tsx";
import { Section, SelectRow } from "../../../ui/setting.tsx";
import { Empty } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";

type Connection = components["schemas"]["Connection"];
type Rule = Connection["proposals"];

export default function Connections({ profile }: SettingsProps) {
  const now = useNow();
  const list = useRecords(["connection", "list"], "/api/settings/security/connections", { query: { limit: 100 } });
  const end = (each: Connection) =>
    list.remove(each, {
      send: () => api.delete("/api/settings/security/connections/{id}", { params: { id: each.id } }),
      failed: m.notRevoked,
      ask: { title: m.revokeTitle(each.name), text: m.revokeText, button: m.revoke, done: m.revoked(each.name) },
    });
  const setRule = (each: Connection, proposals: Rule) => {
    const [params, body] = [{ id: each.id }, { proposals }];
    const send = () => api.patch("/api/settings/security/connections/{id}", { params, body });
    list.save(each, body, send, m.notSaved);
  };
  return (
    <Section heading={m.heading} lead={m.lead}>
      <Entries of={list} none={<Empty icon="plug" title={m.none} text={m.noneText} />}>
        {(each) => (
          <>
            <Entry name={each.name} hint={factsOf(profile, now, each)} more={<Badges of={each.scopes} />}>
              <Button onClick={() => end(each)}>{m.revoke}</Button>
            </Entry>
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
          </>
        )}
      </Entries>
      <Copyable label={m.address} value={`${location.origin}/mcp`} />
    </Section>
  );
}

function factsOf(
  habits: TimeHabits,
  now: Date,
  { redirectHost, createdAt, lastUsedAt, expiresAt }: Connection,
): string {
  const text = (moment: string) => pastText(habits, new Date(moment), now);
  const isLocal = /^(?:localhost|127\.|\[?::1)/.test(redirectHost);
  return facts(
    isLocal ? m.program : redirectHost,
    m.since(text(createdAt)),
    m.used(text(lastUsedAt)),
    m.until(text(expiresAt)),
  );
}
