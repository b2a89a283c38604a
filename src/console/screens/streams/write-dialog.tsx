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
  async function write({ kind, notes = "" }: Record<string, string>) {
    const { written } = await api.post("/api/stream/captions/generate", {
      body: { kind: kind === "end" ? "end" : "go_live", sessionId: session.id, ...(notes.trim() && { notes }) },
    });
    void queryClient.invalidateQueries({ queryKey: ["caption"] });
    toast(written > 0 ? m.written(written) : m.nothingWritten);
    navigate("/app/streams/captions");
  }

  return (
    <FormDialog title={m.write} lead={m.writeText} button={m.write} send={write} onClose={onClose}>
      <SelectField
        label={m.about}
        name="kind"
        defaultValue={session.state === "ended" ? "end" : "go_live"}
        options={[
          ["go_live", captions.kinds.go_live],
          ["end", captions.kinds.end],
        ]}
      />
      <TextAreaField label={m.notes} name="notes" rows={3} maxLength={1000} />
    </FormDialog>
  );
}
