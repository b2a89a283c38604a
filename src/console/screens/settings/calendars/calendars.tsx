import { api, type Returned } from "../../../client/api.ts";
import type { Profile } from "../../../client/profile.ts";
import { calendars as m } from "../../../messages/settings-calendars.ts";
import { data } from "../../../messages/settings-data.ts";
import { ImportButton } from "../../../ui/import-button.tsx";
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
  return (
    <Section
      heading={m.import}
      lead={m.importLead}
      actions={
        <ImportButton
          label={m.choose}
          accept=".ics,text/calendar"
          pathOf={() => "/api/calendar/import"}
          type="text/calendar"
          failed={m.notImported}
        />
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
