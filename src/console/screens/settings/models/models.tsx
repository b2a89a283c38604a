import { useState } from "preact/hooks";
import { api, type Returned } from "../../../client/api.ts";
import { attempt, toast } from "../../../client/notices.ts";
import { queryClient, useGet } from "../../../client/queries.ts";
import { models as m, providers } from "../../../messages/settings-service.ts";
import { Section } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";

type Model = Returned<"/api/ai/models", "get">["data"][number];

export default function Models() {
  const [chosen, setChosen] = useState<Model["model"] | null>(null);
  const query = useGet(["service", "models"], "/api/ai/models");
  const info = useGet(["service", "model-info"], "/api/workflow/model-info").data;
  if (!query.data) return <Pending of={query} />;
  const all = query.data.data;
  const active = chosen ?? all.find((each) => each.active)?.model;

  async function choose(model: Model["model"]) {
    setChosen(model);
    await attempt(m.notChosen, async () => {
      await api.post("/api/ai-model", { body: { model } });
      toast(m.chosen(model));
    });
    await queryClient.invalidateQueries({ queryKey: ["service"] });
    setChosen(null);
  }

  return (
    <Section
      heading={m.heading}
      lead={m.lead}
      actions={
        info && <span class="badge">{info.engine.kind === "llm" ? m.modelNow(info.upstreamModel) : m.builtinNow}</span>
      }
    >
      <fieldset class="stack">
        <legend class="visually-hidden">{m.choose}</legend>
        {all.map((each) => (
          <label key={each.model} class="model-option hovers" data-current={each.model === active}>
            <input type="radio" name="model" checked={each.model === active} onChange={() => void choose(each.model)} />
            <span class="grow">
              <strong>{each.upstreamModel}</strong>
              <small class="muted">
                {each.model} · {providers[each.provider]}
              </small>
              {!each.available && <small class="warn">{reasonOf(each)}</small>}
            </span>
            <span class="badge">{each.available ? m.available : m.unavailable}</span>
          </label>
        ))}
      </fieldset>
      <p class="hint">
        {m.stays} <a href="/app/settings/ai-keys">{m.keys}</a>
      </p>
    </Section>
  );
}

/** The API's own reason names its operations, which nobody calls by hand here. */
function reasonOf({ provider }: Model): string {
  if (provider === "custom") return m.needServer;
  return provider === "workers-ai" ? m.needBinding : m.needKey(providers[provider]);
}
