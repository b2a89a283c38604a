import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isCancelled, reasonOf } from "../client/notices.ts";
import { isProblem, problemsOf } from "../client/problem.ts";
import { parts } from "../messages/parts.ts";
import { Button } from "./button.tsx";
import { Callout } from "./callout.tsx";
import { Problems } from "./field.tsx";
import { REFUSED } from "./typed.ts";

interface Failure {
  text: string;
  /** The field that gets the focus. */
  field: string;
  problems: Map<string, string>;
  /** The fields that the API names. */
  paths: readonly string[];
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export interface FormProps {
  /** "Save", unless it says something else. */
  button?: string;
  /** Sends the values by name. What it throws is shown, and the focus goes to the field that is wrong. */
  send(values: Record<string, string>): Promise<unknown>;
  /** What must not be empty, and what to say if it is, at the field and above the form. */
  required?: Record<string, string>;
  /** A field finds what is wrong with it by its name: see `useProblem`. */
  children?: ComponentChildren;
  class?: string;
  tone?: "primary" | "danger" | "plain";
  /** Beside the button, such as Cancel. */
  beside?: ComponentChildren;
  /** Empties the form after it was sent, for the next one. */
  isRepeated?: boolean;
}

/** A form that says in one `alert` what went wrong, and never loses what was typed. */
export function Form({
  button = parts.save,
  send,
  required = {},
  children,
  class: name = "form",
  tone = "primary",
  beside,
  isRepeated = false,
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  /** The paths of the fields, which say what is wrong with them. */
  const [paths] = useState(() => new Set<string>());

  useEffect(() => {
    if (failure) field(form.current, failure.field)?.focus();
  }, [failure]);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!form.current || isBusy) return;
    const values: Record<string, string> = {};
    for (const [name, value] of new FormData(form.current)) if (typeof value === "string") values[name] = value;
    const missing = Object.entries(required).filter(([name]) => field(form.current, name) && !values[name]?.trim());
    const [first] = missing;
    if (first) {
      const text = missing.map(([, each]) => each).join(" ");
      setFailure({ text, field: first[0], problems: new Map(missing), paths: [] });
      return;
    }
    setIsBusy(true);
    setFailure(null);
    try {
      await send(values);
      if (isRepeated && form.current) {
        form.current.reset();
        field(form.current, Object.keys(values)[0] ?? "")?.focus();
      }
    } catch (error) {
      form.current?.dispatchEvent(new Event(REFUSED, { bubbles: true }));
      if (!isCancelled(error)) {
        const problems = problemsOf(error);
        const named = [...problems.keys()].find((path) => field(form.current, path));
        const paths = isProblem(error, "validation_failed") ? error.fields.map(({ path }) => path) : [];
        setFailure({ text: reasonOf(error), field: named ?? lastField(form.current), problems, paths });
      }
    } finally {
      setIsBusy(false);
    }
  }

  const problemOf = (path: string) => failure?.problems.get(path);
  const known = { problemOf, paths };
  return (
    <form ref={form} class={name} method="post" noValidate onSubmit={submit}>
      <div role="alert">
        {failure && <Callout tone="danger">{areMarked(failure, paths) ? parts.marked : failure.text}</Callout>}
      </div>
      <Problems.Provider value={known}>{children}</Problems.Provider>
      <div class="form-actions wrap">
        <Button tone={tone} type="submit" isBusy={isBusy}>
          {button}
        </Button>
        {beside}
      </div>
    </form>
  );
}

/** Whether every problem is said at its field: the API's own text names paths that nobody here has seen. */
function areMarked({ paths, problems }: Failure, fields: ReadonlySet<string>): boolean {
  const shown = [...fields].filter((name) => problems.has(name));
  return paths.length > 0 && paths.every((path) => shown.some((name) => path === name || path.startsWith(`${name}.`)));
}

function field(form: HTMLFormElement | null, name: string): Control | null {
  const found = form?.elements.namedItem(name);
  const first = found instanceof RadioNodeList ? found[0] : found;
  return first instanceof HTMLInputElement || first instanceof HTMLTextAreaElement || first instanceof HTMLSelectElement
    ? first
    : null;
}

/** A wrong password is typed again more often than a wrong address. */
function lastField(form: HTMLFormElement | null): string {
  return [...(form?.querySelectorAll("input") ?? [])].at(-1)?.name ?? "";
}
