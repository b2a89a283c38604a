import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { toast } from "../../../client/notices.ts";
import { useNow } from "../../../client/profile.ts";
import { queryClient, useList } from "../../../client/queries.ts";
import { deviceName } from "../../../lib/device.ts";
import { pastText } from "../../../lib/time.ts";
import { sessions as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Listed } from "../../../ui/listed.tsx";
import { Section } from "../../../ui/setting.tsx";
import type { SettingsProps } from "../page.ts";
import { Reaching } from "./reaching.tsx";

type Ending = { id: string; name: string } | "others" | null;

export default function Sessions({ profile, query }: SettingsProps) {
  const now = useNow();
  const [ending, setEnding] = useState<Ending>(query.get("do") === "end" ? "others" : null);
  const list = useList({
    key: ["session", "list"],
    read: (cursor, signal) => api.get("/api/settings/security/sessions", { query: { limit: 50, cursor }, signal }),
  });
  const reread = () => queryClient.invalidateQueries({ queryKey: ["session"] });
  // This device first: it is the one that nobody looks for.
  const shown = list.records?.toSorted((one, other) => Number(other.current) - Number(one.current));
  return (
    <>
      <Section
        heading={m.heading}
        lead={m.lead}
        actions={shown && shown.length > 1 && <Button onClick={() => setEnding("others")}>{m.endOthers}</Button>}
      >
        <Listed list={list}>
          <ul class="setting-list">
            {shown?.map(({ id, current, ip, userAgent, createdAt, lastSeenAt }) => {
              const name = deviceName(userAgent, m.unknown);
              return (
                <li key={id} class="setting-line">
                  <span class="line-icon">
                    <Icon name="device" />
                  </span>
                  <div class="grow">
                    <p class="setting-name">
                      {name} {current && <span class="badge good">{m.here}</span>}
                    </p>
                    <p class="field-hint">
                      {ip} · {m.seen(pastText(profile, new Date(lastSeenAt), now))} ·{" "}
                      {m.since(pastText(profile, new Date(createdAt), now))}
                    </p>
                  </div>
                  {!current && (
                    <Button aria-label={m.endName(name)} onClick={() => setEnding({ id, name })}>
                      {m.end}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        </Listed>
        {ending === "others" && (
          <Confirm
            title={m.endOthersTitle}
            button={m.endOthers}
            failed={m.notEnded}
            onClose={() => setEnding(null)}
            run={async () => {
              const { sessionsEnded } = await api.delete("/api/settings/security/sessions");
              toast(m.othersEnded(sessionsEnded));
              await reread();
            }}
          >
            {m.endOthersText}
          </Confirm>
        )}
        {ending !== null && ending !== "others" && (
          <Confirm
            title={m.endTitle}
            button={m.end}
            failed={m.notEnded}
            onClose={() => setEnding(null)}
            run={async () => {
              await api.delete("/api/settings/security/sessions/{id}", { params: { id: ending.id } });
              toast(m.ended);
              await reread();
            }}
          >
            {m.endText(ending.name)}
          </Confirm>
        )}
      </Section>
      <Reaching habits={profile} />
    </>
  );
}
