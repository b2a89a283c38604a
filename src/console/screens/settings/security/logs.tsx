import type { ComponentChildren } from "preact";
import { api } from "../../../client/api.ts";
import { useList } from "../../../client/queries.ts";
import { deviceName } from "../../../lib/device.ts";
import { fullText, pastText, type TimeHabits } from "../../../lib/time.ts";
import { parts } from "../../../messages/parts.ts";
import { security as m } from "../../../messages/settings-security.ts";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/setting.tsx";
import { LoadFailure, Skeleton } from "../../../ui/states.tsx";

interface LogProps {
  habits: TimeHabits;
  now: Date;
}

/** Successful and failed sign-ins. */
export function Logins({ habits, now }: LogProps) {
  const list = useList({
    key: ["setting", "logins"],
    read: (cursor, signal) => api.get("/api/settings/security/login-history", { query: { limit: 8, cursor }, signal }),
  });
  return (
    <Section heading={m.logins} lead={m.loginsLead}>
      <Log list={list}>
        {list.records?.map(({ id, result, method, ip, userAgent, at }) => (
          <tr key={id}>
            <td>
              <Moment habits={habits} now={now} at={at} />
            </td>
            <td>
              <span class={result === "failed" ? "badge danger" : "badge good"}>
                {result === "failed" ? m.failed : m.succeeded}
              </span>{" "}
              {m.methods[method] ?? method}
            </td>
            <td>
              {deviceName(userAgent, m.unknownDevice)} <span class="muted">{ip}</span>
            </td>
          </tr>
        ))}
      </Log>
    </Section>
  );
}

export function AuditLog({ habits, now }: LogProps) {
  const list = useList({
    key: ["setting", "audit"],
    read: (cursor, signal) => api.get("/api/settings/security/audit-log", { query: { limit: 8, cursor }, signal }),
  });
  return (
    <Section heading={m.audit} lead={m.auditLead}>
      <Log list={list}>
        {list.records?.map(({ id, action, actor, ip, userAgent, at }) => (
          <tr key={id}>
            <td>
              <Moment habits={habits} now={now} at={at} />
            </td>
            <td>
              {sentence(action)} <span class="muted">{m.by[actor.split(":")[0] ?? ""] ?? actor}</span>
            </td>
            <td>
              {deviceName(userAgent, m.unknownDevice)} <span class="muted">{ip}</span>
            </td>
          </tr>
        ))}
      </Log>
    </Section>
  );
}

function Moment({ habits, now, at }: LogProps & { at: string }) {
  const moment = new Date(at);
  return (
    <time dateTime={at} title={fullText(habits, moment)}>
      {pastText(habits, moment, now)}
    </time>
  );
}

interface LogTableProps {
  list: { records: unknown[] | undefined; error: Error | null; hasMore: boolean; loadMore(): void; retry(): void };
  children: ComponentChildren;
}

function Log({ list, children }: LogTableProps) {
  if (list.error) return <LoadFailure error={list.error} retry={list.retry} />;
  if (!list.records) return <Skeleton rows={3} form="text" />;
  if (list.records.length === 0) return <p class="muted">{m.noEntries}</p>;
  return (
    <>
      <div class="table-wrap">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{m.when}</th>
              <th scope="col">{m.what}</th>
              <th scope="col">{m.where}</th>
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      {list.hasMore && (
        <Button tone="quiet" onClick={list.loadMore}>
          {parts.more}
        </Button>
      )}
    </>
  );
}

/** `api_key.created` → "Api key created": names of actions are English already. */
function sentence(action: string): string {
  const words = action
    .replaceAll(/[._]/g, " ")
    .replace(/\bapi\b/, "API")
    .replace(/\bai\b/, "AI");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
