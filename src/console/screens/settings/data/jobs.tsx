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
import { Listed } from "../../../ui/listed.tsx";
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
    <Listed list={list} none={<p class="muted">{m.noJobs}</p>}>
      <ul class="setting-list">
        {list.records?.map((job) => (
          <li key={job.id} class="setting-item">
            <div class="setting-line">
              <div class="grow">
                <p class="setting-name">
                  {m.from(nameOf(job), pastText(profile, new Date(job.createdAt), now))}{" "}
                  <State {...stateOf(job, isEmpty)} />
                </p>
                <p class="hint">
                  {isUnderWay(job)
                    ? m.progress(
                        count(job.progress.done),
                        job.progress.total === null ? null : count(job.progress.total),
                        m.things[thing][1] ?? "",
                      )
                    : resultOf(job)}
                </p>
                {job.error && <p class="field-problem">{job.error}</p>}
              </div>
              {actions?.(job)}
              <Button onClick={() => void drop(job)}>{isUnderWay(job) ? m.cancel : removed.button}</Button>
            </div>
            {isUnderWay(job) && <Progress label={m.progressOf} {...job.progress} />}
            {details?.(job)}
          </li>
        ))}
      </ul>
    </Listed>
  );
}

function stateOf<T extends Job>(job: T, isEmpty: (job: T) => boolean) {
  const hasNothing = job.state === "succeeded" && isEmpty(job);
  return hasNothing ? { tone: "badge warn", text: m.nothing } : { tone: TONES[job.state], text: m.states[job.state] };
}

function State({ tone, text }: { tone: string; text: string }) {
  return <span class={tone}>{text}</span>;
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
