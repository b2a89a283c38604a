import { api, type Returned } from "../../../client/api.ts";
import { type Profile, useNow } from "../../../client/profile.ts";
import { useGet } from "../../../client/queries.ts";
import { useRecords } from "../../../client/records.ts";
import { facts } from "../../../lib/plain.ts";
import { dayOf, fullText, pastText } from "../../../lib/time.ts";
import { reminders as m } from "../../../messages/settings-notifications.ts";
import { Button } from "../../../ui/button.tsx";
import { Entries, Entry, Rows } from "../../../ui/entries.tsx";
import { Section } from "../../../ui/setting.tsx";

type Reminder = Returned<"/api/reminders", "get">["data"][number];
type Upcoming = Returned<"/api/reminders/upcoming", "get">["data"][number];

export function UpcomingReminders({ profile }: { profile: Profile }) {
  const upcoming = useGet(["reminder", "upcoming"], "/api/reminders/upcoming", { query: { days: 7, limit: 20 } }).data
    ?.data;
  if (!upcoming) return null;
  return (
    <Section heading={m.upcoming} lead={upcoming.length === 0 ? m.none : m.upcomingLead}>
      <Rows of={upcoming}>
        {(each) => (
          <Entry
            name={<a href={placeOf(profile, each)}>{each.title ?? m.untitled}</a>}
            hint={fullText(profile, new Date(each.at))}
          />
        )}
      </Rows>
    </Section>
  );
}

/** Reminders that have fired, with what became of them. */
export function FiredReminders({ profile }: { profile: Profile }) {
  const now = useNow();
  const list = useRecords(["reminder", "list"], "/api/reminders", { query: { limit: 5 } });
  const shown = list.records;
  const snooze = (each: Reminder) => {
    const request = { params: { id: each.id }, body: { minutes: 10 } };
    list.save(each, { state: "snoozed" }, () => api.post("/api/reminders/{id}/snooze", request), m.notChanged);
  };
  const dismiss = (each: Reminder) => {
    const request = { params: { id: each.id } };
    list.save(each, { state: "dismissed" }, () => api.post("/api/reminders/{id}/dismiss", request), m.notChanged);
  };
  return (
    <Section heading={m.fired} lead={shown?.length === 0 ? m.noneFired : m.firedLead}>
      <Entries of={list}>
        {(each) => (
          <Entry
            name={<a href={placeOf(profile, each)}>{each.title ?? m.untitled}</a>}
            badge={<span class="badge">{m.states[each.state]}</span>}
            hint={facts(
              pastText(profile, new Date(each.firedAt), now),
              ...each.deliveries.map(({ channel, outcome }) =>
                [channel && m.sent(channel), m.outcomes[outcome]].filter(Boolean).join(": "),
              ),
            )}
          >
            {each.state === "fired" && (
              <>
                <Button aria-label={m.snoozeName(each.title ?? "")} onClick={() => snooze(each)}>
                  {m.snooze}
                </Button>
                <Button aria-label={m.dismissName(each.title ?? "")} onClick={() => dismiss(each)}>
                  {m.dismiss}
                </Button>
              </>
            )}
          </Entry>
        )}
      </Entries>
    </Section>
  );
}

function placeOf(
  profile: Profile,
  { recordType, recordId, recordAt }: Pick<Upcoming, "recordType" | "recordId" | "recordAt">,
) {
  if (recordType === "task") return `/app/tasks/${recordId}`;
  return `/app/calendar/day/${dayOf(profile, new Date(recordAt ?? Date.now()))}`;
}
