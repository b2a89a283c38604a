import { known } from "../../lib/cast.ts";
import { fullText, type TimeHabits } from "../../lib/time.ts";
import { event as m } from "../../messages/event.ts";
import { Field, SelectField, TextAreaField, TextField, type TextFieldProps } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PeopleInput } from "../../ui/people-input.tsx";
import { SwitchLine } from "../../ui/switch.tsx";
import type { Event } from "./event.ts";
import type { Form, Problems } from "./form.ts";

interface MoreFieldsProps {
  form: Form;
  problems: Problems;
  isNew: boolean;
  isOpen: boolean;
  edit(changes: Partial<Form>): void;
}

/** What is rarely changed. */
export function MoreFields({ form, problems, isNew, isOpen, edit }: MoreFieldsProps) {
  return (
    <details class="more-fields" open={isOpen}>
      <summary>{m.more}</summary>
      <div class="stack gap-16">
        <div class="field-pair">
          <SelectField
            label={m.status}
            value={form.status}
            options={Object.entries(m.statuses).filter(([status]) => !isNew || status !== "cancelled")}
            onChange={({ currentTarget: { value } }) => edit({ status: known(value) })}
          />
          <ZoneField
            label={m.timeZone}
            value={form.timeZone}
            problem={problems.timeZone}
            onChange={(timeZone) => edit({ timeZone })}
          />
        </div>
        {form.status === "cancelled" && (
          <TextField
            label={m.cancelReason}
            value={form.cancelReason}
            maxLength={1000}
            onInput={({ currentTarget: { value } }) => edit({ cancelReason: value })}
          />
        )}
        <SwitchLine label={m.busy} hint={m.busyHint} value={form.busy} onChange={(busy) => edit({ busy })} />
        <Field label={m.organizer} problem={problems.organizer}>
          {(attributes) => (
            <PeopleInput
              {...attributes}
              isOne
              value={form.organizer}
              placeholder={m.addPersonHint}
              onChange={(organizer) => edit({ organizer })}
            />
          )}
        </Field>
        <TextAreaField
          label={m.notes}
          value={form.notes}
          placeholder={m.notesHint}
          rows={2}
          maxLength={20_000}
          onInput={({ currentTarget: { value } }) => edit({ notes: value })}
        />
      </div>
    </details>
  );
}

interface ZoneFieldProps extends Omit<TextFieldProps, "onChange"> {
  onChange(zone: string): void;
}

/** A time zone by its name, with all that the browser knows to choose from. */
export function ZoneField({ onChange, ...rest }: ZoneFieldProps) {
  return (
    <TextField
      {...rest}
      autocomplete="off"
      spellcheck={false}
      suggestions={["UTC", ...Intl.supportedValuesOf("timeZone")]}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
    />
  );
}

/** Where an event came from. */
export function Origin({ habits, event }: { habits: TimeHabits; event: Event }) {
  const isEdited = event.recurringEventId !== null && event.recurringEventId !== event.id;
  return (
    <div class="origin stack gap-10">
      {event.meetingUrl && (
        <a class="button" href={event.meetingUrl} target="_blank" rel="noopener noreferrer">
          <Icon name="link" size={16} />
          {m.join}
        </a>
      )}
      {event.emailId !== null && (
        <a class="button" href={`/app/mail/inbox/${event.emailId}`}>
          <Icon name="mail" size={16} />
          {m.fromEmail}
        </a>
      )}
      {event.bookingId !== null && <p class="hint">{m.fromBooking(event.externalStatus)}</p>}
      {isEdited && <p class="hint">{m.edited}</p>}
      {event.outside && <p class="hint">{m.outside}</p>}
      <p class="sheet-times">{m.created(fullText(habits, new Date(event.createdAt)))}</p>
    </div>
  );
}
