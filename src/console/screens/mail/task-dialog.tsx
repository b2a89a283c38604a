import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { navigate } from "../../lib/router.ts";
import { triage as t } from "../../messages/triage.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Email } from "./boxes.ts";

/** A task of an email, which it leads back to. */
export function TaskDialog({ email, onClose }: { email: Email; onClose(): void }) {
  return (
    <FormDialog
      title={t.task.title}
      size="small"
      required={{ title: t.task.enterTitle }}
      onClose={onClose}
      send={async ({ title = "", due = "" }) => {
        const words = due.trim();
        await api.post("/api/tasks", {
          body: { title: title.trim(), emailId: email.id, ...(words && { dueText: words }) },
        });
        toast(t.task.added, { label: t.task.show, run: () => navigate("/app/tasks") });
        void queryClient.invalidateQueries({ queryKey: ["task"] });
      }}
    >
      <TextField label={t.task.name} name="title" defaultValue={email.subject} maxLength={500} autofocus />
      <TextField
        label={t.task.due}
        name="due"
        hint={t.task.dueHint}
        maxLength={200}
        path="dueText"
        autocomplete="off"
      />
    </FormDialog>
  );
}
