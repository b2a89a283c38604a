import { useState } from "preact/hooks";
import type { Returned } from "../../../client/api.ts";
import { type Profile, useNow } from "../../../client/profile.ts";
import { useList } from "../../../client/queries.ts";
import { numberText } from "../../../lib/numbers.ts";
import { pastText } from "../../../lib/time.ts";
import { tokens as m } from "../../../messages/settings-tokens.ts";
import { Listed } from "../../../ui/listed.tsx";
import { Section, SelectRow } from "../../../ui/setting.tsx";
import { Table } from "../../../ui/table.tsx";

type Call = Returned<"/api/settings/tokens/history", "get">["data"][number];
type Model = Call["model"];

const MODELS: readonly (readonly [Model | "", string])[] = [
  ["", m.anyModel],
  ["model_a", "model_a"],
  ["model_b", "model_b"],
  ["model_c", "model_c"],
  ["model_d", "model_d"],
  ["builtin", m.builtin],
];

/** Each call and what it took. */
export function Calls({ profile }: { profile: Profile }) {
  const now = useNow();
  const [model, setModel] = useState<Model | "">("");
  const list = useList(["setting", "tokens", "calls", model], "/api/settings/tokens/history", {
    query: { limit: 10, ...(model && { model }) },
  });
  return (
    <Section heading={m.history} lead={m.historyLead}>
      <SelectRow<Model | ""> label={m.model} value={model} options={MODELS} onChange={setModel} />
      <Listed list={list} rows={4} form="text" none={m.noUse}>
        <Table heads={[m.when, m.what, m.model, { number: m.tokens }]}>
          {list.records?.map((each) => (
            <tr key={each.id}>
              <td>
                <time dateTime={each.at}>{pastText(profile, new Date(each.at), now)}</time>
              </td>
              <td>{m.tasks[each.task]}</td>
              <td>
                {each.model === "builtin" ? m.builtin : (each.upstreamModel ?? each.model)}
                {each.fallbackReason && <small class="muted"> {each.fallbackReason}</small>}
              </td>
              <td class="number">{numberText(profile.locale, each.totalTokens)}</td>
            </tr>
          ))}
        </Table>
      </Listed>
    </Section>
  );
}
