import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { components } from "#api";
import { useGet } from "../client/queries.ts";
import { parts } from "../messages/parts.ts";
import { put } from "./menu.tsx";
import { chosenBy, Option } from "./options.tsx";

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** A part of a text that names somebody and is not complete yet. */
interface Piece {
  start: number;
  end: number;
  words: string;
}

/** Something other than a person that can stand at the caret. */
export interface Hint {
  /** What is put there. */
  text: string;
  label: string;
  hint: string;
  /** Taken only when it was chosen: Tab goes on with the next field. */
  isOffer?: boolean;
}

interface CompletionProps<Field extends TextField> {
  field: RefObject<Field | null>;
  value: string;
  /** Who is being typed at the caret; null for nobody. */
  pieceAt(text: string, caret: number): Piece | null;
  /** What stands there for the person who was chosen. */
  textOf(person: Suggestion, piece: Piece): string;
  /** Whether it is about people, not about each of their addresses. */
  isByPerson?: boolean;
  /** Addresses that need no suggestion. */
  without?: readonly string[];
  /** What is suggested where nobody is being typed. */
  hintsAt?(text: string, caret: number): Hinted | null;
  onChange(text: string): void;
}

interface Hinted {
  start: number;
  end: number;
  options: readonly Hint[];
}

/** Suggests the people one knows while somebody is typed into a field: Tab or Enter takes the chosen one. */
export function useCompletion<Field extends TextField>(props: CompletionProps<Field>) {
  const { field, value, pieceAt, textOf, isByPerson = false, without = [], hintsAt, onChange } = props;
  const listId = useId();
  const caret = useRef<number | null>(null);
  const [typed, setTyped] = useState<(Piece & { text: string }) | null>(null);
  const [active, setActive] = useState<number | null>(null);
  const words = typed?.text === value ? typed.words : "";
  const people = useKnown(words);
  const options = words.length < LEAST ? [] : matching(people, words, without, isByPerson);
  const [hinted, setHinted] = useState<(Hinted & { of: string }) | null>(null);
  const hints = options.length === 0 && hinted?.of === value ? hinted.options : [];
  const count = options.length + hints.length;
  // Of the hints, none is chosen before an arrow key: Enter goes on with what was typed.
  const chosen = Math.min(active ?? (hints.length > 0 ? -1 : firstChoice(options, words)), count - 1);
  const isOpen = count > 0;

  useLayoutEffect(() => {
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [value]);

  function take(person: Suggestion | undefined) {
    if (!person || !typed) return;
    const before = `${value.slice(0, typed.start)}${textOf(person, typed)}`;
    caret.current = before.length;
    setTyped(null);
    onChange(`${before}${value.slice(typed.end)}`);
  }

  function hint(text: string, at: number): void {
    const found = hintsAt?.(text, at) ?? null;
    setHinted(found && { ...found, of: text });
    setActive(null);
  }

  function takeHint(taken: Hint | undefined): void {
    if (!taken || !hinted) return;
    const before = `${value.slice(0, hinted.start)}${taken.text}`;
    const text = `${before}${value.slice(hinted.end)}`;
    caret.current = before.length;
    onChange(text);
    // An operator goes on with its values.
    hint(text, before.length);
  }

  function close(): void {
    setTyped(null);
    setHinted(null);
  }

  return {
    isOpen,
    /** For the field. */
    attributes: {
      "aria-autocomplete": "list" as const,
      "aria-controls": isOpen ? listId : undefined,
      "aria-activedescendant": isOpen && chosen >= 0 ? `${listId}-${chosen}` : undefined,
      autocomplete: "off",
    },
    /** What was typed last. */
    type({ value: text, selectionStart }: TextField) {
      const piece = pieceAt(text, selectionStart ?? text.length);
      setTyped(piece && { ...piece, text });
      hint(piece ? "" : text, piece ? -1 : (selectionStart ?? text.length));
    },
    /** Before anything is typed. */
    begin({ value: text }: TextField) {
      if (text === "") hint(text, 0);
    },
    /** Whether a key was for the list. */
    press(event: KeyboardEvent): boolean {
      if (!isOpen || event.isComposing) return false;
      const next = chosenBy(event, chosen, count);
      if (next !== null) {
        setActive(next);
        return true;
      }
      const hasModifier = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
      const first = chosen < 0 && event.key === "Tab" && !hints[0]?.isOffer ? 0 : chosen;
      const isTaken = hints.length > 0 ? first >= 0 : chosen >= 0;
      const takes = (event.key === "Tab" || event.key === "Enter") && !hasModifier && isTaken;
      if (!takes && event.key !== "Escape") return false;
      // Esc closes the list, and not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      if (!takes) close();
      else if (hints.length > 0) takeHint(hints[first]);
      else take(options[chosen]);
      return true;
    },
    close,
    list: isOpen && (
      <SuggestionList id={listId} field={field} label={parts.people.suggestions}>
        {options.map((each, index) => (
          <Option
            key={each.email}
            id={`${listId}-${index}`}
            isChosen={index === chosen}
            onChoose={() => take(each)}
            onPoint={() => setActive(index)}
          >
            <span class="stack gap-0 grow">
              <span class="clip">{each.name || each.email}</span>
              {each.name && <small class="clip">{each.email}</small>}
            </span>
            {each.isNew && <small>{parts.people.neverWritten}</small>}
          </Option>
        ))}
        {hints.map((each, index) => (
          <Option
            key={each.label}
            id={`${listId}-${index}`}
            isChosen={index === chosen}
            onChoose={() => takeHint(each)}
            onPoint={() => setActive(index)}
          >
            <span class="clip grow">{each.label}</span>
            {each.hint && <small>{each.hint}</small>}
          </Option>
        ))}
      </SuggestionList>
    ),
  };
}

interface ListProps {
  id: string;
  label: string;
  field: RefObject<HTMLElement | null>;
  children: ComponentChildren;
}

/** Over everything, because the content of a dialog would cut it off. */
export function SuggestionList({ id, field, label, children }: ListProps) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const list = element.current;
    const place = () => {
      if (!list || !field.current) return;
      list.style.width = `${field.current.offsetWidth}px`;
      put(list, field.current, "start");
    };
    list?.showPopover();
    place();
    const observer = new ResizeObserver(place);
    if (list) observer.observe(list);
    addEventListener("scroll", place, { capture: true, passive: true });
    addEventListener("resize", place);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", place, { capture: true });
      removeEventListener("resize", place);
    };
  }, []);
  return (
    <div
      ref={element}
      id={id}
      popover="manual"
      class="menu suggestions"
      role="listbox"
      aria-label={label}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {children}
    </div>
  );
}

type Contact = components["schemas"]["Contact"];

interface Suggestion {
  name: string;
  email: string;
  /** Whether nobody has written to them yet. */
  isNew: boolean;
}

const PAUSE_MS = 120;
const SHOWN = 8;
/** How many letters are asked about: the API takes no more than 100. */
const LEAST = 2;
const MOST = 100;

/** Whom the service knows by these words. Until it answers, whom it knew by the words before. */
function useKnown(words: string): readonly Contact[] {
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [words]);
  const { data } = useGet(["contact", "suggested", asked], "/api/contacts", {
    query: { q: asked, limit: SHOWN },
    enabled: asked.length >= LEAST && asked.length <= MOST,
    placeholderData: (before) => before,
    retry: false,
  });
  return data?.data ?? [];
}

/** As the service finds them, so that an earlier answer shows nobody who was not asked for. */
function matching(
  people: readonly Contact[],
  words: string,
  present: readonly string[],
  isByPerson: boolean,
): Suggestion[] {
  const asked = wordsOf(words);
  const taken = new Set(present);
  // What is typed may be the address itself.
  taken.delete(words.toLowerCase());
  const fits = ({ name, company }: Contact, email: string) => {
    const known = wordsOf(`${name} ${company} ${email}`);
    return !taken.has(email) && asked.every((word) => known.some((each) => each.startsWith(word)));
  };
  return people
    .flatMap((contact) =>
      contact.addresses
        .filter((email) => fits(contact, email))
        .slice(0, isByPerson ? 1 : undefined)
        .map((email) => ({ name: contact.name, email, isNew: contact.sent === 0 })),
    )
    .slice(0, SHOWN);
}

const wordsOf = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Nobody is chosen in place of an address that was typed to its end: Tab goes on with what was typed. */
function firstChoice(options: readonly Suggestion[], words: string): number {
  const isWhole = words.includes("@") && /\.[^\s.@]{2,}$/.test(words);
  return isWhole ? options.findIndex(({ email }) => email === words.toLowerCase()) : 0;
}
