import { escapeMarkup } from "../../src/lib/text.ts";
import type { DataResult } from "./data-speed.ts";

const WIDTH = 860;
const LABELS = 330;
const ROW = 30;
const TOP = 64;
const RIGHT = 70;
const BARS = WIDTH - LABELS - RIGHT;

/** A bar an endpoint: its requests a second with a session beside those of the bare Worker, which is the line at 1. */
export function chart(all: readonly DataResult[]): string {
  const cases = all.map(({ name, speed }) => ({ name, speed: speed.session }));
  const longest = Math.max(1.1, ...cases.map(({ speed }) => speed.ratio));
  const x = (ratio: number) => LABELS + (ratio / longest) * BARS;
  const height = TOP + cases.length * ROW + 24;
  const bars = cases.map(({ name, speed }, index) => {
    const y = TOP + index * ROW;
    return `<text x="${LABELS - 12}" y="${y + 17}" text-anchor="end">${escapeMarkup(name)}</text>
  <rect x="${LABELS}" y="${y + 4}" width="${(x(speed.ratio) - LABELS).toFixed(1)}" height="18" rx="3" fill="#3b6fd4"/>
  <line x1="${x(speed.spread[0]).toFixed(1)}" x2="${x(Math.min(speed.spread[1], longest)).toFixed(1)}" y1="${y + 13}" y2="${y + 13}" stroke="#16305f" stroke-width="2"/>
  <text x="${(Math.max(x(speed.ratio), x(Math.min(speed.spread[1], longest))) + 8).toFixed(1)}" y="${y + 17}" font-weight="600">${speed.ratio.toFixed(2)}</text>`;
  });
  const mark = x(1).toFixed(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#1c2333" role="img">
  <title>Requests a second with a session, beside bare Hono + D1 that checks it, too</title>
  <rect width="100%" height="100%" fill="#ffffff"/>
  <text x="16" y="28" font-size="16" font-weight="600">Requests a second with a session, beside bare Hono + D1 that checks it, too</text>
  <text x="16" y="48" fill="#5b6478">1 is the bare Worker. The thin line is the range of the rounds.</text>
  <line x1="${mark}" x2="${mark}" y1="${TOP - 4}" y2="${height - 16}" stroke="#c0392b" stroke-dasharray="4 3"/>
  ${bars.join("\n  ")}
</svg>
`;
}
