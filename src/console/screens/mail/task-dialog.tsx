import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { navigate } from "../../lib/router.ts";
import { mail as m } from "../../messages/mail.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Email } from "./boxes.ts";

/** A task of an email, which it leads back to. */
export function TaskDialog({ email, onClose }: { email: Email; onClose(): void }) {
  return (
    <FormDialog
      title={m.task.title}
      size="small"
      required={{ title: m.task.enterTitle }}
      onClose={onClose}
      send={async ({ title = "", due = "" }) => {
        const words = due.trim();
        await api.post("/api/tasks", {
          body: { title: title.trim(), emailId: email.id, ...(words && { dueText: words }) },
        });
        toast(m.task.added, { label: m.task.show, run: () => navigate("/app/tasks") });
        void queryClient.invalidateQueries({ queryKey: ["task"] });
      }}
    >
      <TextField label={m.task.name} name="title" defaultValue={email.subject} maxLength={500} autofocus />
      <TextField
        label={m.task.due}
        name="due"
        hint={m.task.dueHint}
        maxLength={200}
        path="dueText"
        autocomplete="off"
      />
    </FormDialog>
  );
}

/** A new event in the calendar, which leads back to the email. */
export function startEvent({ id, subject }: Email): void {
  navigate(`/app/calendar?${new URLSearchParams({ new: "1", title: subject, email: String(id) })}`);
}

/** A new rule for all emails of the sender. */
export function startRule({ from }: Email): void {
  navigate(`/app/settings/email?${new URLSearchParams({ do: "rule", from: from.email })}`);
}
