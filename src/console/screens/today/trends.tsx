import { dayText, type TimeHabits } from "../../lib/time.ts";
import { today as m } from "../../messages/today.ts";
import { Card } from "../../ui/card.tsx";
import { Table } from "../../ui/table.tsx";
import type { Stats } from "./data.ts";

type Series = Stats["series"];
type Measure = "emails" | "tasksDone" | "events";

const MEASURES: readonly (readonly [Measure, string])[] = [
  ["emails", m.emails],
  ["tasksDone", m.done],
  ["events", m.events],
];

/** Three small charts, and the same numbers as a table. */
export function Trends({ series, habits }: { series: Series; habits: TimeHabits }) {
  return (
    <Card heading={m.trends} class="trends">
      <div class="charts">
        {MEASURES.map(([measure, label]) => (
          <Chart key={measure} label={label} values={series.map((day) => day[measure])} />
        ))}
      </div>
      <details>
        <summary class="disclose">{m.table}</summary>
        <Table heads={[m.day, ...MEASURES.map(([, number]) => ({ number }))]}>
          {series.map((day) => (
            <tr key={day.date}>
              <th scope="row">{dayText(habits, day.date)}</th>
              {MEASURES.map(([measure]) => (
                <td key={measure} class="number">
                  {day[measure]}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      </details>
    </Card>
  );
}

const [WIDTH, HEIGHT, GAP] = [140, 40, 3];

function Chart({ label, values }: { label: string; values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const total = values.reduce((sum, value) => sum + value, 0);
  const step = WIDTH / values.length;
  return (
    <figure class="chart">
      <figcaption class="line between hint">
        {label} <strong>{total}</strong>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {values.map((value, index) => {
          const height = value === 0 ? 1.5 : Math.max(3, (value / most) * HEIGHT);
          const isToday = index === values.length - 1;
          return (
            <rect
              key={index}
              x={index * step}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              rx="1.5"
              class={isToday ? "bar today" : "bar"}
            />
          );
        })}
      </svg>
    </figure>
  );
}
