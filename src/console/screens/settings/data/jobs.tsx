import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { attempt, toast } from "../../../client/notices.ts";
import { type Profile, useNow } from "../../../client/profile.ts";
import { type ListPath, type ListResult, queryClient, useList } from "../../../client/queries.ts";
import { known } from "../../../lib/cast.ts";
import { numberText } from "../../../lib/numbers.ts";
import { pastText } from "../../../lib/time.ts";
import { data as m } from "../../../messages/settings-data.ts";
import { Button } from "../../../ui/button.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { Progress } from "../../../ui/meter.tsx";

/** What every job of the API has. */
interface Job {
  id: string;
  state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
  progress: { done: number; total: number | null };
  error: string | null;
  createdAt: string;
  expiresAt: string;
}

type Thing = keyof typeof m.things;

interface JobsProps<T extends Job> {
  profile: Profile;
  /** Where the jobs of this kind are read. */
  path: ListPath;
  remove(id: string): Promise<unknown>;
  /** What goes with the job. Default: nothing but its line in the list. */
  removed?: { button: string; done: string };
  /** What it reads or writes, one by one. */
  thing?: Thing;
  /** What it was made from. */
  nameOf?(job: T): string | null;
  /** Whether nothing came of it, although it ran to its end. */
  isEmpty?(job: T): boolean;
  /** What came of it, on one line. */
  resultOf(job: T): string | null;
  /** Below the line. */
  details?(job: T): ComponentChildren;
  actions?(job: T): ComponentChildren;
}

const ASK_MS = 1500;
const TONES = {
  queued: "badge",
  running: "badge warn",
  succeeded: "badge good",
  failed: "badge danger",
  cancelled: "badge",
};

/** The jobs of one kind. Those that run are asked for until they are over. */
export function Jobs<T extends Job>({
  profile,
  path,
  remove,
  removed = { button: m.remove, done: m.removed },
  thing = "record",
  nameOf = () => null,
  isEmpty = () => false,
  resultOf,
  details,
  actions,
}: JobsProps<T>) {
  const now = useNow();
  const [isRunning, setIsRunning] = useState(false);
  const request = { query: { limit: 10 }, ...(isRunning && { refetchInterval: ASK_MS }) };
  const list = known<ListResult<T>>(useList(["job", path], path, request));
  const runs = list.records?.some(isUnderWay) ?? false;
  useEffect(() => setIsRunning(runs), [runs]);
  const count = (value: number) => numberText(profile.locale, value);

  async function drop(job: T) {
    await attempt(m.notRemoved, async () => {
      await remove(job.id);
      toast(removed.done);
    });
    await queryClient.invalidateQueries({ queryKey: ["job"] });
  }

  return (
    <Entries of={list} none={m.noJobs}>
      {(job) => (
        <>
          <Entry
            name={m.from(nameOf(job), pastText(profile, new Date(job.createdAt), now))}
            badge={<State job={job} isEmpty={isEmpty(job)} />}
            hint={
              isUnderWay(job)
                ? m.progress(
                    count(job.progress.done),
                    job.progress.total === null ? null : count(job.progress.total),
                    m.things[thing][1] ?? "",
                  )
                : resultOf(job)
            }
            problem={job.error}
          >
            {actions?.(job)}
            <Button onClick={() => void drop(job)}>{isUnderWay(job) ? m.cancel : removed.button}</Button>
          </Entry>
          {isUnderWay(job) && <Progress label={m.progressOf} {...job.progress} />}
          {details?.(job)}
        </>
      )}
    </Entries>
  );
}

function State({ job: { state }, isEmpty }: { job: Job; isEmpty: boolean }) {
  if (state === "succeeded" && isEmpty) return <span class="badge warn">{m.nothing}</span>;
  return <span class={TONES[state]}>{m.states[state]}</span>;
}

function isUnderWay({ state }: Job): boolean {
  return state === "queued" || state === "running";
}

/** Why records of a file were left out. */
export function Problems({ thing = "record", reasons }: { thing?: Thing; reasons: readonly string[] }) {
  if (reasons.length === 0) return null;
  return (
    <details>
      <summary class="disclose">{m.problems(reasons.length, m.things[thing])}</summary>
      <ul class="reasons hint">
        {reasons.map((reason, index) => (
          <li key={index}>{reason}</li>
        ))}
      </ul>
    </details>
  );
}
