import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { toast } from "../../client/notices.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { queryClient, useGet, useList } from "../../client/queries.ts";
import { useCommands } from "../../lib/commands.ts";
import { facts } from "../../lib/plain.ts";
import { navigate } from "../../lib/router.ts";
import { durationText, fullText, pastText, type TimeHabits } from "../../lib/time.ts";
import { captions } from "../../messages/captions.ts";
import { streams as m } from "../../messages/streams.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Entries, Entry } from "../../ui/entries.tsx";
import { SelectField, TextAreaField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { type Session, type StreamStatus, useStatus } from "./data.ts";
import { ReportDialog } from "./report-dialog.tsx";
import { StreamTabs } from "./tabs.tsx";

export function Overview() {
  const habits = useHabits();
  const now = useNow();
  const status = useStatus();
  const [isReporting, setIsReporting] = useState(false);
  const [about, setAbout] = useState<Session | null>(null);
  useCommands(() => [{ id: "report-stream", label: m.report, icon: "streams", run: () => setIsReporting(true) }], []);
  return (
    <Page
      heading={m.heading}
      class="wide-page"
      actions={<Button onClick={() => setIsReporting(true)}>{m.report}</Button>}
    >
      <StreamTabs tab="overview" />
      {!status.data && <Pending of={status} rows={3} form="block" />}
      {status.data && <Now status={status.data} habits={habits} now={now} onWrite={setAbout} />}
      <Totals />
      <Sessions habits={habits} now={now} onWrite={setAbout} />
      {isReporting && <ReportDialog onClose={() => setIsReporting(false)} />}
      {about && <WriteDialog session={about} onClose={() => setAbout(null)} />}
    </Page>
  );
}

interface Shown {
  habits: TimeHabits;
  now: Date;
  onWrite(session: Session): void;
}

function Now({ status, habits, now, onWrite }: { status: StreamStatus } & Shown) {
  const { state, session, viewers, peakViewers, subscribers, lastReportAt, lastCheckedAt, checkProblem } = status;
  const number = new Intl.NumberFormat(habits.locale);
  const past = (moment: string) => pastText(habits, new Date(moment), now);
  return (
    <Card heading={m.now} class="stream-now" actions={<StateBadge state={state} />}>
      <p class="stream-title">{session ? session.title || m.noTitle : m.offlineTitle}</p>
      <p class="muted">{session ? timesOf(session, habits, now) : m.offlineText}</p>
      <dl class="figures" aria-live="polite">
        <Figure label={m.viewers} value={state === "live" ? number.format(viewers) : m.unknown} />
        <Figure label={m.peak} value={state === "live" ? number.format(peakViewers) : m.unknown} />
        <Figure label={m.subscribers} value={subscribers === null ? m.unknown : number.format(subscribers)} />
      </dl>
      {checkProblem && (
        <p class="inline-problem field-problem line" role="alert">
          <Icon name="alert" size={16} /> {m.problems[checkProblem]}
        </p>
      )}
      <div class="card-actions cluster">
        {session?.url && (
          <a class="button" href={session.url} target="_blank" rel="noopener noreferrer">
            <Icon name="link" size={16} />
            <span>{m.watch}</span>
          </a>
        )}
        {session && state === "live" && (
          <Button icon="sparkle" onClick={() => onWrite(session)}>
            {m.write}
          </Button>
        )}
        <span class="muted">
          {facts(lastReportAt && m.reported(past(lastReportAt)), lastCheckedAt && m.checked(past(lastCheckedAt)))}
        </span>
      </div>
    </Card>
  );
}

function timesOf({ state, startedAt, scheduledFor }: Session, habits: TimeHabits, now: Date): string {
  if (state === "live" && startedAt) {
    return m.liveFor(durationText(Math.max(0, Math.floor((now.getTime() - Date.parse(startedAt)) / 60_000))));
  }
  return scheduledFor ? m.startsAt(fullText(habits, new Date(scheduledFor))) : "";
}

function StateBadge({ state }: { state: keyof typeof m.states }) {
  const tone = { live: "danger", scheduled: "warn", ended: "", cancelled: "", offline: "" }[state];
  return <span class={`badge ${tone}`}>{m.states[state]}</span>;
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div class="figure">
      <dt class="hint">{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Totals() {
  const habits = useHabits();
  const { data } = useGet(["stream", "stats"], "/api/stream/stats");
  if (!data || data.sessions.ended === 0) return null;
  const number = new Intl.NumberFormat(habits.locale, { maximumFractionDigits: 1 });
  const { reached, ahead } = data.milestones;
  return (
    <Card heading={m.totals}>
      <dl class="figures">
        <Figure label={m.totalEnded} value={number.format(data.sessions.ended)} />
        <Figure label={m.totalHours} value={number.format(data.hoursStreamed)} />
        <Figure
          label={m.averagePeak}
          value={data.averagePeakViewers === null ? m.unknown : number.format(data.averagePeakViewers)}
        />
        <Figure label={m.bestPeak} value={data.best ? number.format(data.best.peakViewers) : m.unknown} />
        <Figure label={m.milestonesReached} value={m.ofAll(reached, reached + ahead)} />
      </dl>
    </Card>
  );
}

function Sessions({ habits, now, onWrite }: Shown) {
  const sessions = useList(["stream", "sessions"], "/api/stream/sessions", { query: { limit: 20 } });
  const number = new Intl.NumberFormat(habits.locale);
  const none = (
    <Empty
      icon="streams"
      title={m.noSessions}
      text={m.noSessionsText}
      action={
        <a class="button primary" href="/app/streams/platforms">
          {m.tabs.platforms}
        </a>
      }
    />
  );
  return (
    <Card heading={m.history}>
      <Entries of={sessions} rows={4} none={none}>
        {(session) => {
          const title = session.title || m.noTitle;
          return (
            <Entry
              name={
                session.url ? (
                  <a class="plain" href={session.url} target="_blank" rel="noreferrer">
                    {title}
                  </a>
                ) : (
                  title
                )
              }
              hint={facts(
                m.streamPlatforms[session.platform],
                whenOf(session, habits, now),
                session.durationSeconds !== null && durationText(Math.round(session.durationSeconds / 60)),
                session.peakViewers > 0 && `${m.peak} ${number.format(session.peakViewers)}`,
              )}
            >
              <StateBadge state={session.state} />
              {(session.state === "live" || session.state === "ended") && (
                <Button tone="quiet" aria-label={m.writeFor(title)} onClick={() => onWrite(session)}>
                  {m.write}
                </Button>
              )}
            </Entry>
          );
        }}
      </Entries>
    </Card>
  );
}

function whenOf({ state, startedAt, scheduledFor }: Session, habits: TimeHabits, now: Date): string {
  const at = startedAt ?? scheduledFor;
  if (!at) return "";
  return state === "scheduled" ? m.startsAt(fullText(habits, new Date(at))) : pastText(habits, new Date(at), now);
}

/** Has captions about a stream written, or written anew. */
function WriteDialog({ session, onClose }: { session: Session; onClose(): void }) {
  async function write({ kind, notes = "" }: Record<string, string>) {
    const { written } = await api.post("/api/stream/captions/generate", {
      body: { kind: kind === "end" ? "end" : "go_live", sessionId: session.id, ...(notes.trim() && { notes }) },
    });
    void queryClient.invalidateQueries({ queryKey: ["caption"] });
    toast(written > 0 ? m.written(written) : m.nothingWritten);
    navigate("/app/streams/captions");
  }

  return (
    <FormDialog title={m.write} lead={m.writeText} button={m.write} send={write} onClose={onClose}>
      <SelectField
        label={m.about}
        name="kind"
        defaultValue={session.state === "ended" ? "end" : "go_live"}
        options={[
          ["go_live", captions.kinds.go_live],
          ["end", captions.kinds.end],
        ]}
      />
      <TextAreaField label={m.notes} name="notes" rows={3} maxLength={1000} />
    </FormDialog>
  );
}
