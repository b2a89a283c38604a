import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { known } from "../../../lib/cast.ts";
import { apiKeys as m } from "../../../messages/settings-security.ts";
import { CheckGroup, checked } from "../../../ui/check-group.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import type { ApiKey } from "./api-key.ts";

type Scope = components["schemas"]["ApiKey"]["scopes"][number];

interface ScopeText {
  scope: Scope;
  description: string;
}

interface CreateKeyProps {
  scopes: readonly ScopeText[];
  onDone(value: string | null): void;
  onClose(): void;
}

export function CreateKey({ scopes, onDone, onClose }: CreateKeyProps) {
  return (
    <FormDialog
      title={m.create}
      onDone={onDone}
      onClose={onClose}
      button={m.create}
      required={{ name: m.enterName }}
      send={async (values) => {
        const { key } = await api.post("/api/settings/security/api-keys", {
          body: {
            name: (values.name ?? "").trim(),
            scopes: known<Scope[]>(checked(values, "scopes")),
            expiresInDays: values.expires === "never" ? null : Number(values.expires),
          },
        });
        return key;
      }}
    >
      <TextField label={m.name} name="name" hint={m.nameHint} maxLength={100} autocomplete="off" autofocus />
      <CheckGroup
        label={m.scopes}
        name="scopes"
        options={scopes.map(({ scope, description }) => ({ value: scope, text: scope, hint: description }))}
        refused={m.chooseScope}
      />
      <SelectField
        label={m.expires}
        name="expires"
        defaultValue="90"
        options={Object.entries(m.lifetimes)}
        path="expiresInDays"
      />
    </FormDialog>
  );
}

interface EditKeyProps {
  apiKey: ApiKey;
  scopes: readonly ScopeText[];
  onDone(): void;
  onClose(): void;
}

export function EditKey({ apiKey, scopes, onDone, onClose }: EditKeyProps) {
  return (
    <FormDialog
      title={m.editTitle}
      onDone={onDone}
      onClose={onClose}
      button={m.save}
      required={{ name: m.enterName }}
      send={async (values) => {
        await api.patch("/api/settings/security/api-keys/{id}", {
          params: { id: apiKey.id },
          body: { name: (values.name ?? "").trim(), scopes: known<Scope[]>(checked(values, "scopes")) },
          version: apiKey.version,
        });
      }}
    >
      <TextField label={m.name} name="name" defaultValue={apiKey.name} maxLength={100} autocomplete="off" autofocus />
      <CheckGroup
        label={m.scopes}
        name="scopes"
        hint={m.editHint}
        options={scopes
          .filter(({ scope }) => apiKey.scopes.includes(scope))
          .map(({ scope, description }) => ({ value: scope, text: scope, hint: description, isChecked: true }))}
        refused={m.chooseScope}
      />
    </FormDialog>
  );
}
