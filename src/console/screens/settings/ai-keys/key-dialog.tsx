import { api } from "../../../client/api.ts";
import { providers } from "../../../messages/providers.ts";
import { aiKeys as m } from "../../../messages/settings-service.ts";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import type { AiKey } from "./ai-key.ts";

const MODELS = ["model_a", "model_b", "model_c", "model_d"] as const;

interface KeyDialogProps {
  aiKey: AiKey;
  onDone(): void;
  onClose(): void;
}

export function KeyDialog({ aiKey: { provider, baseUrl, model, upstreamModel }, onDone, onClose }: KeyDialogProps) {
  const isOwn = provider === "custom";
  const needsAddress = isOwn || provider === "workers-ai";
  return (
    <FormDialog
      title={m.dialog(providers[provider])}
      onDone={onDone}
      onClose={onClose}
      button={m.save}
      required={isOwn ? {} : { key: m.enterKey }}
      send={async (values) => {
        const named = MODELS.find((each) => each === values.model);
        const upstream = values.upstreamModel?.trim();
        await api.post("/api/api-keys", {
          body: {
            provider,
            ...(values.key?.trim() && { key: values.key.trim() }),
            baseUrl: values.baseUrl?.trim() || null,
            ...(named && { model: named }),
            ...(upstream && { upstreamModel: upstream }),
          },
        });
      }}
    >
      <TextField
        label={isOwn ? m.keyOptional : m.key}
        name="key"
        type="password"
        autocomplete="off"
        maxLength={1000}
        autofocus={!isOwn}
      />
      <TextField
        label={m.baseUrl}
        name="baseUrl"
        type="url"
        defaultValue={baseUrl ?? ""}
        placeholder="https://"
        autocomplete="off"
        maxLength={2000}
        autofocus={isOwn}
        hint={needsAddress ? m.baseUrlNeeded : m.baseUrlHint}
      />
      <SelectField
        label={m.model}
        name="model"
        defaultValue={model ?? ""}
        options={[["", m.modelNone], ...MODELS.map((each) => [each, each] as const)]}
      />
      <TextField
        label={m.upstream}
        name="upstreamModel"
        defaultValue={upstreamModel ?? ""}
        autocomplete="off"
        maxLength={200}
        hint={m.upstreamHint}
      />
    </FormDialog>
  );
}
