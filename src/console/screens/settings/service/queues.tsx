import type { components } from "#api";
import { type Profile, useNow } from "../../../client/profile.ts";
import { numberText } from "../../../lib/numbers.ts";
import { pastText } from "../../../lib/time.ts";
import { service as m } from "../../../messages/settings-service.ts";
import { Section } from "../../../ui/setting.tsx";
import { Table } from "../../../ui/table.tsx";

export type Health = components["schemas"]["HealthDetails"];

interface Queue {
  name: string;
  waiting: number | null;
  isOk: boolean;
  text: string | null;
}

export function Queues({ health, profile }: { health: Health; profile: Profile }) {
  const now = useNow();
  const since = (moment: string | null) => moment && m.oldest(pastText(profile, new Date(moment), now));
  const { webhooks, captions, analyses, outgoingEmails, files, sync, mailboxes } = health;
  const emails = [
    outgoingEmails.failed > 0 && m.failedEmails(outgoingEmails.failed),
    outgoingEmails.overdue > 0 && m.overdueEmails(outgoingEmails.overdue),
  ];
  const queues: Queue[] = [
    {
      name: m.names.webhooks,
      waiting: webhooks.owed,
      isOk: webhooks.ok,
      text: webhooks.detail ?? since(webhooks.oldestOwedAt),
    },
    {
      name: m.names.captions,
      waiting: captions.owed,
      isOk: captions.ok,
      text: captions.detail ?? since(captions.oldestOwedAt),
    },
    { name: m.names.analyses, waiting: analyses.owed, isOk: analyses.ok, text: analyses.detail },
    {
      name: m.names.outgoingEmails,
      waiting: outgoingEmails.sending,
      isOk: outgoingEmails.ok,
      text: outgoingEmails.detail ?? (emails.filter(Boolean).join(", ") || null),
    },
    { name: m.names.files, waiting: files.due, isOk: files.ok, text: files.detail },
    {
      name: m.names.sync,
      waiting: null,
      isOk: sync.ok,
      text:
        sync.detail ??
        (sync.lastRun
          ? m.syncLast(m.syncStates[sync.lastRun.status], pastText(profile, new Date(sync.lastRun.startedAt), now))
          : m.syncOff),
    },
    {
      name: m.names.mailboxes,
      waiting: null,
      isOk: mailboxes.ok,
      text:
        mailboxes.detail ??
        (mailboxes.connected === 0 ? m.syncOff : m.mailboxes(mailboxes.connected, mailboxes.failing.length)),
    },
  ];
  return (
    <Section heading={m.queues} lead={m.queuesLead}>
      <Table heads={[m.queue, { number: m.waiting }, m.state]}>
        {queues.map(({ name, waiting, isOk, text }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{waiting === null ? "–" : numberText(profile.locale, waiting)}</td>
            <td>
              <span class={isOk ? "badge good" : "badge danger"}>{isOk ? m.good : m.bad}</span>{" "}
              <span class="muted">{text}</span>
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

export function BackgroundJobs({ jobs, profile }: { jobs: Health["jobs"]; profile: Profile }) {
  const now = useNow();
  return (
    <Section heading={m.jobs} lead={jobs.length === 0 ? m.noJobs : m.jobsLead}>
      {jobs.length > 0 && (
        <Table heads={[m.job, m.last, { number: m.took }, m.state]}>
          {jobs.map((job) => (
            <tr key={job.name}>
              <th scope="row">{job.name}</th>
              <td>{job.lastSucceededAt ? pastText(profile, new Date(job.lastSucceededAt), now) : m.never}</td>
              <td class="number">{job.lastDurationMs === null ? "–" : `${job.lastDurationMs} ms`}</td>
              <td>
                <span class={job.ok ? "badge good" : "badge danger"}>{job.ok ? m.good : m.late}</span>{" "}
                <span class="muted">{job.detail ?? job.lastError}</span>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}
