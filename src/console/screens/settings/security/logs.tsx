import type { ComponentChildren } from "preact";
import { type ListResult, useList } from "../../../client/queries.ts";
import { deviceName } from "../../../lib/device.ts";
import { fullText, pastText, type TimeHabits } from "../../../lib/time.ts";
import { security as m } from "../../../messages/settings-security.ts";
import { Listed } from "../../../ui/listed.tsx";
import { Section } from "../../../ui/setting.tsx";

interface LogProps {
  habits: TimeHabits;
  now: Date;
}

/** Successful and failed sign-ins. */
export function Logins({ habits, now }: LogProps) {
  const list = useList(["setting", "logins"], "/api/settings/security/login-history", { query: { limit: 8 } });
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
  const list = useList(["setting", "audit"], "/api/settings/security/audit-log", { query: { limit: 8 } });
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
  list: ListResult<unknown>;
  children: ComponentChildren;
}

function Log({ list, children }: LogTableProps) {
  return (
    <Listed list={list} form="text" none={<p class="muted">{m.noEntries}</p>}>
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
