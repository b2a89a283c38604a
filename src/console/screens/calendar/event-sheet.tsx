import { useEffect, useRef, useState } from "preact/hooks";
import { BOOKING_SOURCE } from "../../../lib/event-kinds.ts";
import { dayOf, type TimeHabits } from "../../lib/time.ts";
import { wallAt } from "../../lib/zone.ts";
import { calendar as texts } from "../../messages/calendar.ts";
import { event as m } from "../../messages/event.ts";
import { shell } from "../../messages/shell.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { Conflicts, useConflicts } from "./conflicts.tsx";
import type { Conflict, Event } from "./event.ts";
import { keyOf } from "./event.ts";
import type { Scope } from "./event-changes.ts";
import { keepForm, keptForm, NEW_KEY, refused, saveEdit, saveNew } from "./event-save.ts";
import { changedBody, type Form, momentsOf, problemsOf, timesOf } from "./form.ts";
import { Invitation } from "./invitation.tsx";
import { MoreFields, Origin } from "./more-fields.tsx";
import { PeopleField } from "./people-field.tsx";
import { RemindersField } from "./reminders-field.tsx";
import { RepeatField } from "./repeat-field.tsx";
import { SeriesDialog } from "./series-dialog.tsx";
import { Slots } from "./slots.tsx";
import { WhenFields } from "./when-fields.tsx";

interface EventSheetProps {
  habits: TimeHabits;
  /** Null for a new one. */
  event: Event | null;
  initial: Form;
  /** The rule of the series that an occurrence belongs to; undefined until it is read. */
  rrule?: string | null | undefined;
  onClose(): void;
  onDelete(event: Event): void;
}

/** All of one event. What is at the same time is named before it is saved. */
export function EventSheet({ habits, event, initial, rrule, onClose, onDelete }: EventSheetProps) {
  const key = event ? keyOf(event) : NEW_KEY;
  const [kept] = useState(() => (refused.peek()?.key === key ? refused.peek() : null));
  const [left] = useState(() => (kept ? null : keptForm(key, initial)));
  const [form, setForm] = useState<Form>(kept?.form ?? left ?? initial);
  const [before, setBefore] = useState(initial);
  const [isTried, setIsTried] = useState(false);
  const [found, setFound] = useState<Conflict[] | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [showsSlots, setShowsSlots] = useState(false);
  const body = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (kept) refused.value = null;
  }, [kept]);
  useEffect(() => {
    if (rrule === undefined) return;
    setBefore((now) => ({ ...now, rrule: rrule ?? "" }));
    if (!kept && !left) setForm((now) => ({ ...now, rrule: rrule ?? "" }));
  }, [rrule]);

  const edit = (changes: Partial<Form>) => {
    setForm((now) => ({ ...now, ...changes }));
    setFound(null);
  };
  const isChanged = JSON.stringify(form) !== JSON.stringify(before);
  useEffect(() => {
    if (isChanged) keepForm(key, form);
  }, [form]);
  const drop = () => {
    keepForm(key, null);
    onClose();
  };
  const problems = isTried ? problemsOf(form) : {};
  const live = useConflicts(form, event);
  const others = found ?? live ?? [];

  function submit() {
    setIsTried(true);
    if (Object.keys(problemsOf(form)).length > 0) {
      requestAnimationFrame(() => body.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
      return;
    }
    if (!event) void save("one");
    else if (Object.keys(changedBody(form, before)).length === 0) drop();
    else if (event.recurringEventId === null) void save(event.rrule === null ? "one" : "all");
    // A rule belongs to the series, so there is nothing to ask.
    else if (form.rrule !== before.rrule) void save("all");
    else setIsAsking(true);
  }

  async function save(scope: Scope) {
    setIsAsking(false);
    const isSeries = form.rrule !== "" && (!event || scope === "all" || before.rrule === "");
    // The API compares all occurrences of a series. One event has been compared already.
    const isRefused = isSeries && form.busy && form.status !== "cancelled" && found === null;
    if (!isRefused) onClose();
    setIsBusy(isRefused);
    const conflicts = event
      ? await saveEdit({ event, form, before, scope, isRefused })
      : await saveNew(form, { isRefused });
    setIsBusy(false);
    if (conflicts) setFound(conflicts);
    else if (isRefused) onClose();
  }

  const { start, end } = momentsOf(form);
  const length = end > start && !form.allDay ? Math.min(480, Math.round((end - start) / 60_000)) : 30;
  return (
    <Dialog
      form="sheet"
      title={event ? texts.editEvent : texts.newEvent}
      isChanged={isChanged}
      onClose={drop}
      actions={
        event && (
          <IconButton
            icon="trash"
            label={m.deleteEvent}
            onClick={() => {
              drop();
              onDelete(event);
            }}
          />
        )
      }
      footer={
        <>
          <Button tone="quiet" onClick={drop}>
            {shell.cancel}
          </Button>
          <Button tone="primary" isBusy={isBusy} onClick={submit}>
            {others.length > 0 ? m.saveAnyway : m.save}
          </Button>
        </>
      }
    >
      <form
        ref={body}
        class="stack gap-16 event-form"
        novalidate
        onSubmit={(submitted) => {
          submitted.preventDefault();
          submit();
        }}
      >
        {kept && (
          <Callout tone="warn" role="alert">
            {kept.reason} {m.reopened}
          </Callout>
        )}
        {left && <Callout role="status">{shell.discard.isBack}</Callout>}
        {event && <Invitation event={event} onDone={onClose} />}
        <TextField
          label={m.title}
          value={form.title}
          placeholder={m.titleHint}
          maxLength={500}
          autofocus={!event}
          autocomplete="off"
          problem={problems.title}
          onInput={({ currentTarget: { value } }) => edit({ title: value })}
        />
        <WhenFields habits={habits} form={form} problems={problems} edit={edit} />
        <Conflicts habits={habits} others={others} isOfSeries={found !== null} />
        {!form.allDay && (
          <div class="find-time">
            <Button tone="quiet" icon="clock" aria-expanded={showsSlots} onClick={() => setShowsSlots(!showsSlots)}>
              {showsSlots ? m.hideTimes : m.findTime}
            </Button>
            {showsSlots && (
              <Slots
                habits={habits}
                minutes={length}
                from={dayOf(habits, new Date(Math.max(start, Date.now())))}
                onChoose={(slot) => {
                  const wall = (text: string) => wallAt(form.timeZone, Date.parse(text));
                  edit(timesOf(wall(slot.start), wall(slot.end)));
                  setShowsSlots(false);
                }}
              />
            )}
          </div>
        )}
        {(!event || event.recurringEventId === null || rrule !== undefined) && (
          <RepeatField
            habits={habits}
            rrule={form.rrule}
            day={form.startDay}
            zone={form.timeZone}
            onChange={(next) => edit({ rrule: next })}
          />
        )}
        <TextField
          label={m.location}
          value={form.location}
          maxLength={1000}
          onInput={({ currentTarget: { value } }) => edit({ location: value })}
        />
        <TextField
          label={m.meetingUrl}
          type="url"
          value={form.meetingUrl}
          problem={problems.meetingUrl}
          placeholder="https://"
          maxLength={2000}
          onInput={({ currentTarget: { value } }) => edit({ meetingUrl: value })}
        />
        <PeopleField
          attendees={form.attendees}
          areInvited={event !== null && (event.myResponse !== null || event.source === BOOKING_SOURCE)}
          onChange={(attendees) => edit({ attendees })}
        />
        <RemindersField habits={habits} reminders={form.reminders} onChange={(reminders) => edit({ reminders })} />
        <TextField
          label={m.tags}
          value={form.tags}
          hint={m.tagsHint}
          autocomplete="off"
          onInput={({ currentTarget: { value } }) => edit({ tags: value })}
        />
        <TextAreaField
          label={m.description}
          value={form.description}
          rows={3}
          maxLength={20_000}
          onInput={({ currentTarget: { value } }) => edit({ description: value })}
        />
        <MoreFields
          form={form}
          problems={problems}
          edit={edit}
          isNew={!event}
          isOpen={problems.timeZone !== undefined || problems.organizer !== undefined}
        />
        {event && <Origin habits={habits} event={event} />}
        {/* Enter in a field saves, as in every form. */}
        <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true">
          {m.save}
        </button>
      </form>
      {isAsking && event && <SeriesDialog event={event} onChoose={save} onClose={() => setIsAsking(false)} />}
    </Dialog>
  );
}
