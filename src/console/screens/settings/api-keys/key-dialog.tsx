import type { components } from "#api";
import { api, type Returned } from "../../../client/api.ts";
import { known } from "../../../lib/cast.ts";
import { apiKeys as m } from "../../../messages/settings-security.ts";
import { CheckGroup, checked } from "../../../ui/check-group.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";

export type ApiKey = components["schemas"]["ApiKey"];

interface KeyDialogProps {
  /** The one to change; null for a new one. */
  apiKey: ApiKey | null;
  scopes: Returned<"/api/settings/security/api-keys/scopes", "get">["data"];
  /** With the value of a new key. */
  onDone(value: string | null): void;
  onClose(): void;
}

/** A key that exists can only lose scopes. */
export function KeyDialog({ apiKey, scopes, onDone, onClose }: KeyDialogProps) {
  const offered = apiKey ? scopes.filter(({ scope }) => apiKey.scopes.includes(scope)) : scopes;

  async function save(values: Record<string, string>) {
    const body = {
      name: (values.name ?? "").trim(),
      scopes: known<ApiKey["scopes"]>(checked(values, "scopes")),
    };
    if (apiKey) {
      const { id, version } = apiKey;
      await api.patch("/api/settings/security/api-keys/{id}", { params: { id }, body, version });
      return null;
    }
    const expiresInDays = values.expires === "never" ? null : Number(values.expires);
    return (await api.post("/api/settings/security/api-keys", { body: { ...body, expiresInDays } })).key;
  }

  return (
    <FormDialog
      title={apiKey ? m.editTitle : m.create}
      onDone={onDone}
      onClose={onClose}
      button={apiKey ? m.save : m.create}
      required={{ name: m.enterName }}
      send={save}
    >
      <TextField
        label={m.name}
        name="name"
        hint={apiKey ? undefined : m.nameHint}
        defaultValue={apiKey?.name ?? ""}
        maxLength={100}
        autocomplete="off"
        autofocus
      />
      <CheckGroup
        label={m.scopes}
        name="scopes"
        hint={apiKey ? m.editHint : undefined}
        options={offered.map(({ scope, description }) => {
          return { value: scope, text: scope, hint: description, isChecked: apiKey !== null };
        })}
        refused={m.chooseScope}
      />
      {!apiKey && (
        <SelectField
          label={m.expires}
          name="expires"
          defaultValue="90"
          options={Object.entries(m.lifetimes)}
          path="expiresInDays"
        />
      )}
    </FormDialog>
  );
}
