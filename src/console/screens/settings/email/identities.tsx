import { useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { change, patched } from "../../../client/changes.ts";
import { queryClient, useList } from "../../../client/queries.ts";
import { emailSettings as m } from "../../../messages/settings-email.ts";
import { shell } from "../../../messages/shell.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField, TextAreaField, TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Section } from "../../../ui/setting.tsx";
import { LoadFailure, Skeleton } from "../../../ui/states.tsx";

type Identity = components["schemas"]["SenderIdentity"];

export function Identities({ isAdding }: { isAdding: boolean }) {
  const [edited, setEdited] = useState<Identity | "new" | null>(isAdding ? "new" : null);
  const list = useList<Identity>({
    key: ["identity", "list"],
    read: (cursor, signal) => api.get("/api/settings/identities", { query: { limit: 50, cursor }, signal }),
  });
  const shown = list.records && patched("identity", list.records);
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
      {list.error && <LoadFailure error={list.error} retry={list.retry} />}
      {!shown && !list.error && <Skeleton rows={2} />}
      {shown?.length === 0 && <p class="muted">{m.noIdentities}</p>}
      <ul class="setting-list">
        {shown?.map((each) => (
          <li key={each.id} class="setting-line">
            <div class="grow">
              <p class="setting-name">
                {each.name} {each.isDefault && <span class="badge good">{m.default}</span>}
              </p>
              <p class="hint">
                {[
                  each.address ?? m.serviceAddress,
                  each.replyTo && `${m.replyTo} ${each.replyTo.email}`,
                  each.undoSendSeconds > 0 && m.undoText(each.undoSendSeconds),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </p>
            </div>
            <Menu label={m.actions(each.name)} button={<Icon name="more" />}>
              <MenuItem icon="edit" onChoose={() => setEdited(each)}>
                {m.edit}
              </MenuItem>
              <MenuItem icon="trash" tone="danger" onChoose={() => remove(each)}>
                {m.delete}
              </MenuItem>
            </Menu>
          </li>
        ))}
      </ul>
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
    onClose();
    await queryClient.invalidateQueries({ queryKey: ["identity"] });
  }
  const wait = String(identity?.undoSendSeconds ?? 10);
  const times = Object.entries(m.undoTimes);
  return (
    <Dialog title={identity ? m.editIdentity : m.addIdentity} onClose={onClose}>
      <Form
        button={m.save}
        required={{ name: m.enterName }}
        beside={<Button onClick={onClose}>{shell.cancel}</Button>}
        send={save}
      >
        {(problemOf) => (
          <>
            <TextField
              label={m.name}
              name="name"
              defaultValue={identity?.name ?? ""}
              maxLength={100}
              autofocus
              problem={problemOf("name")}
            />
            <TextField
              label={m.address}
              name="address"
              type="email"
              defaultValue={identity?.address ?? ""}
              hint={m.addressHint}
              problem={problemOf("address")}
            />
            <TextField
              label={m.replyTo}
              name="replyTo"
              defaultValue={identity?.replyTo?.email ?? ""}
              hint={m.replyToHint}
              problem={problemOf("replyTo")}
            />
            <TextAreaField
              label={m.signature}
              name="signature"
              defaultValue={identity?.signature ?? ""}
              maxLength={10_000}
              rows={3}
              problem={problemOf("signature")}
            />
            <TextAreaField
              label={m.signatureHtml}
              name="signatureHtml"
              defaultValue={identity?.signatureHtml ?? ""}
              hint={m.signatureHtmlHint}
              maxLength={10_000}
              rows={2}
              problem={problemOf("signatureHtml")}
            />
            <SelectField
              label={m.undoSend}
              name="undoSendSeconds"
              defaultValue={wait}
              options={times.some(([value]) => value === wait) ? times : [...times, [wait, m.undoText(Number(wait))]]}
              problem={problemOf("undoSendSeconds")}
            />
            <label class="check-line line">
              <input type="checkbox" name="isDefault" defaultChecked={identity?.isDefault ?? false} />
              {m.isDefault}
            </label>
          </>
        )}
      </Form>
    </Dialog>
  );
}

function remove({ id, name }: Identity): void {
  void change<Identity, unknown>({
    kind: "identity",
    ids: [id],
    edit: () => null,
    send: () => api.delete("/api/settings/identities/{id}", { params: { id } }),
    failed: m.identityNotDeleted,
    ask: { title: m.deleteTitle(name), text: m.identityDeleteText, button: m.delete, done: m.identityDeleted(name) },
  });
}
