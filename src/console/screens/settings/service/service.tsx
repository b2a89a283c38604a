import { type Profile, useNow } from "../../../client/profile.ts";
import { useGet } from "../../../client/queries.ts";
import { bytesText, numberText } from "../../../lib/numbers.ts";
import { facts } from "../../../lib/plain.ts";
import { pastText, timeText } from "../../../lib/time.ts";
import { service as m } from "../../../messages/settings-service.ts";
import { Button } from "../../../ui/button.tsx";
import { Callout } from "../../../ui/callout.tsx";
import { Entry, Rows } from "../../../ui/entries.tsx";
import { Meter } from "../../../ui/meter.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";
import type { SettingsProps } from "../page.ts";
import { BackgroundJobs, type Health, Queues } from "./queues.tsx";
import { Counters, StoredSecrets } from "./repair.tsx";

/** How the service is. Asked again every minute while somebody looks. */
export default function Service({ profile }: SettingsProps) {
  const query = useGet(["service", "health"], "/api/health/details", { refetchInterval: 60_000 });
  if (!query.data) return <Pending of={query} />;
  return (
    <>
      <HealthSection
        health={query.data}
        profile={profile}
        isBusy={query.isFetching}
        again={() => void query.refetch()}
      />
      <Storage health={query.data} profile={profile} />
      <Queues health={query.data} profile={profile} />
      <BackgroundJobs jobs={query.data.jobs} profile={profile} />
      <Counters />
      <StoredSecrets />
    </>
  );
}

interface HealthSectionProps {
  health: Health;
  profile: Profile;
  isBusy: boolean;
  again(): void;
}

const CHECKS = ["database", "kv", "fileStore", "secrets"] as const;

function HealthSection({ health, profile, isBusy, again }: HealthSectionProps) {
  const now = useNow();
  const { status, version, time, problems, checks } = health;
  return (
    <Section
      heading={m.health}
      lead={m.version(version, timeText(profile, new Date(time)))}
      actions={
        <Button isBusy={isBusy} onClick={again}>
          {m.again}
        </Button>
      }
    >
      <Callout tone={status === "ok" ? "good" : "danger"}>
        {status === "ok" ? m.ok : m.degraded(problems.length)}
      </Callout>
      <Rows of={problems}>
        {({ code, subject, detail, since, docs }) => (
          <Entry name={detail} hint={facts(code, subject, m.since(pastText(profile, new Date(since), now)), docs)} />
        )}
      </Rows>
      <dl class="facts tiles">
        {CHECKS.map((name) => {
          const check = checks[name];
          const latency = "latencyMs" in check ? check.latencyMs : null;
          return (
            <div key={name}>
              <dt class="muted">{m.checks[name]}</dt>
              <dd class={check.ok ? "" : "field-problem"}>
                <span class={check.ok ? "dot good" : "dot danger"} aria-hidden="true" />
                {check.detail ??
                  (latency === null ? m.fine : m.answered(numberText(profile.locale, Math.round(latency))))}
              </dd>
            </div>
          );
        })}
      </dl>
    </Section>
  );
}

function Storage({ health: { storage }, profile }: { health: Health; profile: Profile }) {
  const bytes = (value: number) => bytesText(profile.locale, value);
  const { database, files } = storage;
  return (
    <Section heading={m.storage}>
      <Meter
        label={m.database}
        text={m.ofLimit(bytes(database.sizeBytes), bytes(database.limitBytes))}
        share={database.usedShare}
      />
      {database.detail && <p class="field-problem">{database.detail}</p>}
      <Meter
        label={m.files}
        text={m.objects(numberText(profile.locale, files.objects), bytes(files.sizeBytes))}
        share={null}
      />
    </Section>
  );
}
