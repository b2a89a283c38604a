import type { ComponentChildren } from "preact";
import { type ListResult, useList } from "../../../client/queries.ts";
import { deviceName } from "../../../lib/device.ts";
import { fullText, pastText, type TimeHabits } from "../../../lib/time.ts";
import { security as m } from "../../../messages/settings-security.ts";
import { Listed } from "../../../ui/listed.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Table } from "../../../ui/table.tsx";

interface LogProps {
  habits: TimeHabits;
  now: Date;
}

/** Successful and failed sign-ins. */
export function Logins({ habits, now }: LogProps) {
  const list = useList(["setting", "logins"], "/api/settings/security/login-history", { query: { limit: 8 } });
  return (
    <Section heading={m.logins} lead={m.loginsLead}>
      <Log list={list} habits={habits} now={now}>
        {({ result, method }) => (
          <>
            <span class={result === "failed" ? "badge danger" : "badge good"}>
              {result === "failed" ? m.failed : m.succeeded}
            </span>{" "}
            {m.methods[method] ?? method}
          </>
        )}
      </Log>
    </Section>
  );
}

export function AuditLog({ habits, now }: LogProps) {
  const list = useList(["setting", "audit"], "/api/settings/security/audit-log", { query: { limit: 8 } });
  return (
    <Section heading={m.audit} lead={m.auditLead}>
      <Log list={list} habits={habits} now={now}>
        {({ action, actor }) => (
          <>
            {sentence(action)} <span class="muted">{m.by[actor.split(":")[0] ?? ""] ?? actor}</span>
          </>
        )}
      </Log>
    </Section>
  );
}

interface Logged {
  id: number;
  at: string;
  ip: string | null;
  userAgent: string | null;
}

interface LogTableProps<T extends Logged> extends LogProps {
  list: ListResult<T>;
  /** What happened. */
  children(entry: T): ComponentChildren;
}

function Log<T extends Logged>({ list, habits, now, children }: LogTableProps<T>) {
  return (
    <Listed list={list} form="text" none={m.noEntries}>
      <Table heads={[m.when, m.what, m.where]}>
        {list.records?.map((each) => (
          <tr key={each.id}>
            <td>
              <time dateTime={each.at} title={fullText(habits, new Date(each.at))}>
                {pastText(habits, new Date(each.at), now)}
              </time>
            </td>
            <td>{children(each)}</td>
            <td>
              {deviceName(each.userAgent, m.unknownDevice)} <span class="muted">{each.ip}</span>
            </td>
          </tr>
        ))}
      </Table>
    </Listed>
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
