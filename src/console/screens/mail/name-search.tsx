import type { components } from "#api";
import { api } from "../../client/api.ts";
import { find } from "../../messages/find.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface NameDialogProps {
  q: string;
  saved: components["schemas"]["SavedSearch"] | undefined;
  onDone(): Promise<unknown>;
  onClose(): void;
}

export function NameDialog({ q, saved, onDone, onClose }: NameDialogProps) {
  return (
    <FormDialog
      title={saved ? find.rename : find.save}
      size="small"
      required={{ name: find.name }}
      lead={q}
      send={({ name = "" }) =>
        saved
          ? api.patch("/api/emails/searches/{id}", { params: { id: saved.id }, version: saved.version, body: { name } })
          : api.post("/api/emails/searches", { body: { name, q } })
      }
      onDone={() => {
        void onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <TextField label={find.name} name="name" defaultValue={saved?.name ?? ""} maxLength={100} autofocus />
    </FormDialog>
  );
}
