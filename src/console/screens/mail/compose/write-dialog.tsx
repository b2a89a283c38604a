import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { toast } from "../../../client/notices.ts";
import { compose } from "../../../messages/compose.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField, TextAreaField } from "../../../ui/field.tsx";

const m = compose.ai;
type Tone = (typeof m.tones)[number][0];

interface WriteDialogProps {
  /** The email that is answered. */
  emailId: number;
  onWritten(text: string): void;
  onClose(): void;
}

/** Has the assistant write the text. It only fills the field: the person sends it. */
export function WriteDialog({ emailId, onWritten, onClose }: WriteDialogProps) {
  const [instructions, setInstructions] = useState("");
  const [tone, setTone] = useState<Tone>("friendly");
  const { isBusy, attempt } = useAttempt();
  return (
    <Dialog title={m.title} size="small" onClose={onClose}>
      <form
        class="snooze-words stack gap-12"
        onSubmit={async (event) => {
          event.preventDefault();
          await attempt(m.failed, async () => {
            const { response, note } = await api.post("/api/workflow/email-response", {
              body: { emailId, tone, instructions: instructions.trim() || null },
            });
            onWritten(response);
            if (note) toast(note);
            onClose();
          });
        }}
      >
        <TextAreaField
          label={m.instructions}
          hint={m.hint}
          placeholder={m.placeholder}
          maxLength={1000}
          autofocus
          value={instructions}
          onInput={(event) => setInstructions(event.currentTarget.value)}
        />
        <SelectField
          label={m.tone}
          options={m.tones}
          value={tone}
          onChange={(event) => setTone(m.tones.find(([name]) => name === event.currentTarget.value)?.[0] ?? "friendly")}
        />
        <Button type="submit" tone="primary" isBusy={isBusy}>
          {m.write}
        </Button>
      </form>
    </Dialog>
  );
}
