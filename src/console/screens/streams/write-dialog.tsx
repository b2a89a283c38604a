import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { navigate } from "../../lib/router.ts";
import { captions } from "../../messages/captions.ts";
import { streams as m } from "../../messages/streams.ts";
import { SelectField, TextAreaField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Session } from "./data.ts";

/** Has captions about a stream written, or written anew. */
export function WriteDialog({ session, onClose }: { session: Session; onClose(): void }) {
  const [kind, setKind] = useState<"go_live" | "end">(session.state === "ended" ? "end" : "go_live");
  const [notes, setNotes] = useState("");

  async function write() {
    const { written } = await api.post("/api/stream/captions/generate", {
      body: { kind, sessionId: session.id, ...(notes.trim() && { notes }) },
    });
    void queryClient.invalidateQueries({ queryKey: ["caption"] });
    toast(written > 0 ? m.written(written) : m.nothingWritten);
    navigate("/app/streams/captions");
  }

  return (
    <FormDialog title={m.write} lead={m.writeText} submit={m.write} onSubmit={write} onClose={onClose}>
      <SelectField
        label={m.about}
        value={kind}
        options={[
          ["go_live", captions.kinds.go_live],
          ["end", captions.kinds.end],
        ]}
        onChange={(event) => setKind(event.currentTarget.value === "end" ? "end" : "go_live")}
      />
      <TextAreaField
        label={m.notes}
        rows={3}
        maxLength={1000}
        value={notes}
        onInput={(event) => setNotes(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
