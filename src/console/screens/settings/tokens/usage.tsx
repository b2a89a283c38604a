import { useState } from "preact/hooks";
import type { components } from "#api";
import type { Profile } from "../../../client/profile.ts";
import { useGet } from "../../../client/queries.ts";
import { numberText, shortNumber } from "../../../lib/numbers.ts";
import { dayText } from "../../../lib/time.ts";
import { tokens as m } from "../../../messages/settings-tokens.ts";
import { Chips } from "../../../ui/chips.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";
import { Table } from "../../../ui/table.tsx";

type Period = "7d" | "30d" | "90d";
type Day = components["schemas"]["TokenUsage"]["series"][number];

/** Tokens by day as bars, and the same numbers as a table; then by model. */
export function Usage({ profile }: { profile: Profile }) {
  const [period, setPeriod] = useState<Period>("30d");
  const usage = useGet(["setting", "tokens", "usage", period], "/api/settings/tokens/usage", { query: { period } });
  const byModel = useGet(["setting", "tokens", "by-model", period], "/api/settings/tokens/usage/by-model", {
    query: { period },
  }).data?.data;
  const count = (value: number) => numberText(profile.locale, value);
  const { data } = usage;
  return (
    <Section
      heading={m.usage}
      lead={data && m.total(count(data.totals.totalTokens), data.totals.calls, data.totals.fallbacks)}
    >
      <Chips<Period> label={m.period} options={m.periods} value={period} onChange={setPeriod} />
      {!data && <Pending of={usage} rows={4} form="text" />}
      {data && (
        <>
          <TokenChart profile={profile} series={data.series} />
          <details>
            <summary class="disclose">{m.table}</summary>
            <Table heads={[m.day, ...[m.input, m.output, m.calls, m.fallbacks].map((number) => ({ number }))]}>
              {data.series.toReversed().map((day) => (
                <tr key={day.date}>
                  <th scope="row">{dayText(profile, day.date)}</th>
                  <td class="number">{count(day.inputTokens)}</td>
                  <td class="number">{count(day.outputTokens)}</td>
                  <td class="number">{count(day.calls)}</td>
                  <td class="number">{count(day.fallbacks)}</td>
                </tr>
              ))}
            </Table>
          </details>
        </>
      )}
      {byModel && byModel.length > 0 && (
        <Table heads={[m.model, ...[m.tokens, m.calls, m.fallbacks].map((number) => ({ number }))]}>
          {byModel.map((each) => (
            <tr key={each.model}>
              <th scope="row">{each.model === "builtin" ? m.builtin : each.model}</th>
              <td class="number">{count(each.totalTokens)}</td>
              <td class="number">{count(each.calls)}</td>
              <td class="number">{count(each.fallbacks)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

const [HEIGHT, LEFT, BOTTOM, TOP] = [170, 44, 20, 8];
/** Drawn as wide as it is shown, so that its texts keep their size. */
const widthOfChart = () => (matchMedia("(max-width: 760px)").matches ? 330 : 640);

function TokenChart({ profile, series }: { profile: Profile; series: readonly Day[] }) {
  const most = niceMaximum(Math.max(1, ...series.map(({ totalTokens }) => totalTokens)));
  const full = widthOfChart();
  const step = (full - LEFT) / series.length;
  const width = step * 0.68;
  const height = (tokens: number) => (tokens / most) * (HEIGHT - TOP - BOTTOM);
  const base = HEIGHT - BOTTOM;
  const [first, last] = [series[0]?.date ?? "", series.at(-1)?.date ?? ""];
  return (
    <figure class="token-chart">
      <svg
        viewBox={`0 0 ${full} ${HEIGHT}`}
        role="img"
        aria-label={m.chart(dayText(profile, first), dayText(profile, last))}
      >
        {[0, 0.5, 1].map((share) => (
          <g key={share} class="chart-grid">
            <line x1={LEFT} x2={full} y1={base - height(most * share)} y2={base - height(most * share)} />
            <text x={LEFT - 8} y={base - height(most * share) + 4} text-anchor="end">
              {shortNumber(profile.locale, most * share)}
            </text>
          </g>
        ))}
        {series.map((day, index) => {
          const x = LEFT + index * step + (step - width) / 2;
          const [input, output] = [height(day.inputTokens), height(day.outputTokens)];
          return (
            <g key={day.date}>
              <title>{`${dayText(profile, day.date)}: ${numberText(profile.locale, day.totalTokens)} ${m.tokens}`}</title>
              <rect x={LEFT + index * step} y={TOP} width={step} height={base - TOP} class="chart-catch" />
              <rect x={x} y={base - input} width={width} height={input} class="chart-input" />
              <rect x={x} y={base - input - output} width={width} height={output} class="chart-output" />
            </g>
          );
        })}
        <g class="chart-grid">
          <text x={LEFT} y={HEIGHT - 4}>
            {dayText(profile, first)}
          </text>
          <text x={full} y={HEIGHT - 4} text-anchor="end">
            {dayText(profile, last)}
          </text>
        </g>
      </svg>
      <figcaption class="line gap-16 hint">
        <span class="chart-key sent">{m.input}</span>
        <span class="chart-key made">{m.output}</span>
      </figcaption>
    </figure>
  );
}

/** 1, 2.5 or 5 times a power of ten: a scale that people can read. */
function niceMaximum(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2.5, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}
