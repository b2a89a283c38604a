import { api } from "../../../client/api.ts";
import { Failure, toast } from "../../../client/notices.ts";
import { useGet } from "../../../client/queries.ts";
import { mailboxes as m } from "../../../messages/settings-mailboxes.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Pending } from "../../../ui/states.tsx";
import { type Mailbox, rereadMailboxes } from "./mailbox.ts";

const ROLES = ["inbox", "sent", "archive", "trash"] as const;

/** Which folder is which place. */
export function FoldersDialog({ mailbox: { id, label }, onClose }: { mailbox: Mailbox; onClose(): void }) {
  const params = { id };
  const { data, error, refetch } = useGet(["mailbox", "folders", id], "/api/settings/mailboxes/{id}/folders", {
    params,
  });
  const title = m.foldersTitle(label);
  if (!data || data.data.length === 0) {
    return (
      <Dialog title={title} onClose={onClose}>
        {data ? <p class="muted">{m.noFolders}</p> : <Pending of={{ error, refetch }} rows={4} />}
      </Dialog>
    );
  }
  const folders = data.data;
  const folderOf = (role: (typeof ROLES)[number]) => folders.find((folder) => folder.role === role)?.id;

  async function save(values: Record<string, string>) {
    const chosen = ROLES.flatMap((role) => (values[role] ? [{ id: Number(values[role]), role }] : []));
    const ids = chosen.map((folder) => folder.id);
    if (new Set(ids).size < ids.length) throw new Failure(m.oncePerFolder);
    const given = chosen.filter((folder) => folderOf(folder.role) !== folder.id);
    const left = folders.filter((folder) => folder.role && !ids.includes(folder.id));
    const changes = [...given, ...left.map((folder) => ({ id: folder.id, role: null }))];
    if (changes.length === 0) return;
    await api.patch("/api/settings/mailboxes/{id}/folders", { params, body: { folders: changes } });
    toast(m.saved);
    void rereadMailboxes();
  }

  return (
    <FormDialog title={title} lead={m.foldersLead} send={save} onClose={onClose}>
      {ROLES.map((role) => (
        <SelectField
          key={role}
          label={m.roles[role]}
          name={role}
          defaultValue={String(folderOf(role) ?? "")}
          options={[["", m.noFolder], ...folders.map((folder) => [String(folder.id), folder.name] as const)]}
        />
      ))}
    </FormDialog>
  );
}
