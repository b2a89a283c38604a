import type { RefObject } from "preact";
import { useId, useState } from "preact/hooks";
import { useList } from "../client/queries.ts";
import { insertionOf, type Known, type Snippet, snippetAt, snippetsFor } from "../lib/snippets.ts";
import { parts } from "../messages/parts.ts";
import { SuggestionList } from "./completion.tsx";
import { chosenBy, Option } from "./options.tsx";

interface SnippetsProps {
  /** The field, below which they are offered. */
  field: RefObject<HTMLElement | null>;
  known(): Known;
  onInsert(insertion: ReturnType<typeof insertionOf>): void;
}

/** Offers snippets while their name is typed behind a semicolon: Tab or Enter inserts one. For any field with a caret. */
export function useSnippets({ field, known, onInsert }: SnippetsProps) {
  const listId = useId();
  const [before, setBefore] = useState("");
  const [active, setActive] = useState(0);
  const typed = snippetAt(before);
  const { records = [] } = useList(["snippet", "list"], "/api/emails/snippets", {
    query: { limit: 100 },
    enabled: typed !== null,
  });
  const options = typed ? snippetsFor<Snippet>(records, typed) : [];
  const chosen = Math.min(active, options.length - 1);
  const isOpen = options.length > 0;

  function take(snippet: Snippet | undefined): void {
    if (!snippet || !typed) return;
    setBefore("");
    onInsert(insertionOf(snippet, typed, known()));
  }

  return {
    attributes: {
      "aria-autocomplete": "list" as const,
      "aria-controls": isOpen ? listId : undefined,
      "aria-activedescendant": isOpen ? `${listId}-${chosen}` : undefined,
    },
    /** The text before the caret. */
    type(text: string) {
      // Only what a name can be in.
      setBefore(text.slice(-60));
      setActive(0);
    },
    /** Whether a key was for the list. */
    press(event: KeyboardEvent): boolean {
      if (!isOpen || event.isComposing) return false;
      const next = chosenBy(event, chosen, options.length);
      if (next !== null) {
        setActive(next);
        return true;
      }
      const hasModifier = event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
      const takes = (event.key === "Tab" || event.key === "Enter") && !hasModifier;
      if (!takes && event.key !== "Escape") return false;
      event.preventDefault();
      event.stopPropagation();
      if (takes) take(options[chosen]);
      else setBefore("");
      return true;
    },
    close: () => setBefore(""),
    list: isOpen && (
      <SuggestionList id={listId} field={field} label={parts.snippets}>
        {options.map((each, index) => (
          <Option
            key={each.id}
            id={`${listId}-${index}`}
            isChosen={index === chosen}
            onChoose={() => take(each)}
            onPoint={() => setActive(index)}
          >
            <span class="stack gap-0 grow">
              <span class="clip">;{each.name}</span>
              <small class="clip">{each.text}</small>
            </span>
          </Option>
        ))}
      </SuggestionList>
    ),
  };
}
