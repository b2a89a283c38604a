import { useState } from "preact/hooks";
import { mail as m } from "../../messages/mail.ts";
import { Button } from "../../ui/button.tsx";
import { Choices } from "../../ui/choices.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { type Meant, snooze } from "./email-changes.ts";
import { clearSelection } from "./selection.ts";

/** The usual times, and any other in words. */
export function SnoozeDialog({ meant, onClose }: { meant: Meant; onClose(): void }) {
  const [text, setText] = useState("");
  const choose = (words: string) => {
    void snooze(meant, words);
    clearSelection();
    onClose();
  };
  return (
    <Dialog title={m.snooze} size="small" onClose={onClose}>
      <Choices options={m.snoozeChoices} onChoose={choose} />
      <form
        class="snooze-words stack gap-12"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) choose(text.trim());
        }}
      >
        <TextField
          label={m.snoozeUntil}
          hint={m.snoozeHint}
          value={text}
          maxLength={200}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" tone="primary">
          {m.snooze}
        </Button>
      </form>
    </Dialog>
  );
}
