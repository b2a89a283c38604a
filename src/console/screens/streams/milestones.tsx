import { useEffect, useState } from "preact/hooks";
import { api, request } from "../../client/api.ts";
import { change, versionOf } from "../../client/changes.ts";
import { attempt, toast } from "../../client/notices.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { queryClient, useQuery } from "../../client/queries.ts";
import { useRecords } from "../../client/records.ts";
import { known } from "../../lib/cast.ts";
import { useCommands } from "../../lib/commands.ts";
import { facts } from "../../lib/plain.ts";
import { pastText, type TimeHabits } from "../../lib/time.ts";
import { milestones as m } from "../../messages/streams.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Entry, Rows } from "../../ui/entries.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Progress } from "../../ui/meter.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { type Milestone, type StreamStatus, useStatus } from "./data.ts";
import { StreamTabs } from "./tabs.tsx";

export function Milestones() {
  const habits = useHabits();
  const now = useNow();
  const { records, error, retry } = useRecords(["milestone", "list"], "/api/stream/milestones", {
    query: { limit: 100 },
  });
  const { data: status } = useStatus();
  const [edited, setEdited] = useState<Milestone | "new" | null>(null);
  useCommands(
    () => [
      { id: "new-milestone", label: m.add, icon: "plus", run: () => setEdited("new") },
      { id: "check-milestones", label: m.check, icon: "flag", run: check },
    ],
    [],
  );
  const reached = records?.filter((each) => each.reached) ?? [];
  const ahead = (records?.filter((each) => !each.reached) ?? []).sort((a, b) => a.threshold - b.threshold);
  return (
    <Page
      heading={m.heading}
      class="wide-page"
      actions={
        <>
          <Button onClick={check}>{m.check}</Button>
          <Button tone="primary" icon="plus" onClick={() => setEdited("new")}>
            {m.add}
          </Button>
        </>
      }
    >
      <StreamTabs tab="milestones" />
      {!records && <Pending of={{ error, retry }} rows={4} form="block" />}
      {records?.length === 0 && <Empty icon="flag" title={m.empty} text={m.emptyText} />}
      {reached.length > 0 && (
        <section class="caption-group" aria-label={m.reached}>
          <h2 class="line">
            {m.reached} <span class="count">{reached.length}</span>
          </h2>
          <ul class="tiles wide">
            {reached.map((each) => (
              <ReachedCard key={each.id} milestone={each} habits={habits} now={now} onEdit={() => setEdited(each)} />
            ))}
          </ul>
        </section>
      )}
      {ahead.length > 0 && (
        <section class="caption-group" aria-label={m.ahead}>
          <h2 class="line">
            {m.ahead} <span class="count">{ahead.length}</span>
          </h2>
          <Rows of={ahead}>
            {(each) => <AheadRow milestone={each} status={status} habits={habits} onEdit={() => setEdited(each)} />}
          </Rows>
        </section>
      )}
      {edited && <MilestoneDialog milestone={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

async function check(): Promise<void> {
  await attempt(m.notChecked, async () => {
    const { milestones } = await api.post("/api/stream/milestones/check");
    toast(m.checked(milestones.length));
    for (const kind of ["milestone", "caption"]) void queryClient.invalidateQueries({ queryKey: [kind] });
  });
}

function remove({ id, label, metric, threshold, reached }: Milestone): void {
  const done = m.deleted(label);
  void change<Milestone, unknown>({
    kind: "milestone",
    ids: [id],
    edit: () => null,
    send: () => api.delete("/api/stream/milestones/{id}", { params: { id } }),
    failed: m.notDeleted,
    // When it was reached would be lost.
    ...(reached
      ? { ask: { title: m.deleteTitle(label), button: m.deleteButton, done } }
      : { undo: { done, send: () => api.post("/api/stream/milestones", { body: { label, metric, threshold } }) } }),
  });
}

interface ReachedProps {
  milestone: Milestone;
  habits: TimeHabits;
  now: Date;
  onEdit(): void;
}

function ReachedCard({ milestone, habits, now, onEdit }: ReachedProps) {
  const { label, metric, reachedAt, passedBefore } = milestone;
  const picture = useCard(milestone);
  return (
    <li class="milestone-card card">
      {picture ? <img src={picture} alt={m.card(label)} width={600} height={315} /> : <div class="milestone-blank" />}
      <Entry
        name={label}
        hint={facts(
          m.metrics[metric],
          passedBefore ? m.passed : reachedAt && m.reachedAt(pastText(habits, new Date(reachedAt), now)),
        )}
      >
        {picture && (
          <a class="button quiet" href={picture} download={`${label}.svg`}>
            <Icon name="download" size={16} />
            <span>{m.download}</span>
          </a>
        )}
        <IconButton icon="edit" label={m.editNamed(label)} onClick={onEdit} />
        <IconButton icon="trash" label={m.delete(label)} onClick={() => remove(milestone)} />
      </Entry>
    </li>
  );
}

/** The picture needs our credential, so the page fetches it. */
function useCard({ id, version }: Milestone): string | null {
  const { data } = useQuery({
    queryKey: ["milestone", "card", id, version],
    queryFn: async ({ signal }) => {
      const path = `/api/stream/milestones/${id}/card.svg`;
      return (await request({ method: "GET", path, headers: { Accept: "image/svg+xml" }, signal })).blob();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [data]);
  return url;
}

interface AheadProps {
  milestone: Milestone;
  status: StreamStatus | undefined;
  habits: TimeHabits;
  onEdit(): void;
}

function AheadRow({ milestone, status, habits, onEdit }: AheadProps) {
  const { label, metric, threshold } = milestone;
  const number = new Intl.NumberFormat(habits.locale);
  const counts = { subscribers: status?.subscribers, viewers: status?.viewers, peak_viewers: status?.peakViewers };
  const current = Math.min(counts[metric] ?? 0, threshold);
  return (
    <Entry
      name={label}
      hint={facts(m.metrics[metric], m.toGo(number.format(threshold - current)))}
      more={<Progress label={label} done={current} total={threshold} />}
    >
      <IconButton icon="edit" label={m.editNamed(label)} onClick={onEdit} />
      <IconButton icon="trash" label={m.delete(label)} onClick={() => remove(milestone)} />
    </Entry>
  );
}

/** A reached milestone keeps its number: only its name can change. */
function MilestoneDialog({ milestone, onClose }: { milestone: Milestone | null; onClose(): void }) {
  const [key] = useState(() => crypto.randomUUID());
  const isReached = milestone?.reached ?? false;

  async function save(values: Record<string, string>) {
    const label = values.label?.trim() || null;
    const aim = { metric: known<Milestone["metric"]>(values.metric), threshold: Number(values.threshold) };
    if (milestone) {
      await api.patch("/api/stream/milestones/{id}", {
        params: { id: milestone.id },
        body: isReached ? { label } : { ...aim, label },
        version: versionOf("milestone", milestone),
      });
    } else await api.post("/api/stream/milestones", { body: { ...aim, ...(label && { label }) }, key });
    void queryClient.invalidateQueries({ queryKey: ["milestone"] });
    toast(m.saved);
  }

  return (
    <FormDialog
      title={milestone ? m.edit : m.add}
      required={isReached ? {} : { threshold: m.enterThreshold }}
      send={save}
      onClose={onClose}
    >
      <div class="field-pair">
        <SelectField
          label={m.metric}
          name="metric"
          defaultValue={milestone?.metric ?? "subscribers"}
          disabled={isReached}
          options={Object.entries(m.metrics)}
        />
        <TextField
          label={m.threshold}
          name="threshold"
          type="number"
          min={1}
          autofocus={!milestone}
          disabled={isReached}
          defaultValue={milestone ? String(milestone.threshold) : ""}
        />
      </div>
      <TextField label={m.label} name="label" hint={m.labelHint} maxLength={80} defaultValue={milestone?.label ?? ""} />
    </FormDialog>
  );
}
