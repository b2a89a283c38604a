import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { failureToast, toast } from "../../../client/notices.ts";
import { useNow } from "../../../client/profile.ts";
import { queryClient, useQuery } from "../../../client/queries.ts";
import { pastText } from "../../../lib/time.ts";
import { aiKeys as m, providers } from "../../../messages/settings-service.ts";
import { Button } from "../../../ui/button.tsx";
import { Confirm } from "../../../ui/confirm.tsx";
import { LoadFailure, Skeleton } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";
import type { AiKey } from "./ai-key.ts";
import { KeyDialog } from "./key-dialog.tsx";

/** One card for each provider. */
export default function AiKeys({ profile }: SettingsProps) {
  const now = useNow();
  const [asked, setAsked] = useState<{ kind: "save" | "remove"; key: AiKey } | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const keys = useQuery({
    queryKey: ["service", "ai-keys"],
    queryFn: ({ signal }) => api.get("/api/api-keys", { signal }),
  });
  const models = useQuery({
    queryKey: ["service", "models"],
    queryFn: ({ signal }) => api.get("/api/ai/models", { signal }),
  }).data?.data;
  const close = () => setAsked(null);
  const reread = () => queryClient.invalidateQueries({ queryKey: ["service"] });
  if (keys.error && !keys.data) return <LoadFailure error={keys.error} retry={() => void keys.refetch()} />;
  if (!keys.data) return <Skeleton />;

  /** A call of a model that runs on the provider: its answer says which engine gave it. */
  async function test({ provider }: AiKey) {
    const model = models?.find((each) => each.provider === provider && each.available)?.model;
    if (!model) {
      failureToast(m.noModel, null);
      return;
    }
    setBusy(provider);
    const began = performance.now();
    try {
      const { engine } = await api.post("/api/ai/generate", { body: { prompt: m.testPrompt, model } });
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      if (engine.kind === "llm") toast(m.tested(providers[provider], seconds));
      else failureToast([m.testFell(providers[provider]), engine.fallbackReason].filter(Boolean).join(" "), null);
    } catch (error) {
      failureToast(m.notTested, error);
    }
    setBusy(null);
  }

  return (
    <>
      <p class="muted">{m.lead}</p>
      <ul class="provider-cards">
        {keys.data.data.map((each) => (
          <li key={each.keyId} class="provider-card">
            <h2>
              {providers[each.provider]}{" "}
              <span class={each.configured ? "badge good" : "badge"}>{each.configured ? m.ready : m.missing}</span>
            </h2>
            <p class="muted">{m.texts[each.provider]}</p>
            <p class="field-hint">
              {[
                m.sources[each.source],
                each.updatedAt && m.saved(pastText(profile, new Date(each.updatedAt), now)),
                each.model && each.upstreamModel && m.runs(each.model, each.upstreamModel),
                each.baseUrl,
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
            <div class="form-actions">
              <Button
                aria-label={`${each.source === "runtime" ? m.replace : m.add}: ${providers[each.provider]}`}
                onClick={() => setAsked({ kind: "save", key: each })}
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
                  onClick={() => setAsked({ kind: "remove", key: each })}
                >
                  {m.remove}
                </Button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {asked?.kind === "save" && (
        <KeyDialog
          aiKey={asked.key}
          onClose={close}
          onDone={() => {
            toast(m.keySaved(providers[asked.key.provider]));
            close();
            void reread();
          }}
        />
      )}
      {asked?.kind === "remove" && (
        <Confirm
          title={m.removeTitle(providers[asked.key.provider])}
          button={m.remove}
          failed={m.notRemoved}
          onClose={close}
          run={async () => {
            await api.delete("/api/api-keys/{keyId}", { params: { keyId: asked.key.keyId } });
            toast(m.removed);
            await reread();
          }}
        >
          {m.removeText}
        </Confirm>
      )}
    </>
  );
}
