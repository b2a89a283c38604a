import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { known } from "../../../lib/cast.ts";
import { apiKeys as m } from "../../../messages/settings-security.ts";
import { shell } from "../../../messages/shell.ts";
import { Button } from "../../../ui/button.tsx";
import { CheckGroup, checked } from "../../../ui/check-group.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
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
    <Dialog title={m.create} onClose={onClose}>
      <Form
        button={m.create}
        required={{ name: m.enterName }}
        beside={<Button onClick={onClose}>{shell.cancel}</Button>}
        send={async (values) => {
          const { key } = await api.post("/api/settings/security/api-keys", {
            body: {
              name: (values.name ?? "").trim(),
              scopes: known<Scope[]>(checked(values, "scopes")),
              expiresInDays: values.expires === "never" ? null : Number(values.expires),
            },
          });
          onDone(key);
        }}
      >
        {(problemOf) => (
          <>
            <TextField
              label={m.name}
              name="name"
              hint={m.nameHint}
              maxLength={100}
              autocomplete="off"
              autofocus
              problem={problemOf("name")}
            />
            <CheckGroup
              label={m.scopes}
              name="scopes"
              options={scopes.map(({ scope, description }) => ({ value: scope, text: scope, hint: description }))}
              problem={problemOf("scopes") && m.chooseScope}
            />
            <SelectField
              label={m.expires}
              name="expires"
              defaultValue="90"
              options={Object.entries(m.lifetimes)}
              problem={problemOf("expiresInDays")}
            />
          </>
        )}
      </Form>
    </Dialog>
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
    <Dialog title={m.editTitle} onClose={onClose}>
      <Form
        button={m.save}
        required={{ name: m.enterName }}
        beside={<Button onClick={onClose}>{shell.cancel}</Button>}
        send={async (values) => {
          await api.patch("/api/settings/security/api-keys/{id}", {
            params: { id: apiKey.id },
            body: { name: (values.name ?? "").trim(), scopes: known<Scope[]>(checked(values, "scopes")) },
            version: apiKey.version,
          });
          onDone();
        }}
      >
        {(problemOf) => (
          <>
            <TextField
              label={m.name}
              name="name"
              defaultValue={apiKey.name}
              maxLength={100}
              autocomplete="off"
              autofocus
              problem={problemOf("name")}
            />
            <CheckGroup
              label={m.scopes}
              name="scopes"
              hint={m.editHint}
              options={scopes
                .filter(({ scope }) => apiKey.scopes.includes(scope))
                .map(({ scope, description }) => ({ value: scope, text: scope, hint: description, isChecked: true }))}
              problem={problemOf("scopes") && m.chooseScope}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}
