import { api, type Returned, request } from "../../../client/api.ts";
import { useAttempt } from "../../../client/attempt.ts";
import type { Profile } from "../../../client/profile.ts";
import { queryClient } from "../../../client/queries.ts";
import { calendars as m } from "../../../messages/settings-calendars.ts";
import { data } from "../../../messages/settings-data.ts";
import { FileButton } from "../../../ui/file-button.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Jobs, Problems } from "../data/jobs.tsx";
import type { SettingsProps } from "../page.ts";
import { Feed } from "./feed.tsx";

type CalendarImport = Returned<"/api/calendar/import", "get">["data"][number];

export default function Calendars({ profile }: SettingsProps) {
  return (
    <>
      <Section heading={m.feed}>
        <Feed />
      </Section>
      <Imports profile={profile} />
    </>
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
