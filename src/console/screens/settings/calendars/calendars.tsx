import { useState } from "preact/hooks";
import { api, type Returned, request } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { toast } from "../../../client/notices.ts";
import type { Profile } from "../../../client/profile.ts";
import { queryClient } from "../../../client/queries.ts";
import { calendars as m } from "../../../messages/settings-calendars.ts";
import { data } from "../../../messages/settings-data.ts";
import { Button } from "../../../ui/button.tsx";
import { Callout } from "../../../ui/callout.tsx";
import { FileButton } from "../../../ui/file-button.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";
import { Copyable } from "../../../ui/secret.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Jobs, Problems } from "../data/jobs.tsx";
import type { SettingsProps } from "../page.ts";

type CalendarImport = Returned<"/api/calendar/import", "get">["data"][number];

export default function Calendars({ profile }: SettingsProps) {
  return (
    <>
      <Feed />
      <Imports profile={profile} />
    </>
  );
}

function Feed() {
  const [url, setUrl] = useState<string | null>(null);
  const { isBusy, attempt } = useAttempt();

  async function create() {
    await attempt(m.notCreated, async () => {
      const made = await api.post("/api/calendar/feed");
      setUrl(made.url);
      toast(m.created);
    });
  }

  const revoke = () =>
    ask({
      ...{ title: m.revokeTitle, text: m.revokeText, button: m.revoke, failed: m.notRevoked },
      async run() {
        await api.delete("/api/calendar/feed");
        setUrl(null);
        toast(m.revoked);
      },
    });

  return (
    <Section heading={m.feed} lead={m.feedLead}>
      {url && (
        <>
          <Callout>{m.linkText}</Callout>
          <div class="two-factor wrap">
            <QrCode text={url.replace(/^https?:/, "webcal:")} label={m.qr} />
            <div class="two-factor-steps stack gap-16">
              <Copyable label={m.link} value={url} hint={m.phone} />
            </div>
          </div>
        </>
      )}
      <div class="form-actions wrap">
        <Button tone={url ? "plain" : "primary"} isBusy={isBusy} onClick={() => void create()}>
          {m.create}
        </Button>
        <Button onClick={revoke}>{m.revoke}</Button>
      </div>
      <p class="hint">{m.replaceHint}</p>
    </Section>
  );
}

function Imports({ profile }: { profile: Profile }) {
  const { isBusy, attempt } = useAttempt();

  async function send(file: File) {
    await attempt(m.notImported, async () => {
      await request({
        method: "POST",
        path: "/api/calendar/import",
        headers: { "Content-Type": "text/calendar" },
        body: file,
      });
      await queryClient.invalidateQueries({ queryKey: ["job"] });
    });
  }

  return (
    <Section
      heading={m.import}
      lead={m.importLead}
      actions={
        <FileButton label={m.choose} accept=".ics,text/calendar" isBusy={isBusy} onChoose={(file) => void send(file)} />
      }
    >
      <Jobs<CalendarImport>
        profile={profile}
        path="/api/calendar/import"
        remove={(id) => api.delete("/api/calendar/import/{id}", { params: { id } })}
        thing="event"
        isEmpty={({ result }) => result.created + result.updated + result.unchanged === 0}
        resultOf={({ result: { created, updated, unchanged, skipped } }) =>
          data.calendarResult(created, updated, unchanged, skipped)
        }
        details={({ result }) => <Problems thing="event" reasons={result.problems.map(({ reason }) => reason)} />}
      />
    </Section>
  );
}
