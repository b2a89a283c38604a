import { useId, useState } from "preact/hooks";
import { addressesOf } from "../../lib/people.ts";
import { event as m } from "../../messages/event.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { PeopleInput } from "../../ui/people-input.tsx";
import type { Event } from "./event.ts";
import { readPerson } from "./form.ts";

type Attendees = Event["attendees"];

const TONES = { accepted: "good", declined: "danger", tentative: "warn", needs_action: "" };

interface PeopleFieldProps {
  attendees: Attendees;
  /** Somebody else has invited them: by an invitation or a booking. Then a missing answer means something. */
  areInvited: boolean;
  onChange(attendees: Attendees): void;
}

/** Who takes part, and what they have answered. */
export function PeopleField({ attendees, areInvited, onChange }: PeopleFieldProps) {
  const id = useId();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | undefined>();
  function add(given = text) {
    const lines = addressesOf(given);
    const people = lines.map(readPerson);
    if (lines.length === 0) return;
    if (people.includes(null)) {
      setProblem(m.problems.person);
      return;
    }
    const known = new Set(attendees.map(({ email }) => email));
    const added = people.flatMap((person) =>
      person && !known.has(person.email) ? [{ ...person, response: "needs_action" as const }] : [],
    );
    onChange([...attendees, ...added]);
    setText("");
    setProblem(undefined);
  }
  return (
    <section class="people-field stack gap-12" aria-labelledby={id}>
      <h3 id={id} class="label">
        {m.people}
      </h3>
      {attendees.length > 0 && (
        <ul>
          {attendees.map(({ name, email, response }) => (
            <li key={email} class="line">
              <span class="person stack gap-0 grow">
                {name ?? email}
                {name && <small>{email}</small>}
              </span>
              {(areInvited || response !== "needs_action") && (
                <span class={`badge ${TONES[response]}`}>{m.responses[response]}</span>
              )}
              <IconButton
                icon="close"
                label={m.removePerson(name ?? email)}
                onClick={() => onChange(attendees.filter((each) => each.email !== email))}
              />
            </li>
          ))}
        </ul>
      )}
      <Field label={m.addPerson} hint={m.notInvited} problem={problem}>
        {(attributes) => (
          <div class="line stretch">
            <PeopleInput
              {...attributes}
              asChips={false}
              placeholder={m.addPersonHint}
              value={text}
              without={attendees.map(({ email }) => email)}
              onChange={(next, isTaken) => {
                setText(next);
                if (isTaken) add(next);
              }}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || text.trim() === "") return;
                event.preventDefault();
                add();
              }}
              onBlur={add}
            />
            <Button onClick={() => add()}>{m.add}</Button>
          </div>
        )}
      </Field>
    </section>
  );
}
