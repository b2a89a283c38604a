import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  addressesOf,
  addressIn,
  isAddress,
  nameIn,
  pastedPeople,
  personText,
  piecesTyped,
  separatesPeople,
} from "../lib/people.ts";
import { parts } from "../messages/parts.ts";
import { useCompletion } from "./completion.tsx";
import type { Described } from "./field.tsx";
import { Icon } from "./icon.tsx";

export interface PeopleInputProps extends Described {
  name?: string;
  value: string;
  autofocus?: boolean;
  placeholder?: string;
  /** Whether it takes one person. Otherwise they stand between commas. */
  isOne?: boolean;
  /** Whether people become chips as they are typed. Default: unless it takes one person. */
  asChips?: boolean;
  /** Asked to draw the field behind this one, to which a chip is moved. */
  onBeyond?: (() => void) | undefined;
  /** Addresses that need no suggestion, besides those in the field. */
  without?: readonly string[];
  /** `isTaken`: the text ends with somebody who was chosen. */
  onChange(text: string, isTaken: boolean): void;
  /** For keys that choose nobody. */
  onKeyDown?(event: KeyboardEvent): void;
  onBlur?(): void;
}

const m = parts.people;

/** The fields for people that are on the screen: a person can be moved from one to the next. */
interface Place {
  box: HTMLElement;
  label: string;
  take(people: readonly string[]): void;
}
const places = new Set<Place>();

/** What is being dragged, and how it leaves the field that it comes from. */
let dragged: { from: HTMLElement; person: string; leave(): void } | null = null;

/** The people of the field, and what is being typed: it stands before the chip `at`. */
interface State {
  people: readonly string[];
  typed: string;
  at: number;
  /** The text of the field that this stands for. */
  text: string;
}

const read = (text: string): State => {
  const people = addressesOf(text);
  return { people, typed: "", at: people.length, text };
};

const textOf = ({ people, typed, at }: Omit<State, "text">) =>
  [...people.slice(0, at), ...(typed.trim() ? [typed] : []), ...people.slice(at)].join(", ");

/** People as chips, in one field with what is being typed. Nothing that was typed is dropped: what is no address is marked. */
export function PeopleChips(props: PeopleInputProps) {
  const { value, name, without = [], onChange, onKeyDown, onBlur, onBeyond, asChips: _, isOne: __, ...rest } = props;
  const [kept, setKept] = useState(() => read(value));
  const [said, setSaid] = useState("");
  const [isOver, setIsOver] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  /** Which chip gets the focus once it is drawn; -1: the field. */
  const wanted = useRef<number | null>(null);
  // The service may have filled it in, or somebody else.
  const state = kept.text === value ? kept : read(value);
  const { people, typed, at } = state;
  const now = useRef(state);
  now.current = state;

  useLayoutEffect(() => {
    const index = wanted.current;
    wanted.current = null;
    if (index === null) return;
    const chip = index < 0 ? null : chipsOf(box.current)[Math.min(index, people.length - 1)];
    (chip ?? input.current)?.focus();
  });

  function put(next: Omit<State, "text">, isTaken = false): void {
    const text = textOf(next);
    // Typed or a chip, it says the same.
    const isSame = !isTaken && addressesOf(text).join() === addressesOf(value).join();
    now.current = { ...next, text: isSame ? value : text };
    setKept(now.current);
    if (!isSame) onChange(text, isTaken);
  }

  /** Puts people where the caret is. `rest` goes on being typed. */
  function add(added: readonly string[], rest = "", isTaken = false): void {
    const { people: before, at: place } = now.current;
    const all = [...before.slice(0, place), ...added, ...before.slice(place)];
    const end = place + added.length;
    put({ people: all, typed: rest, at: rest === "" ? all.length : end }, isTaken);
    if (added.length > 0) setSaid(added.map(m.added).join(" "));
  }

  /** What is typed becomes a chip, whatever it is. */
  function finish(): boolean {
    const found = addressesOf(now.current.typed);
    if (found.length > 0) add(found);
    return found.length > 0;
  }

  /** `focus`: which chip has it then; null leaves it to another field. */
  function remove(index: number, focus: number | null): void {
    const { people: all, typed: words, at: place } = now.current;
    const person = all[index];
    if (person === undefined) return;
    wanted.current = focus !== null && all.length === 1 ? -1 : focus;
    put({ people: all.filter((_, each) => each !== index), typed: words, at: index < place ? place - 1 : place });
    setSaid(m.removed(nameIn(person)));
  }

  /** Its text goes back into the field, to be typed over. */
  function edit(index: number): void {
    finish();
    const person = now.current.people[index];
    if (person === undefined) return;
    wanted.current = -1;
    put({ people: now.current.people.filter((_, each) => each !== index), typed: person, at: index });
    setSaid(m.editing(nameIn(person)));
  }

  /** To the field before or after this one. */
  function move(index: number, step: 1 | -1): void {
    const person = people[index];
    if (person === undefined || !box.current) return;
    const target = neighbour(box.current, step);
    if (target) {
      remove(index, null);
      target.take([person]);
      setSaid(m.moved(nameIn(person), target.label));
    } else if (step === 1 && onBeyond) {
      onBeyond();
      whenDrawn(
        () => box.current !== null && neighbour(box.current, 1) !== undefined,
        () => move(index, 1),
      );
    }
  }

  const latest = useRef({ add });
  latest.current = { add };
  useEffect(() => {
    if (!box.current) return;
    const label = input.current?.labels?.[0]?.textContent?.trim() ?? "";
    const place: Place = {
      box: box.current,
      label,
      take(moved) {
        finish();
        latest.current.add(moved);
        setSaid("");
        wanted.current = now.current.people.length - 1;
      },
    };
    places.add(place);
    return () => void places.delete(place);
  }, []);

  // What was refused can be typed over at once.
  const isWrong = rest["aria-invalid"] === true;
  useEffect(() => {
    const wrong = now.current.people.findIndex((person) => !isAddress(person));
    if (isWrong && wrong >= 0 && document.activeElement === input.current) edit(wrong);
  }, [isWrong]);

  const completion = useCompletion({
    field: input,
    value: typed,
    without: [...without, ...people.map((each) => addressIn(each).toLowerCase())],
    pieceAt: (text) => ({ start: 0, end: text.length, words: text.trim() }),
    textOf: (person) => personText(person),
    onChange: (text) => add([text], "", true),
  });

  function press(event: KeyboardEvent): void {
    if (completion.press(event) || event.isComposing) return;
    const isAtStart = input.current?.selectionStart === 0 && input.current.selectionEnd === 0;
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (event.key === "Enter" && !hasModifier && typed.trim() !== "") {
      event.preventDefault();
      finish();
    } else if ((event.key === "Backspace" || event.key === "ArrowLeft") && isAtStart && !hasModifier) {
      const before = chipsOf(box.current)[people.length - 1];
      if (!before) return;
      event.preventDefault();
      before.focus();
    } else onKeyDown?.(event);
  }

  function pressChip(event: KeyboardEvent, index: number): void {
    const go = (next: number) => (chipsOf(box.current)[next] ?? (next < 0 ? null : input.current))?.focus();
    const keys: Record<string, () => void> = {
      ArrowLeft: () => go(index - 1),
      ArrowRight: () => go(index + 1),
      Home: () => go(0),
      End: () => input.current?.focus(),
      Enter: () => edit(index),
      F2: () => edit(index),
      Backspace: () => remove(index, index - 1),
      Delete: () => remove(index, index === people.length - 1 ? -1 : index),
    };
    const moves: Record<string, () => void> = { ArrowDown: () => move(index, 1), ArrowUp: () => move(index, -1) };
    const act = event.altKey ? moves[event.key] : event.ctrlKey || event.metaKey ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what it does for a pointer, its field and chips do by keys.
    <div
      ref={box}
      class="input people-chips"
      data-over={isOver}
      data-invalid={rest["aria-invalid"]}
      onMouseDown={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        input.current?.focus();
      }}
      onDragOver={(event) => {
        if (!dragged || dragged.from === box.current) return;
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        if (!dragged || dragged.from === box.current) return;
        event.preventDefault();
        event.stopPropagation();
        const { person, leave } = dragged;
        dragged = null;
        leave();
        finish();
        add([person]);
      }}
    >
      {people.map((person, index) => (
        <span key={`${person} ${index}`} class="person-chip" data-wrong={!isAddress(person)}>
          <button
            type="button"
            class="person-chip-name bare clip"
            tabIndex={-1}
            title={person}
            draggable
            data-chip
            aria-description={m.chipKeys}
            onClick={(event) => event.currentTarget.focus()}
            onDblClick={() => edit(index)}
            onKeyDown={(event) => pressChip(event, index)}
            onDragStart={(event) => {
              event.dataTransfer?.setData("text/plain", person);
              if (box.current) dragged = { from: box.current, person, leave: () => remove(index, -1) };
            }}
            onDragEnd={() => {
              dragged = null;
            }}
          >
            {!isAddress(person) && <Icon name="alert" size={14} />}
            {nameIn(person)}
            {!isAddress(person) && <span class="visually-hidden">({m.wrong})</span>}
          </button>
          <button type="button" class="person-chip-remove bare" tabIndex={-1} onClick={() => remove(index, -1)}>
            <Icon name="close" size={12} />
            <span class="visually-hidden">{m.remove(nameIn(person))}</span>
          </button>
        </span>
      ))}
      <input
        {...rest}
        {...completion.attributes}
        {...(name && { name })}
        ref={input}
        type="text"
        inputMode="email"
        role="combobox"
        aria-expanded={completion.isOpen}
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => {
          // The space behind a comma.
          if (currentTarget.value.trim() === "") currentTarget.value = "";
          const { done, rest: open } = piecesTyped(currentTarget.value);
          if (done.length > 0) return add(done, open);
          completion.type(currentTarget);
          // The space behind a comma begins nobody.
          put({ people, typed: currentTarget.value.trim() && currentTarget.value, at });
        }}
        onPaste={(event) => {
          const text = event.clipboardData?.getData("text/plain") ?? "";
          if (!separatesPeople(text)) return;
          event.preventDefault();
          // Behind what was typed already, which may be the beginning of the first.
          const { selectionStart, selectionEnd } = event.currentTarget;
          const before = typed.slice(0, selectionStart ?? typed.length);
          add(pastedPeople(`${before}${text}`), typed.slice(selectionEnd ?? typed.length));
        }}
        onKeyDown={press}
        onBlur={({ currentTarget }) => {
          completion.close();
          // Another window, and not another field.
          if (document.activeElement !== currentTarget) finish();
          onBlur?.();
        }}
      />
      <span class="visually-hidden" aria-live="polite">
        {said}
      </span>
      {completion.list}
    </div>
  );
}

const chipsOf = (box: HTMLElement | null) => [...(box?.querySelectorAll<HTMLElement>("[data-chip]") ?? [])];

const FRAMES = 60;

function whenDrawn(isDrawn: () => boolean, act: () => void, frames = FRAMES): void {
  requestAnimationFrame(() => {
    if (isDrawn()) act();
    else if (frames > 0) whenDrawn(isDrawn, act, frames - 1);
  });
}

function neighbour(box: HTMLElement, step: 1 | -1): Place | undefined {
  const near = [...places]
    .filter((place) => place.box.closest("form, dialog") === box.closest("form, dialog"))
    .sort((a, b) => (a.box.compareDocumentPosition(b.box) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  return near[near.findIndex((place) => place.box === box) + step];
}
