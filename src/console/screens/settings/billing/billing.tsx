import { api, type Returned } from "../../../client/api.ts";
import { useAttempt } from "../../../client/attempt.ts";
import type { Profile } from "../../../client/profile.ts";
import { useGet } from "../../../client/queries.ts";
import { moneyText, numberText } from "../../../lib/numbers.ts";
import { longDay } from "../../../lib/time.ts";
import { billing as m } from "../../../messages/settings-billing.ts";
import { Button } from "../../../ui/button.tsx";
import { Entry } from "../../../ui/entries.tsx";
import { Meter } from "../../../ui/meter.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";
import { Invoices, PaymentMethods } from "./invoices.tsx";

type Plan = Returned<"/api/settings/billing/plans", "get">["data"][number];
type Interval = Plan["prices"][number]["interval"];

const KINDS = ["aiTokens", "aiCalls", "emails", "tasks", "events", "apiKeys", "webhooks"] as const;
const LIMITS = ["aiTokensPerMonth", "webhooks", "apiKeys"] as const;

export default function Billing({ profile }: SettingsProps) {
  const subscription = useGet(["setting", "billing", "subscription"], "/api/settings/billing/subscription");
  if (!subscription.data) return <Pending of={subscription} />;
  const { provider, planName, status, currentPeriodEnd, trialEndsAt, cancelAtPeriodEnd } = subscription.data;
  const day = (moment: string) => longDay(profile, new Date(moment));
  const isBilled = provider !== "none";
  return (
    <>
      <Section heading={m.plan} actions={isBilled && profile.role === "owner" && <PortalButton />}>
        <Entry
          name={
            <>
              {planName}{" "}
              <span class={status === "active" || status === "trialing" ? "badge good" : "badge warn"}>
                {m.statuses[status]}
              </span>
            </>
          }
          hint={
            <>
              {!isBilled && m.selfHosted}
              {trialEndsAt && m.trialEnds(day(trialEndsAt))}
              {currentPeriodEnd &&
                (cancelAtPeriodEnd ? m.endsOn(day(currentPeriodEnd)) : m.renews(day(currentPeriodEnd)))}
            </>
          }
        />
      </Section>
      <UsageList profile={profile} />
      {isBilled && <Plans profile={profile} canBuy={profile.role === "owner"} />}
      {isBilled && <PaymentMethods />}
      {isBilled && <Invoices profile={profile} />}
    </>
  );
}

/** Leaves the console for a page of the billing provider. */
const leaveTo = (open: () => Promise<{ url: string }>) => async () => location.assign((await open()).url);

function PortalButton() {
  const { isBusy, attempt } = useAttempt();
  return (
    <Button
      isBusy={isBusy}
      onClick={() =>
        attempt(
          m.notOpened,
          leaveTo(() => api.post("/api/settings/billing/portal")),
        )
      }
    >
      {m.manage}
    </Button>
  );
}

function UsageList({ profile }: { profile: Profile }) {
  const query = useGet(["setting", "billing", "usage"], "/api/settings/billing/usage");
  const usage = query.data;
  if (!usage) return <Pending of={query} rows={4} form="text" />;
  const count = (value: number) => numberText(profile.locale, value);
  return (
    <Section heading={m.usage} lead={m.usageLead(longDay(profile, new Date(usage.periodEnd)))}>
      <div class="meters tiles">
        {KINDS.map((kind) => {
          const { used, limit } = usage[kind];
          return (
            <Meter
              key={kind}
              label={m.kinds[kind]}
              text={limit === null ? count(used) : m.ofLimit(count(used), count(limit))}
              share={limit === null ? null : used / Math.max(1, limit)}
            />
          );
        })}
      </div>
    </Section>
  );
}

function Plans({ profile, canBuy }: { profile: Profile; canBuy: boolean }) {
  const { busy, attempt } = useAttempt();
  const query = useGet(["setting", "billing", "plans"], "/api/settings/billing/plans");
  const plans = query.data?.data;
  if (!plans) return <Pending of={query} rows={3} />;

  async function buy(plan: "pro" | "business", interval: Interval) {
    const open = leaveTo(() => api.post("/api/settings/billing/checkout", { body: { plan, interval } }));
    await attempt(m.notOpened, open, plan + interval);
  }

  return (
    <Section heading={m.plans}>
      <ul class="tiles">
        {plans.map(({ id, name, description, limits, current, prices }) => (
          <li key={id} class="plan-card stack card" data-current={current}>
            <h3>
              {name} {current && <span class="badge good">{m.current}</span>}
            </h3>
            <p class="muted">{description}</p>
            <dl>
              {LIMITS.map((limit) => (
                <div key={limit}>
                  <dt class="muted">{m.limits[limit]}</dt>
                  <dd>{limits[limit] === null ? m.unlimited : numberText(profile.locale, limits[limit] ?? 0)}</dd>
                </div>
              ))}
            </dl>
            {prices.map(({ interval, amount, currency }) => (
              <p key={interval}>
                <strong>{amount === null ? m.free : moneyText(profile.locale, amount, currency)}</strong>{" "}
                {m.per[interval]}{" "}
                {canBuy && !current && (id === "pro" || id === "business") && (
                  <Button
                    isBusy={busy === id + interval}
                    aria-label={m.chooseFor(m.choose(name), m.intervals[interval])}
                    onClick={() => void buy(id, interval)}
                  >
                    {m.choose(name)}
                  </Button>
                )}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Section>
  );
}
