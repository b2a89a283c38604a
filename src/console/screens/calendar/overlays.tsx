import "../../base.ts";
import { useState } from "preact/hooks";
import { patchedOne } from "../../client/changes.ts";
import { isProblem } from "../../client/problem.ts";
import { useNow } from "../../client/profile.ts";
import { useGet } from "../../client/queries.ts";
import { navigate, withQuery } from "../../lib/router.ts";
import { dayOf, type TimeHabits } from "../../lib/time.ts";
import { localText, wallAt } from "../../lib/zone.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { closeDialogs as close } from "./close-dialogs.ts";
import { type Event, keyOf } from "./event.ts";
import { EventSheet } from "./event-sheet.tsx";
import { formOf, isZone, newForm } from "./form.ts";
import { ZoneField } from "./more-fields.tsx";
import { chooseSecondZone, secondZone } from "./options.ts";
import { Slots } from "./slots.tsx";

export interface OverlaysProps {
  query: URLSearchParams;
  habits: TimeHabits;
  /** What is in view: shown at once while the record is read. */
  events: readonly Event[];
  onDelete(event: Event): void;
}

/** The dialogs of the calendar. Each stands in the address, so that it can be linked to and gone back from. */
export function Overlays({ query, habits, events, onDelete }: OverlaysProps) {
  const now = useNow();
  const [id, at, fresh] = [query.get("event"), query.get("at"), query.get("new")];
  if (id !== null) {
    return <Existing key={`${id} ${at}`} id={Number(id)} at={at} habits={habits} events={events} onDelete={onDelete} />;
  }
  if (fresh !== null) {
    return (
      <EventSheet
        key={fresh}
        habits={habits}
        event={null}
        initial={{ ...newForm(habits, now, fresh), ...ofEmail(query) }}
        onClose={close}
        onDelete={onDelete}
      />
    );
  }
  if (query.has("find")) return <FindDialog habits={habits} today={dayOf(habits, now)} />;
  return query.has("zone") ? <ZoneDialog /> : null;
}

/** What a new event takes over from an email. */
function ofEmail(query: URLSearchParams) {
  const id = Number(query.get("email"));
  return { title: query.get("title") ?? "", ...(id > 0 && { emailId: id }) };
}

interface ExistingProps extends Omit<OverlaysProps, "query"> {
  id: number;
  at: string | null;
}

function Existing({ id, at, habits, events, onDelete }: ExistingProps) {
  const query = useGet(["event", id, at], "/api/calendar/events/{id}", {
    params: { id },
    query: at === null ? {} : { occurrence: at },
    placeholderData: () => events.find((event) => event.id === id && (at === null || event.originalStart === at)),
  });
  const event = patchedOne("event", query.data);
  const seriesId = event?.recurringEventId ?? null;
  const series = useGet(["event", seriesId ?? 0], "/api/calendar/events/{id}", {
    params: { id: seriesId ?? 0 },
    enabled: seriesId !== null,
  });
  if (!event) {
    return (
      <Dialog form="sheet" title={m.editEvent} onClose={close}>
        {isProblem(query.error, "not_found") ? (
          <Empty icon="calendar" title={m.gone} text={m.goneText} />
        ) : (
          <Pending of={query} rows={6} form="text" />
        )}
      </Dialog>
    );
  }
  return (
    <EventSheet
      key={keyOf(event)}
      habits={habits}
      event={event}
      initial={formOf(event, event.rrule)}
      rrule={seriesId === null ? event.rrule : series.data?.rrule}
      onClose={close}
      onDelete={onDelete}
    />
  );
}

function FindDialog({ habits, today }: { habits: TimeHabits; today: string }) {
  return (
    <Dialog title={m.findTime} onClose={close}>
      <Slots
        habits={habits}
        minutes={30}
        from={today}
        onChoose={({ start, end }) => {
          const local = (text: string) => localText(wallAt(habits.timeZone, Date.parse(text)));
          const day = dayOf(habits, new Date(start));
          const view = location.pathname.split("/")[3] ?? "week";
          navigate(withQuery({ find: null, new: `${local(start)}/${local(end)}` }, `/app/calendar/${view}/${day}`));
        }}
      />
    </Dialog>
  );
}

function ZoneDialog() {
  const [zone, setZone] = useState(secondZone.value ?? "");
  const [problem, setProblem] = useState<string | undefined>();
  function save() {
    if (zone !== "" && !isZone(zone)) setProblem(m.unknownZone);
    else {
      chooseSecondZone(zone || null);
      close();
    }
  }
  return (
    <Dialog
      title={m.secondZone}
      size="small"
      onClose={close}
      footer={
        <Button tone="primary" onClick={save}>
          {m.secondZoneSave}
        </Button>
      }
    >
      <ZoneField
        label={m.secondZone}
        value={zone}
        hint={m.secondZoneHint}
        problem={problem}
        autofocus
        onChange={setZone}
      />
    </Dialog>
  );
}
