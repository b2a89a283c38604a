import "../../base.ts";
import { useId, useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../client/api.ts";
import { attempt, toast } from "../../client/notices.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { queryClient, useGet, useList } from "../../client/queries.ts";
import { useCommands } from "../../lib/commands.ts";
import { dayOf, durationText, pastText, type TimeHabits, timeText } from "../../lib/time.ts";
import { bookings as m } from "../../messages/bookings.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { NextRows } from "../../ui/next-rows.tsx";
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
  const id = useId();
  const isThere = status !== "not_configured";
  const tone = { connected: "good", invalid_key: "danger", unverified: "warn", not_configured: "" }[status];
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{m.connection}</h2>
        <span class={`badge ${tone}`}>{m.statuses[status]}</span>
      </header>
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
    </section>
  );
}

function Webhook({ isOn }: { isOn: boolean }) {
  const id = useId();
  const address = `${location.origin}/api/bookingsvc/webhook`;
  async function copy() {
    await attempt(m.notCopied, async () => {
      await navigator.clipboard.writeText(address);
      toast(m.copied);
    });
  }
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{m.webhook}</h2>
      </header>
      <p class="muted">{isOn ? m.webhookOn : m.webhookOff}</p>
      <p class="address-line cluster">
        <span>{m.webhookAddress}</span>
        <code>{address}</code>
        <Button tone="quiet" onClick={copy}>
          {m.copy}
        </Button>
      </p>
    </section>
  );
}

function Runs() {
  const id = useId();
  const { records, error, retry, hasMore, isLoadingMore, loadMore } = useList(
    ["sync", "runs"],
    "/api/bookingsvc/sync/runs",
    { query: { limit: 20 } },
  );
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{m.runs}</h2>
      </header>
      {!records && <Pending of={{ error, retry }} rows={3} />}
      {records?.length === 0 && (
        <Empty icon="repeat" title={m.noRuns}>
          {m.noRunsText}
        </Empty>
      )}
      <ul class="rows">
        {records?.map((run) => (
          <Run key={run.runId} run={run} />
        ))}
      </ul>
      {hasMore && <NextRows label={m.more} isLoading={isLoadingMore} load={loadMore} />}
    </section>
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
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <time dateTime={startedAt}>{whenOf(habits, new Date(startedAt), now)}</time> · {m.triggers[trigger]}
          {mode === "full" && ` · ${m.full}`}
        </span>
        <span class="hint">{[...counts, durationMs !== null && seconds(durationMs)].filter(Boolean).join(" · ")}</span>
        {errors.length > 0 && (
          <details class="run-errors">
            <summary>{m.errors(errors.length)}</summary>
            <ul>
              {errors.map((error, index) => (
                <li key={index}>{error}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <span class={`badge ${tone}`}>{m.runStatuses[status]}</span>
    </li>
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
  const id = useId();
  const { data, error, refetch } = useGet(["sync", "event-types"], "/api/bookingsvc/event-types", {
    staleTime: 5 * 60_000,
  });
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{m.eventTypes}</h2>
      </header>
      <p class="muted">{m.typesText}</p>
      {!data && <Pending of={{ error, refetch }} rows={3} />}
      {data?.data.length === 0 && <p class="muted">{m.noTypes}</p>}
      <ul class="rows">
        {data?.data.map(({ id: typeId, title, durationMinutes, description, url, hidden }) => (
          <li key={typeId} class="row">
            <div class="row-main">
              <span class="row-title">{title}</span>
              <span class="hint">{[durationText(durationMinutes), description].filter(Boolean).join(" · ")}</span>
            </div>
            {hidden && <span class="badge">{m.hidden}</span>}
            {url && (
              <a
                class="button quiet"
                href={url}
                target="_blank"
                rel="noopener noreferrer"
                aria-label={m.openPage(title)}
              >
                <Icon name="link" size={16} />
                <span>{m.open}</span>
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
