import { facts } from "../../lib/plain.ts";
import { Card } from "../../ui/card.tsx";
import { Entries, Entry, Rows } from "../../ui/entries.tsx";
import { JoinLink } from "../../ui/join-link.tsx";
import { Copyable } from "../../ui/secret.tsx";
import "../../base.ts";
import { useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../client/api.ts";
import { attempt, toast } from "../../client/notices.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { queryClient, useGet, useList } from "../../client/queries.ts";
import { useCommands } from "../../lib/commands.ts";
import { dayOf, durationText, pastText, type TimeHabits, timeText } from "../../lib/time.ts";
import { bookings as m } from "../../messages/bookings.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { ConnectDialog, DisconnectDialog } from "./connect-dialog.tsx";

type Connection = components["schemas"]["BookingConnection"];
type SyncRun = components["schemas"]["SyncRun"];

export default function Bookings() {
  const { data, error, refetch } = useGet(["sync", "connection"], "/api/bookingsvc/settings");
  const [isSyncing, setIsSyncing] = useState(false);
  const [open, setOpen] = useState<"connect" | "disconnect" | null>(null);
  const isConnected = data !== undefined && data.status !== "not_configured";

  async function sync(full: boolean) {
    setIsSyncing(true);
    await readBookings(full);
    setIsSyncing(false);
  }

  useCommands(
    () => [
      { id: "connect-bookings", label: m.connectTitle, icon: "bookings", run: () => setOpen("connect") },
      ...(isConnected ? [{ id: "sync-bookings", label: m.sync, icon: "repeat", run: () => void sync(false) }] : []),
    ],
    [isConnected],
  );

  return (
    <Page
      heading={m.heading}
      class="wide-page"
      actions={
        isConnected && (
          <>
            <Button isBusy={isSyncing} onClick={() => void sync(true)}>
              {m.syncAll}
            </Button>
            <Button tone="primary" icon="repeat" isBusy={isSyncing} onClick={() => void sync(false)}>
              {m.sync}
            </Button>
          </>
        )
      }
    >
      {!data && <Pending of={{ error, refetch }} rows={4} form="block" />}
      {data && (
        <ConnectionCard
          connection={data}
          onConnect={() => setOpen("connect")}
          onDisconnect={() => setOpen("disconnect")}
        />
      )}
      {data && isConnected && <Webhook isOn={data.webhookConfigured} />}
      {data && (isConnected || data.lastSync) && <Runs />}
      {data?.status === "connected" && <EventTypes />}
      {open === "connect" && <ConnectDialog onClose={() => setOpen(null)} />}
      {open === "disconnect" && <DisconnectDialog onClose={() => setOpen(null)} />}
    </Page>
  );
}

async function readBookings(full: boolean): Promise<void> {
  await attempt(m.notSynced, async () => {
    const run = await api.post("/api/bookingsvc/sync", { query: full ? { full: true } : {} });
    toast(run.status === "partial" ? m.syncPartial : m.synced(run.created, run.updated));
  });
  for (const kind of ["sync", "event", "stats"]) void queryClient.invalidateQueries({ queryKey: [kind] });
}

interface ConnectionProps {
  connection: Connection;
  onConnect(): void;
  onDisconnect(): void;
}

function ConnectionCard({ connection: { status, account, baseUrl }, onConnect, onDisconnect }: ConnectionProps) {
  const isThere = status !== "not_configured";
  const tone = { connected: "good", invalid_key: "danger", unverified: "warn", not_configured: "" }[status];
  return (
    <Card heading={m.connection} actions={<span class={`badge ${tone}`}>{m.statuses[status]}</span>}>
      {account && <p>{m.account(account.name, account.email)}</p>}
      <p class="muted">{m.texts[status]}</p>
      {isThere && <p class="muted">{m.provider(URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl)}</p>}
      <div class="card-actions cluster">
        <Button tone={isThere ? "plain" : "primary"} onClick={onConnect}>
          {isThere ? m.changeKey : m.connect}
        </Button>
        {isThere && (
          <Button tone="quiet" onClick={onDisconnect}>
            {m.disconnect}
          </Button>
        )}
      </div>
    </Card>
  );
}

function Webhook({ isOn }: { isOn: boolean }) {
  return (
    <Card heading={m.webhook}>
      <p class="muted">{isOn ? m.webhookOn : m.webhookOff}</p>
      <Copyable label={m.webhookAddress} value={`${location.origin}/api/bookingsvc/webhook`} />
    </Card>
  );
}

function Runs() {
  const list = useList(["sync", "runs"], "/api/bookingsvc/sync/runs", { query: { limit: 20 } });
  return (
    <Card heading={m.runs}>
      <Entries of={list} none={<Empty icon="repeat" title={m.noRuns} text={m.noRunsText} />}>
        {(run) => <Run run={run} />}
      </Entries>
    </Card>
  );
}

const COUNTS = ["fetched", "created", "updated", "cancelled", "skipped"] as const;

function Run({ run }: { run: SyncRun }) {
  const habits = useHabits();
  const now = useNow();
  const { status, trigger, mode, startedAt, durationMs, errors } = run;
  const tone = { running: "warn", succeeded: "good", partial: "warn", failed: "danger" }[status];
  const counts = COUNTS.filter((name) => name === "fetched" || run[name] > 0).map((name) => m.counts[name](run[name]));
  return (
    <Entry
      name={
        <>
          <time dateTime={startedAt}>{whenOf(habits, new Date(startedAt), now)}</time> · {m.triggers[trigger]}
          {mode === "full" && ` · ${m.full}`}
        </>
      }
      hint={facts(...counts, durationMs !== null && seconds(durationMs))}
      more={
        errors.length > 0 && (
          <details class="run-errors">
            <summary>{m.errors(errors.length)}</summary>
            <ul class="hint">
              {errors.map((error, index) => (
                <li key={index}>{error}</li>
              ))}
            </ul>
          </details>
        )
      }
    >
      <span class={`badge ${tone}`}>{m.runStatuses[status]}</span>
    </Entry>
  );
}

function whenOf(habits: TimeHabits, moment: Date, now: Date): string {
  const time = timeText(habits, moment);
  return dayOf(habits, moment) === dayOf(habits, now) ? time : `${pastText(habits, moment, now)}, ${time}`;
}

function seconds(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : durationText(Math.round(ms / 60_000));
}

/** Asked for when the page is opened: the provider answers, not the service. */
function EventTypes() {
  const { data, error, refetch } = useGet(["sync", "event-types"], "/api/bookingsvc/event-types", {
    staleTime: 5 * 60_000,
  });
  return (
    <Card heading={m.eventTypes}>
      <p class="muted">{m.typesText}</p>
      {!data && <Pending of={{ error, refetch }} rows={3} />}
      {data?.data.length === 0 && <p class="muted">{m.noTypes}</p>}
      <Rows of={data?.data ?? []}>
        {({ title, durationMinutes, description, url, hidden }) => (
          <Entry name={title} hint={facts(durationText(durationMinutes), description)}>
            {hidden && <span class="badge">{m.hidden}</span>}
            {url && <JoinLink href={url} label={m.openPage(title)} text={m.open} />}
          </Entry>
        )}
      </Rows>
    </Card>
  );
}
