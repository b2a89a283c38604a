import type { components } from "#api";
import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { queryClient } from "../../client/queries.ts";
import { known } from "../../lib/cast.ts";
import { platforms as m } from "../../messages/streams.ts";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { Credential } from "./data.ts";

type NewCredential = components["schemas"]["NewStreamCredential"];
type FieldName = keyof typeof m.fields;

/** Fields of a platform; those with a `?` may be left empty. */
const FIELDS: Record<Credential["platform"], readonly (FieldName | `${FieldName}?`)[]> = {
  youtube: ["apiKey", "channelId"],
  discord: ["webhookUrl"],
  x: ["accessToken", "refreshToken?", "clientId?", "clientSecret?"],
  facebook: ["pageId", "accessToken"],
  instagram: ["accountId", "accessToken"],
  webhook: ["url", "secret?"],
};
const OPEN_FIELDS: readonly string[] = ["channelId", "pageId", "accountId", "clientId", "url"];

export function CredentialDialog({ credential, onClose }: { credential: Credential; onClose(): void }) {
  const { platform } = credential;
  const name = m.names[platform];
  const needed = FIELDS[platform].filter((field) => !field.endsWith("?"));
  const required = Object.fromEntries(needed.map((field) => [field, m.enter(m.fields[known<FieldName>(field)])]));

  async function save(values: Record<string, string>) {
    const given = Object.entries(values).flatMap(([field, value]) => (value.trim() ? [[field, value.trim()]] : []));
    // The fields above are those of the platform.
    const body = known<NewCredential>({ platform, ...Object.fromEntries(given) });
    await api.post("/api/stream/credentials", { body });
    void queryClient.invalidateQueries({ queryKey: ["stream", "credentials"] });
    toast(m.saved(name));
  }

  return (
    <FormDialog title={m.connectTitle(name)} lead={m.secretNote} required={required} send={save} onClose={onClose}>
      {FIELDS[platform].map((field, index) => {
        const key = known<FieldName>(field.replace("?", ""));
        return (
          <TextField
            key={field}
            label={m.fields[key]}
            name={key}
            type={OPEN_FIELDS.includes(key) ? "text" : "password"}
            autocomplete="off"
            autofocus={index === 0}
            spellcheck={false}
          />
        );
      })}
    </FormDialog>
  );
}
