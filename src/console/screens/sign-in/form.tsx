import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { reasonOf } from "../../client/notices.ts";
import { ApiProblem } from "../../client/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";

interface SignFormProps {
  button: string;
  /** Sends the values by name. What it throws is shown, and the focus goes to the field that is wrong. */
  send(values: Record<string, string>): Promise<void>;
  /** What must not be empty, and what to say if it is: checked here, so that one message at a time is read out. */
  required: Record<string, string>;
  children(problemOf: (name: string) => string | undefined): ComponentChildren;
}

/** A form that says in one `alert` what went wrong, and never loses what was typed. */
export function SignForm({ button, send, required, children }: SignFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<{ text: string; field: string; problems: Map<string, string> } | null>(null);

  useEffect(() => {
    if (failure) field(form.current, failure.field)?.focus();
  }, [failure]);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!form.current || isBusy) return;
    const values: Record<string, string> = {};
    for (const [name, value] of new FormData(form.current)) if (typeof value === "string") values[name] = value;
    const missing = Object.keys(required).find((name) => field(form.current, name) && !values[name]?.trim());
    if (missing !== undefined) {
      const text = required[missing] ?? "";
      setFailure({ text, field: missing, problems: new Map() });
      return;
    }
    setIsBusy(true);
    setFailure(null);
    try {
      await send(values);
    } catch (error) {
      const problems = new Map(
        error instanceof ApiProblem ? error.fields.map(({ path, message }) => [path, message]) : [],
      );
      const named = Object.keys(values).find((name) => problems.has(name));
      setFailure({ text: reasonOf(error), field: named ?? lastField(form.current), problems });
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <form ref={form} class="sign-form" method="post" noValidate onSubmit={submit}>
      <div role="alert">
        {failure && (
          <p class="callout danger">
            <Icon name="alert" />
            <span>{failure.text}</span>
          </p>
        )}
      </div>
      {children((name) => failure?.problems.get(name))}
      <Button tone="primary" type="submit" isBusy={isBusy}>
        {button}
      </Button>
    </form>
  );
}

function field(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  const found = form?.elements.namedItem(name);
  return found instanceof HTMLInputElement ? found : null;
}

/** A wrong password is typed again more often than a wrong address. */
function lastField(form: HTMLFormElement | null): string {
  return [...(form?.querySelectorAll("input") ?? [])].at(-1)?.name ?? "";
}

export function Done({ children }: { children: ComponentChildren }) {
  return (
    <div role="status">
      <p class="callout good">
        <Icon name="check" />
        <span>{children}</span>
      </p>
    </div>
  );
}
