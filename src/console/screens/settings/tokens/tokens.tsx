import { useState } from "preact/hooks";
import { api, type Returned } from "../../../client/api.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { toast } from "../../../client/notices.ts";
import { type Profile, useNow } from "../../../client/profile.ts";
import { queryClient, useGet, useList } from "../../../client/queries.ts";
import { moneyText, numberText } from "../../../lib/numbers.ts";
import { longDay, pastText } from "../../../lib/time.ts";
import { tokens as m } from "../../../messages/settings-tokens.ts";
import { Button } from "../../../ui/button.tsx";
import { Callout } from "../../../ui/callout.tsx";
import { Entry, Rows } from "../../../ui/entries.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Listed } from "../../../ui/listed.tsx";
import { Meter } from "../../../ui/meter.tsx";
import { Section, SelectRow } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";
import { Table } from "../../../ui/table.tsx";
import type { SettingsProps } from "../page.ts";
import { Alerts } from "./alerts.tsx";
import { Usage } from "./usage.tsx";

export default function Tokens({ profile, query }: SettingsProps) {
  const balance = useGet(["setting", "tokens", "balance"], "/api/settings/tokens/balance");
  if (!balance.data) return <Pending of={balance} />;
  const { used, limit, planAllowance, purchasedRemaining, exhausted, resetsAt } = balance.data;
  const count = (value: number) => numberText(profile.locale, value);
  const most = lowest(limit, planAllowance);
  return (
    <>
      <Section heading={m.month} lead={m.monthLead(longDay(profile, new Date(resetsAt)))}>
        {exhausted && <Callout tone="danger">{m.exhausted}</Callout>}
        <Meter
          label={m.used}
          text={most === null ? m.noLimit(count(used)) : m.ofLimit(count(used), count(most))}
          share={most === null ? null : most === 0 ? 1 : used / most}
        />
        {planAllowance !== null && <p class="muted">{m.plan(count(planAllowance))}</p>}
        {purchasedRemaining > 0 && <p class="muted">{m.purchased(count(purchasedRemaining))}</p>}
        <Budget profile={profile} limit={limit} isAsked={query.get("do") === "budget"} />
      </Section>
      <Usage profile={profile} />
      <Alerts profile={profile} hasLimit={most !== null} />
      <Packages profile={profile} />
      <Calls profile={profile} />
    </>
  );
}

function lowest(...limits: (number | null)[]): number | null {
  const set = limits.filter((limit) => limit !== null);
  return set.length === 0 ? null : Math.min(...set);
}

function Budget({ profile, limit, isAsked }: { profile: Profile; limit: number | null; isAsked: boolean }) {
  if (profile.role !== "owner") return <p class="muted">{m.budgetOwner}</p>;
  return (
    <Form
      key={limit}
      class="form one-line"
      tone="plain"
      send={async ({ monthlyLimit = "" }) => {
        const digits = monthlyLimit.replace(/[\s.,'’_]/g, "");
        const saved = await api.put("/api/settings/tokens/budget", {
          body: { monthlyLimit: digits === "" ? null : Number(digits) },
        });
        queryClient.setQueryData(["setting", "tokens", "balance"], saved);
        toast(m.budgetSaved);
      }}
    >
      <TextField
        label={m.budget}
        name="monthlyLimit"
        inputMode="numeric"
        autocomplete="off"
        hint={m.budgetHint}
        autofocus={isAsked}
        defaultValue={limit === null ? "" : numberText(profile.locale, limit)}
        refused={m.budgetInvalid}
      />
    </Form>
  );
}

function Packages({ profile }: { profile: Profile }) {
  const { busy, attempt } = useAttempt();
  const packages = useGet(["setting", "tokens", "packages"], "/api/settings/tokens/packages").data?.data;
  if (profile.role !== "owner" || !packages) return null;
  const buy = async (id: (typeof packages)[number]["id"]) =>
    location.assign((await api.post("/api/settings/tokens/purchase", { body: { package: id } })).url);
  const offered = packages.filter(({ available }) => available);
  return (
    <Section heading={m.buy} lead={offered.length === 0 ? m.unavailable : m.buyLead}>
      <Rows of={offered}>
        {({ id, name, amount, currency }) => (
          <Entry name={name} hint={amount !== null && currency !== null && moneyText(profile.locale, amount, currency)}>
            <Button isBusy={busy === id} onClick={() => void attempt(m.notBought, () => buy(id), id)}>
              {m.buyPackage(name)}
            </Button>
          </Entry>
        )}
      </Rows>
    </Section>
  );
}

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
function Calls({ profile }: { profile: Profile }) {
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
