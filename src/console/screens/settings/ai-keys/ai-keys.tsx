import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { ask } from "../../../client/ask.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { Failure, toast } from "../../../client/notices.ts";
import { useNow } from "../../../client/profile.ts";
import { queryClient, useGet } from "../../../client/queries.ts";
import { facts } from "../../../lib/plain.ts";
import { pastText } from "../../../lib/time.ts";
import { providers } from "../../../messages/providers.ts";
import { aiKeys as m } from "../../../messages/settings-service.ts";
import { Button } from "../../../ui/button.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Pending } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";
import type { AiKey } from "./ai-key.ts";

/** One card for each provider. */
export default function AiKeys({ profile }: SettingsProps) {
  const now = useNow();
  const [asked, setAsked] = useState<AiKey | null>(null);
  const { busy, attempt } = useAttempt();
  /** What the tests of this page have shown. A key that was replaced since then is another one. */
  const [tested, setTested] = useState<Partial<Record<string, "works" | "fails">>>({});
  const keys = useGet(["service", "ai-keys"], "/api/api-keys");
  const models = useGet(["service", "models"], "/api/ai/models").data?.data;
  const close = () => setAsked(null);
  const reread = () => queryClient.invalidateQueries({ queryKey: ["service"] });
  if (!keys.data) return <Pending of={keys} />;

  /** A call of a model that runs on the provider: its answer says which engine gave it. */
  async function test({ provider }: AiKey) {
    const began = performance.now();
    const run = async () => {
      const model = models?.find((each) => each.provider === provider && each.available)?.model;
      if (!model) throw new Failure(m.noModel);
      const { engine } = await api.post("/api/ai/generate", { body: { prompt: m.testPrompt, model } });
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      if (engine.kind !== "llm") throw new Failure(m.testFell(providers[provider]), engine.fallbackReason);
      toast(m.tested(providers[provider], seconds));
    };
    const isGood = await attempt(m.notTested, run, provider);
    setTested((all) => ({ ...all, [provider]: isGood ? "works" : "fails" }));
  }

  function remove({ provider, keyId }: AiKey) {
    void ask({
      ...{ title: m.removeTitle(providers[provider]), text: m.removeText, button: m.remove, failed: m.notRemoved },
      async run() {
        await api.delete("/api/api-keys/{keyId}", { params: { keyId } });
        toast(m.removed);
        await reread();
      },
    });
  }

  return (
    <>
      <p class="muted">{m.lead}</p>
      <ul class="provider-cards tiles">
        {keys.data.data.map((each) => (
          <li key={each.keyId} class="provider-card stack card">
            <h2>
              {providers[each.provider]} <State aiKey={each} tested={tested[each.provider] ?? "untested"} />
            </h2>
            <p class="muted">{m.texts[each.provider]}</p>
            <p class="hint">
              {facts(
                m.sources[each.source],
                each.updatedAt && m.saved(pastText(profile, new Date(each.updatedAt), now)),
                each.model && each.upstreamModel && m.runs(each.model, each.upstreamModel),
                each.baseUrl,
              )}
            </p>
            <div class="form-actions wrap">
              <Button
                aria-label={`${each.source === "runtime" ? m.replace : m.add}: ${providers[each.provider]}`}
                onClick={() => setAsked(each)}
              >
                {each.source === "runtime" ? m.replace : m.add}
              </Button>
              {each.configured && (
                <Button
                  isBusy={busy === each.provider}
                  aria-label={`${m.test}: ${providers[each.provider]}`}
                  onClick={() => void test(each)}
                >
                  {m.test}
                </Button>
              )}
              {each.source === "runtime" && (
                <Button
                  tone="danger"
                  aria-label={`${m.remove}: ${providers[each.provider]}`}
                  onClick={() => remove(each)}
                >
                  {m.remove}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {asked && (
        <KeyDialog
          aiKey={asked}
          onClose={close}
          onDone={() => {
            toast(m.keySaved(providers[asked.provider]));
            setTested((all) => ({ ...all, [asked.provider]: undefined }));
            close();
            void reread();
          }}
        />
      )}
    </>
  );
}

const TONES = { untested: "badge", works: "badge good", fails: "badge danger" };

/** That a key is there says nothing about whether the provider accepts it. */
function State({ aiKey: { configured }, tested }: { aiKey: AiKey; tested: keyof typeof TONES }) {
  return <span class={configured ? TONES[tested] : "badge"}>{configured ? m.states[tested] : m.missing}</span>;
}

const MODELS = ["model_a", "model_b", "model_c", "model_d"] as const;

interface KeyDialogProps {
  aiKey: AiKey;
  onDone(): void;
  onClose(): void;
}

function KeyDialog({ aiKey: { provider, baseUrl, model, upstreamModel }, onDone, onClose }: KeyDialogProps) {
  const isOwn = provider === "custom";
  const needsAddress = isOwn || provider === "workers-ai";
  return (
    <FormDialog
      title={m.dialog(providers[provider])}
      onDone={onDone}
      onClose={onClose}
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
