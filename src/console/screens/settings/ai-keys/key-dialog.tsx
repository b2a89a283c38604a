import { api } from "../../../client/api.ts";
import { aiKeys as m, providers } from "../../../messages/settings-service.ts";
import { shell } from "../../../messages/shell.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
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
    <Dialog title={m.dialog(providers[provider])} onClose={onClose}>
      <Form
        button={m.save}
        required={isOwn ? {} : { key: m.enterKey }}
        beside={<Button onClick={onClose}>{shell.cancel}</Button>}
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
          onDone();
        }}
      >
        {(problemOf) => (
          <>
            <TextField
              label={isOwn ? m.keyOptional : m.key}
              name="key"
              type="password"
              autocomplete="off"
              maxLength={1000}
              autofocus={!isOwn}
              problem={problemOf("key")}
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
              problem={problemOf("baseUrl")}
            />
            <SelectField
              label={m.model}
              name="model"
              defaultValue={model ?? ""}
              options={[["", m.modelNone], ...MODELS.map((each) => [each, each] as const)]}
              problem={problemOf("model")}
            />
            <TextField
              label={m.upstream}
              name="upstreamModel"
              defaultValue={upstreamModel ?? ""}
              autocomplete="off"
              maxLength={200}
              hint={m.upstreamHint}
              problem={problemOf("upstreamModel")}
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}
