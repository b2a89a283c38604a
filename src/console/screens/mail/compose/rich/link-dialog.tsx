import { useState } from "preact/hooks";
import { compose as m } from "../../../../messages/compose.ts";
import { Button } from "../../../../ui/button.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { TextField } from "../../../../ui/field.tsx";

interface LinkDialogProps {
  /** What is selected. */
  words: string;
  /** The address of the link at the caret. */
  href: string;
  onClose(): void;
  /** An empty address takes the link away. */
  onChoose(href: string, words: string): void;
}

/** As somebody types an address: without the beginning that every one has. */
function addressOf(typed: string): string {
  const text = typed.trim();
  if (text === "" || /^(?:https?:|mailto:|tel:)/i.test(text)) return text;
  return /^[^\s/@]+@[^\s/@]+$/.test(text) ? `mailto:${text}` : `https://${text}`;
}

export function LinkDialog({ words, href, onClose, onChoose }: LinkDialogProps) {
  const [address, setAddress] = useState(href);
  const [text, setText] = useState(words);
  return (
    <Dialog title={m.rich.link} size="small" typed="none" onClose={onClose}>
      <form
        class="snooze-words stack gap-12"
        onSubmit={(event) => {
          event.preventDefault();
          onChoose(addressOf(address), text.trim());
        }}
      >
        <TextField
          label={m.rich.linkAddress}
          inputMode="url"
          autofocus
          required
          value={address}
          onInput={(event) => setAddress(event.currentTarget.value)}
        />
        {words === "" && href === "" && (
          <TextField label={m.rich.linkWords} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        )}
        <div class="line gap-8">
          {href !== "" && <Button onClick={() => onChoose("", "")}>{m.rich.unlink}</Button>}
          <Button type="submit" tone="primary">
            {m.rich.link}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
