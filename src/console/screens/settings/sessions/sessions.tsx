import { useEffect } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { toast } from "../../../client/notices.ts";
import { useNow } from "../../../client/profile.ts";
import { queryClient, useList } from "../../../client/queries.ts";
import { deviceName } from "../../../lib/device.ts";
import { facts } from "../../../lib/plain.ts";
import { pastText } from "../../../lib/time.ts";
import { sessions as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { Section } from "../../../ui/setting.tsx";
import type { SettingsProps } from "../page.ts";
import { Reaching } from "./reaching.tsx";

export default function Sessions({ profile, query }: SettingsProps) {
  const now = useNow();
  const list = useList(["session", "list"], "/api/settings/security/sessions", { query: { limit: 50 } });
  useEffect(() => {
    if (query.get("do") === "end") endOthers();
  }, []);
  // This device first: it is the one that nobody looks for.
  const shown = list.records?.toSorted((one, other) => Number(other.current) - Number(one.current));
  return (
    <>
      <Section
        heading={m.heading}
        lead={m.lead}
        actions={shown && shown.length > 1 && <Button onClick={endOthers}>{m.endOthers}</Button>}
      >
        <Entries of={{ ...list, records: shown }}>
          {({ id, current, ip, userAgent, createdAt, lastSeenAt }) => {
            const name = deviceName(userAgent, m.unknown);
            return (
              <Entry
                icon="device"
                name={name}
                badge={current && <span class="badge good">{m.here}</span>}
                hint={facts(
                  ip,
                  m.seen(pastText(profile, new Date(lastSeenAt), now)),
                  m.since(pastText(profile, new Date(createdAt), now)),
                )}
              >
                {!current && (
                  <Button aria-label={m.endName(name)} onClick={() => end(id, name)}>
                    {m.end}
                  </Button>
                )}
              </Entry>
            );
          }}
        </Entries>
      </Section>
      <Reaching habits={profile} />
    </>
  );
}

const reread = () => queryClient.invalidateQueries({ queryKey: ["session"] });

function endOthers(): void {
  void ask({
    ...{ title: m.endOthersTitle, text: m.endOthersText, button: m.endOthers, failed: m.notEnded },
    async run() {
      const { sessionsEnded } = await api.delete("/api/settings/security/sessions");
      toast(m.othersEnded(sessionsEnded));
      await reread();
    },
  });
}

function end(id: string, name: string): void {
  void ask({
    ...{ title: m.endTitle, text: m.endText(name), button: m.end, failed: m.notEnded },
    async run() {
      await api.delete("/api/settings/security/sessions/{id}", { params: { id } });
      toast(m.ended);
      await reread();
    },
  });
}
