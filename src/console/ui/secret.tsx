import { useRef, useState } from "preact/hooks";
import { toast } from "../client/notices.ts";
import { copyText } from "../lib/clipboard.ts";
import { parts as m } from "../messages/parts.ts";
import { Button } from "./button.tsx";
import { Callout } from "./callout.tsx";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";

interface CopyProps {
  text: string;
  label?: string;
  onFail?(): void;
}

export function CopyButton({ text, label = m.copy, onFail }: CopyProps) {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <Button
      icon={isCopied ? "check" : "copy"}
      onClick={async () => {
        const isDone = await copyText(text);
        setIsCopied(isDone);
        if (isDone) toast(m.copied);
        else onFail?.();
      }}
    >
      {label}
    </Button>
  );
}

/** A text to take along, such as a secret that is shown only once. Where copying is not allowed, it is selected. */
export function Copyable({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Field label={label} hint={hint}>
      {(attributes) => (
        <div class="line stretch">
          <input
            {...attributes}
            ref={input}
            class="input mono"
            readOnly
            value={value}
            spellcheck={false}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={value} onFail={() => input.current?.focus()} />
        </div>
      )}
    </Field>
  );
}

interface SecretDialogProps {
  title: string;
  /** That it is shown only now. */
  text: string;
  label: string;
  value: string;
  hint?: string;
  done: string;
  onClose(): void;
}

/** A secret that the service never shows again. */
export function SecretDialog({ title, text, label, value, hint, done, onClose }: SecretDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <Button tone="primary" onClick={onClose}>
          {done}
        </Button>
      }
    >
      <Callout>{text}</Callout>
      <Copyable label={label} value={value} hint={hint} />
    </Dialog>
  );
}
