import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { useAttempt } from "../../../client/attempt.ts";
import { service as m } from "../../../messages/settings-service.ts";
import { Button } from "../../../ui/button.tsx";
import { Callout } from "../../../ui/callout.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Table } from "../../../ui/table.tsx";

interface Found {
  tables: { table: string; differences: number }[];
  isRepaired: boolean;
  isOver: boolean;
}

/** Compares the counters with what they count, page by page, and corrects them if somebody says so. */
export function Counters() {
  const [found, setFound] = useState<Found | null>(null);
  const { busy, attempt } = useAttempt();

  async function run(repair: boolean) {
    const tables: Found["tables"] = [];
    let after: string | undefined;
    const act = async () => {
      do {
        const page = await api.post("/api/service/recount", { body: { repair, ...(after && { after }) }, key: null });
        tables.push(...page.tables);
        after = page.next ?? undefined;
        setFound({ tables: [...tables], isRepaired: repair, isOver: !after });
      } while (after);
    };
    await attempt(m.notChecked, act, repair ? "repair" : "check");
  }

  const differing = found?.tables.filter(({ differences }) => differences > 0) ?? [];
  const count = differing.reduce((sum, { differences }) => sum + differences, 0);
  return (
    <Section
      heading={m.counters}
      lead={m.countersLead}
      actions={
        <Button isBusy={busy === "check"} onClick={() => void run(false)}>
          {m.check}
        </Button>
      }
    >
      <div role="status">
        {found && !found.isOver && (
          <p class="muted">{m.checking(new Set(found.tables.map(({ table }) => table)).size)}</p>
        )}
        {found?.isOver && count === 0 && (
          <Callout tone="good">{m.noDifferences(new Set(found.tables.map(({ table }) => table)).size)}</Callout>
        )}
        {found?.isOver && count > 0 && (
          <Callout tone={found.isRepaired ? "good" : "danger"}>
            {found.isRepaired ? m.repaired(count) : m.differences(count)}
          </Callout>
        )}
      </div>
      {found?.isOver && count > 0 && (
        <>
          <Table heads={[m.table, { number: m.rows }]}>
            {differing.map(({ table, differences }, index) => (
              <tr key={index}>
                <th scope="row">{table}</th>
                <td class="number">{differences}</td>
              </tr>
            ))}
          </Table>
          {!found.isRepaired && (
            <Button tone="primary" isBusy={busy === "repair"} onClick={() => void run(true)}>
              {m.repair}
            </Button>
          )}
        </>
      )}
    </Section>
  );
}

interface Resealed {
  resealed: number;
  current: number;
  waiting: number;
  unreadable: number;
  oldPasswords: number;
}

export function StoredSecrets() {
  const [result, setResult] = useState<Resealed | null>(null);
  const { isBusy, attempt } = useAttempt();

  async function run() {
    const sum: Resealed = { resealed: 0, current: 0, waiting: 0, unreadable: 0, oldPasswords: 0 };
    let after: string | undefined;
    await attempt(m.notRotated, async () => {
      do {
        const { values, passwords, next } = await api.post("/api/service/rotate", {
          body: after ? { after } : {},
          key: null,
        });
        for (const each of values) {
          sum.resealed += each.resealed;
          sum.current += each.alreadyCurrent;
          sum.waiting += each.waiting;
          sum.unreadable += each.unreadable;
        }
        sum.oldPasswords = passwords.previous;
        after = next ?? undefined;
      } while (after);
      setResult(sum);
    });
  }

  return (
    <Section
      heading={m.secrets}
      lead={m.secretsLead}
      actions={
        <Button isBusy={isBusy} onClick={() => void run()}>
          {m.rotate}
        </Button>
      }
    >
      <div role="status">
        {result && (
          <>
            <Callout tone="good">{m.rotated(result.resealed, result.current)}</Callout>
            {result.waiting > 0 && <p>{m.waitingValues(result.waiting)}</p>}
            {result.unreadable > 0 && <p class="field-problem">{m.unreadable(result.unreadable)}</p>}
            {result.oldPasswords > 0 && <p class="muted">{m.oldPasswords(result.oldPasswords)}</p>}
          </>
        )}
      </div>
    </Section>
  );
}
