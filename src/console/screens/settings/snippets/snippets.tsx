import { useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { queryClient } from "../../../client/queries.ts";
import { useRecords } from "../../../client/records.ts";
import { snippetSettings as m } from "../../../messages/settings-snippets.ts";
import { Button } from "../../../ui/button.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { TextAreaField, TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { Section } from "../../../ui/setting.tsx";
import type { SettingsProps } from "../page.ts";

type Snippet = components["schemas"]["EmailSnippet"];

/** Texts to insert into emails. */
export default function Snippets({ query }: SettingsProps) {
  const [edited, setEdited] = useState<Snippet | "new" | null>(query.get("do") === "new" ? "new" : null);
  const list = useRecords(["snippet", "settings"], "/api/emails/snippets", { query: { limit: 100 } });
  const remove = (each: Snippet) => {
    const { id, name, text } = each;
    list.remove(each, {
      send: () => api.delete("/api/emails/snippets/{id}", { params: { id } }),
      failed: m.notDeleted,
      undo: { done: m.deleted(name), send: () => api.post("/api/emails/snippets", { body: { name, text } }) },
    });
  };
  return (
    <Section
      heading={m.heading}
      lead={m.lead}
      actions={
        <Button icon="plus" onClick={() => setEdited("new")}>
          {m.add}
        </Button>
      }
    >
      <Entries of={list} rows={2} none={m.none}>
        {(each) => (
          <Entry name={`;${each.name}`} hint={each.text.replace(/\s+/g, " ").slice(0, 120)}>
            <Menu label={m.actions(each.name)}>
              <MenuItem icon="edit" onChoose={() => setEdited(each)} label={m.edit} />
              <MenuItem icon="trash" tone="danger" onChoose={() => remove(each)} label={m.delete} />
            </Menu>
          </Entry>
        )}
      </Entries>
      {edited && <SnippetDialog snippet={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </Section>
  );
}

function SnippetDialog({ snippet, onClose }: { snippet: Snippet | null; onClose(): void }) {
  async function save({ name = "", text = "" }: Record<string, string>) {
    // As it is typed in an email.
    const body = { name: name.trim().replace(/^;/, ""), text };
    if (snippet) {
      const { id, version } = snippet;
      await api.patch("/api/emails/snippets/{id}", { params: { id }, body, version });
    } else await api.post("/api/emails/snippets", { body });
    void queryClient.invalidateQueries({ queryKey: ["snippet"] });
  }
  return (
    <FormDialog
      title={snippet ? m.editTitle : m.addTitle}
      onClose={onClose}
      required={{ name: m.enterName, text: m.enterText }}
      send={save}
    >
      <TextField
        label={m.name}
        name="name"
        defaultValue={snippet?.name ?? ""}
        maxLength={41}
        hint={m.nameHint}
        spellcheck={false}
        autofocus
      />
      <TextAreaField
        label={m.text}
        name="text"
        defaultValue={snippet?.text ?? ""}
        maxLength={10_000}
        rows={6}
        hint={m.textHint}
      />
    </FormDialog>
  );
}
