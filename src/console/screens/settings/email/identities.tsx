import { useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { queryClient } from "../../../client/queries.ts";
import { useRecords } from "../../../client/records.ts";
import { facts } from "../../../lib/plain.ts";
import { emailSettings as m } from "../../../messages/settings-email.ts";
import { Button } from "../../../ui/button.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { SelectField, TextAreaField, TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Section } from "../../../ui/setting.tsx";

type Identity = components["schemas"]["SenderIdentity"];

export function Identities({ isAdding }: { isAdding: boolean }) {
  const [edited, setEdited] = useState<Identity | "new" | null>(isAdding ? "new" : null);
  const list = useRecords(["identity", "list"], "/api/settings/identities", { query: { limit: 100 } });
  const remove = (each: Identity) =>
    list.remove(each, {
      send: () => api.delete("/api/settings/identities/{id}", { params: { id: each.id } }),
      failed: m.identityNotDeleted,
      ask: {
        title: m.deleteTitle(each.name),
        text: m.identityDeleteText,
        button: m.delete,
        done: m.identityDeleted(each.name),
      },
    });
  return (
    <Section
      heading={m.identities}
      lead={m.identitiesLead}
      actions={
        <Button icon="plus" onClick={() => setEdited("new")}>
          {m.addIdentity}
        </Button>
      }
    >
      <Entries of={list} rows={2} none={m.noIdentities}>
        {(each) => (
          <Entry
            name={each.name}
            badge={each.isDefault && <span class="badge good">{m.default}</span>}
            hint={facts(
              each.address ?? m.serviceAddress,
              each.replyTo && `${m.replyTo} ${each.replyTo.email}`,
              each.undoSendSeconds > 0 && m.undoText(each.undoSendSeconds),
            )}
          >
            <Menu label={m.actions(each.name)}>
              <MenuItem icon="edit" onChoose={() => setEdited(each)} label={m.edit} />
              <MenuItem icon="trash" tone="danger" onChoose={() => remove(each)} label={m.delete} />
            </Menu>
          </Entry>
        )}
      </Entries>
      {edited && <IdentityDialog identity={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </Section>
  );
}

function IdentityDialog({ identity, onClose }: { identity: Identity | null; onClose(): void }) {
  async function save(values: Record<string, string>) {
    const text = (name: string) => values[name]?.trim() || null;
    const body = {
      name: text("name") ?? "",
      address: text("address"),
      replyTo: text("replyTo"),
      signature: text("signature"),
      signatureHtml: text("signatureHtml"),
      undoSendSeconds: Number(values.undoSendSeconds ?? 0),
      isDefault: values.isDefault === "on",
    };
    if (identity) {
      const { id, version } = identity;
      await api.patch("/api/settings/identities/{id}", { params: { id }, body, version });
    } else await api.post("/api/settings/identities", { body });
    void queryClient.invalidateQueries({ queryKey: ["identity"] });
  }
  const wait = String(identity?.undoSendSeconds ?? 10);
  const times = Object.entries(m.undoTimes);
  return (
    <FormDialog
      title={identity ? m.editIdentity : m.addIdentity}
      onClose={onClose}
      required={{ name: m.enterName }}
      send={save}
    >
      <TextField label={m.name} name="name" defaultValue={identity?.name ?? ""} maxLength={100} autofocus />
      <TextField
        label={m.address}
        name="address"
        type="email"
        defaultValue={identity?.address ?? ""}
        hint={m.addressHint}
      />
      <TextField label={m.replyTo} name="replyTo" defaultValue={identity?.replyTo?.email ?? ""} hint={m.replyToHint} />
      <TextAreaField
        label={m.signature}
        name="signature"
        defaultValue={identity?.signature ?? ""}
        maxLength={10_000}
        rows={3}
      />
      <TextAreaField
        label={m.signatureHtml}
        name="signatureHtml"
        defaultValue={identity?.signatureHtml ?? ""}
        hint={m.signatureHtmlHint}
        maxLength={10_000}
        rows={2}
      />
      <SelectField
        label={m.undoSend}
        name="undoSendSeconds"
        defaultValue={wait}
        options={times.some(([value]) => value === wait) ? times : [...times, [wait, m.undoText(Number(wait))]]}
      />
      <label class="check-line line">
        <input type="checkbox" name="isDefault" defaultChecked={identity?.isDefault ?? false} />
        {m.isDefault}
      </label>
    </FormDialog>
  );
}
