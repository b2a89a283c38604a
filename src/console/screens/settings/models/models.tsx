import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api, type Returned } from "../../../client/api.ts";
import { attempt, toast } from "../../../client/notices.ts";
import { queryClient, useGet } from "../../../client/queries.ts";
import { providers, receivers } from "../../../messages/providers.ts";
import { models as m } from "../../../messages/settings-service.ts";
import { Section } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";
import type { AiKey } from "../ai-keys/ai-key.ts";
import { LocalServers } from "./local-servers.tsx";

type Model = Returned<"/api/ai/models", "get">["data"][number];
type Choice = Model["model"] | "builtin";

export default function Models() {
  const [chosen, setChosen] = useState<Choice | null>(null);
  const query = useGet(["service", "models"], "/api/ai/models");
  const keys = useGet(["service", "ai-keys"], "/api/api-keys");
  const info = useGet(["service", "model-info"], "/api/workflow/model-info").data;
  if (!query.data) return <Pending of={query} />;
  if (!keys.data) return <Pending of={keys} />;
  const all = query.data.data;
  const { data: aiKeys, findsLocalServers } = keys.data;
  const active = all.find((each) => each.active);
  const choice = chosen ?? active?.model ?? "builtin";

  async function choose(model: Choice) {
    setChosen(model);
    await attempt(m.notChosen, async () => {
      await api.post("/api/ai-model", { body: { model } });
      toast(model === "builtin" ? m.switchedOff : m.chosen(model));
    });
    await queryClient.invalidateQueries({ queryKey: ["service"] });
    setChosen(null);
  }

  const option = (model: Choice, name: string, detail: ComponentChildren, state?: string) => (
    <label key={model} class="model-option hovers" data-current={model === choice}>
      <input type="radio" name="model" checked={model === choice} onChange={() => void choose(model)} />
      <span class="grow">
        <strong>{name}</strong>
        {detail}
      </span>
      {state && <span class="badge">{state}</span>}
    </label>
  );

  return (
    <>
      <Section
        heading={m.heading}
        lead={`${m.lead} ${active?.available ? m.goesTo(receiverOf(active, aiKeys)) : m.goesNowhere}`}
        actions={
          info && (
            <span class="badge">
              {info.engine.kind === "llm" ? m.modelNow(info.upstreamModel ?? "") : m.builtinNow}
            </span>
          )
        }
      >
        <fieldset class="stack">
          <legend class="visually-hidden">{m.choose}</legend>
          {all.map((each) =>
            option(
              each.model,
              each.upstreamModel,
              <>
                <small class="muted">
                  {each.model} · {providers[each.provider]}
                </small>
                {!each.available && <small class="warn">{reasonOf(each)}</small>}
              </>,
              each.available ? m.available : m.unavailable,
            ),
          )}
          {option("builtin", m.builtin, <small class="muted">{m.builtinHint}</small>)}
        </fieldset>
        <p class="hint">
          {m.stays} <a href="/app/settings/ai-keys">{m.keys}</a>
        </p>
      </Section>
      {findsLocalServers && <LocalServers own={aiKeys.find(({ provider }) => provider === "custom")} active={active} />}
    </>
  );
}

/** The API's own reason names its operations, which nobody calls by hand here. */
function reasonOf({ provider }: Model): string {
  if (provider === "custom") return m.needServer;
  return provider === "workers-ai" ? m.needBinding : m.needKey(providers[provider]);
}

/** Who reads the texts: the host of an address that was saved, otherwise the provider. */
function receiverOf({ provider }: Model, aiKeys: readonly AiKey[]): string {
  const address = aiKeys.find((each) => each.provider === provider)?.baseUrl;
  return address ? new URL(address).host : receivers[provider];
}
