import type { MilestoneMetric } from "./stream-session.ts";
import { escapeMarkup } from "./text.ts";

interface MilestoneCard {
  metric: MilestoneMetric;
  threshold: number;
  /** A label written by a person; null if it is derived from metric and threshold. */
  label: string | null;
  isReached: boolean;
  /** Null if it is not reached, or nobody knows when it was. */
  reachedAt: Date | null;
  /** The current count, until the milestone is reached. */
  current: number | null;
  channel: string | null;
  /** Positions the confetti, so that the same card always looks the same. */
  seed: number;
}

const METRIC_WORDS: Record<MilestoneMetric, string> = {
  subscribers: "subscribers",
  viewers: "viewers at once",
  peak_viewers: "peak viewers",
};

/** "1,000 subscribers" */
export function milestoneLabel(metric: MilestoneMetric, threshold: number): string {
  return `${formatCount(threshold)} ${METRIC_WORDS[metric]}`;
}

export function formatCount(count: number): string {
  return count.toLocaleString("en-US");
}

const WIDTH = 1200;
const HEIGHT = 630;
const FONT = "'Avenir Next', 'Segoe UI', Inter, 'Helvetica Neue', Roboto, 'Noto Sans', Arial, sans-serif";

interface Palette {
  background: readonly [string, string, string];
  glow: string;
  accent: string;
  confetti: readonly string[];
}

const PALETTES: Record<MilestoneMetric, Palette> = {
  subscribers: {
    background: ["#1a0b3d", "#5a1a8c", "#e0357a"],
    glow: "#ff7ab8",
    accent: "#ffd166",
    confetti: ["#ffd166", "#ff8fab", "#7bdff2", "#b8f2a5", "#ffffff"],
  },
  viewers: {
    background: ["#04132f", "#0b4f8a", "#12b5a6"],
    glow: "#5ff0e0",
    accent: "#fff07a",
    confetti: ["#fff07a", "#7bdff2", "#9bf6c8", "#ffb4a2", "#ffffff"],
  },
  peak_viewers: {
    background: ["#2b0a1e", "#a3241f", "#ff9f1c"],
    glow: "#ffd37a",
    accent: "#fff3b0",
    confetti: ["#fff3b0", "#ff6b6b", "#ffd166", "#a0e7e5", "#ffffff"],
  },
};

const GOAL_PALETTE: Pick<Palette, "background" | "glow"> = {
  background: ["#0e1324", "#1b2340", "#2c3a63"],
  glow: "#5a74c4",
};

/** 1200 × 630 is the size of link previews. The image loads no font, style sheet or other resource. */
export function drawMilestoneCard(card: MilestoneCard): string {
  const palette = PALETTES[card.metric];
  const { isReached } = card;
  const { background, glow } = isReached ? palette : GOAL_PALETTE;
  const name = card.label ?? milestoneLabel(card.metric, card.threshold);
  const title = isReached ? `Milestone reached: ${name}` : `Next goal: ${name}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    `<title>${escapeMarkup(title)}</title>`,
    "<defs>",
    `<linearGradient id="background" x1="0" y1="0" x2="1" y2="1">${stops(background)}</linearGradient>`,
    `<radialGradient id="glow"><stop offset="0" stop-color="${glow}" stop-opacity="0.55"/><stop offset="1" stop-color="${glow}" stop-opacity="0"/></radialGradient>`,
    `<linearGradient id="number" x1="0" y1="0" x2="0" y2="1"><stop offset="0.25" stop-color="#ffffff"/><stop offset="1" stop-color="${isReached ? palette.accent : "#b9c6f2"}"/></linearGradient>`,
    "</defs>",
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#background)"/>`,
    `<ellipse cx="600" cy="300" rx="620" ry="330" fill="url(#glow)"/>`,
    rings(),
    isReached ? confetti(card.seed, palette.confetti) : "",
    words(card, palette),
    "</svg>",
  ].join("\n");
}

function stops(colours: readonly string[]): string {
  return colours
    .map((colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`)
    .join("");
}

function rings(): string {
  const radii = [250, 340, 440, 550];
  const circles = radii.map((radius) => `<circle cx="600" cy="300" r="${radius}"/>`).join("");
  return `<g fill="none" stroke="#ffffff" stroke-opacity="0.07" stroke-width="2">${circles}</g>`;
}

function words(card: MilestoneCard, { accent }: Palette): string {
  const { isReached } = card;
  const eyebrow = isReached ? "MILESTONE REACHED" : "NEXT GOAL";
  const number = formatCount(card.threshold);
  const label = card.label === null ? [] : wrap(card.label, 38, 2, 960);
  // Keeps the text centred vertically.
  const shift = label.length === 0 && isReached ? 20 : label.length > 1 ? -22 : 0;
  const numberSize = sizeToFit(number, 214, 1000);
  const lines = label.map((line, index) =>
    text(line, {
      y: 480 + shift + index * 46,
      size: sizeToFit(line, 38, 960),
      weight: 500,
      fill: "#ffffff",
      opacity: 0.92,
    }),
  );
  return [
    pill(eyebrow, 90 + shift, isReached ? accent : "#8fa3e0"),
    text(number, { y: 246 + shift + numberSize * 0.36, size: numberSize, weight: 800, fill: "url(#number)" }),
    text(METRIC_WORDS[card.metric], { y: 420 + shift, size: 50, weight: 600, fill: "#ffffff" }),
    ...lines,
    !isReached && label.length === 0 ? progress(card) : "",
    footer(card),
  ].join("\n");
}

function pill(label: string, y: number, colour: string): string {
  const size = 24;
  const spacing = 6;
  const width = widthOf(label) * size + label.length * spacing + 56;
  return [
    `<rect x="${round(600 - width / 2)}" y="${y - 34}" width="${round(width)}" height="52" rx="26" fill="#000000" fill-opacity="0.25" stroke="${colour}" stroke-opacity="0.7" stroke-width="2"/>`,
    `<text x="${600 + spacing / 2}" y="${y}" font-family="${FONT}" font-size="${size}" font-weight="700" letter-spacing="${spacing}" text-anchor="middle" fill="${colour}">${escapeMarkup(label)}</text>`,
  ].join("\n");
}

function progress({ current, threshold }: MilestoneCard): string {
  if (current === null) return "";
  const share = Math.min(1, current / threshold);
  const length = 640;
  return [
    `<rect x="280" y="460" width="${length}" height="18" rx="9" fill="#ffffff" fill-opacity="0.14"/>`,
    `<rect x="280" y="460" width="${round(Math.max(18, length * share))}" height="18" rx="9" fill="#8fa3e0"/>`,
    text(`${formatCount(current)} so far`, { y: 516, size: 28, weight: 500, fill: "#ffffff", opacity: 0.8 }),
  ].join("\n");
}

function footer({ channel, reachedAt }: MilestoneCard): string {
  const date = reachedAt?.toLocaleDateString("en-US", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const parts = [channel === null ? null : ellipsis(channel, 28, 560), date].filter((part) => part != null);
  return text(parts.join("  ·  "), { y: 572, size: 28, weight: 600, fill: "#ffffff", opacity: 0.8 });
}

interface TextStyle {
  y: number;
  size: number;
  weight: number;
  fill: string;
  opacity?: number;
}

function text(content: string, { y, size, weight, fill, opacity = 1 }: TextStyle): string {
  if (content === "") return "";
  return `<text x="600" y="${round(y)}" font-family="${FONT}" font-size="${round(size)}" font-weight="${weight}" text-anchor="middle" fill="${fill}" fill-opacity="${opacity}">${escapeMarkup(content)}</text>`;
}

const PIECES = 90;

/** Keeps clear of the text in the middle. */
function confetti(seed: number, colours: readonly string[]): string {
  const random = randomOf(seed);
  const pieces: string[] = [];
  while (pieces.length < PIECES) {
    const x = random() * WIDTH;
    const y = random() * HEIGHT;
    const turn = round(random() * 360);
    const size = 8 + random() * 14;
    const kind = random();
    const colour = colours[Math.floor(random() * colours.length)] ?? "#ffffff";
    if (isOverText(x, y)) continue;
    pieces.push(piece(kind, round(x), round(y), round(size), turn, colour));
  }
  return `<g fill-opacity="0.9">${pieces.join("")}</g>`;
}

function isOverText(x: number, y: number): boolean {
  const aside = Math.abs(x - WIDTH / 2);
  return (
    (aside / 540) ** 2 + ((y - 320) / 265) ** 2 < 1 || (y > 520 && aside < 420) || (y < 150 && y > 25 && aside < 260)
  );
}

function piece(kind: number, x: number, y: number, size: number, turn: number, colour: string): string {
  const place = `transform="translate(${x} ${y}) rotate(${turn})"`;
  if (kind < 0.4) return `<rect ${place} width="${size}" height="${round(size * 0.45)}" rx="2" fill="${colour}"/>`;
  if (kind < 0.65) return `<circle cx="${x}" cy="${y}" r="${round(size * 0.35)}" fill="${colour}"/>`;
  if (kind < 0.85) {
    return `<path ${place} d="M0 0l${size} ${round(size * 0.5)}l${-size} ${round(size * 0.5)}z" fill="${colour}"/>`;
  }
  const wave = `q${round(size * 0.5)} ${-size} ${size} 0t${size} 0`;
  return `<path ${place} d="M0 0${wave}" fill="none" stroke="${colour}" stroke-width="4" stroke-linecap="round"/>`;
}

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Estimated width in units of the font size, on the wide side: there is no font to measure with. */
function widthOf(content: string): number {
  let width = 0;
  for (const character of content) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): number {
  if (/[\s.,:;'|!ijlI]/.test(character)) return 0.32;
  if (/\d/.test(character)) return 0.62;
  if (/[mwMW@%]/.test(character)) return 0.95;
  if (/\p{Lu}/u.test(character)) return 0.74;
  // Alphabetic scripts; Asian characters and emoji are square.
  return (character.codePointAt(0) ?? 0) < 0x0e00 ? 0.6 : 1.1;
}

function sizeToFit(content: string, size: number, room: number): number {
  return Math.min(size, room / Math.max(0.1, widthOf(content)));
}

function ellipsis(content: string, size: number, room: number): string {
  if (widthOf(content) * size <= room) return content;
  return `${beginningOf(content, room / size - 0.8)}…`;
}

/** As much as fits, cut at the end of a word unless that would drop half of the text. */
function beginningOf(content: string, room: number): string {
  let width = 0;
  let end = 0;
  for (const character of content) {
    width += characterWidth(character);
    if (width > room) break;
    end += character.length;
  }
  const whole = content.slice(0, end);
  const lastSpace = content[end] === " " || end === content.length ? end : whole.lastIndexOf(" ");
  return (lastSpace > end / 2 ? whole.slice(0, lastSpace) : whole).trimEnd();
}

/** Breaks between words, or inside a word that fills a line; the rest is cut off. */
function wrap(content: string, size: number, lines: number, room: number): string[] {
  if (widthOf(content) * size <= room) return [content];
  if (lines === 1) return [ellipsis(content, size, room)];
  const line = beginningOf(content, room / size);
  return [line, ...wrap(content.slice(line.length).trimStart(), size, lines - 1, room)];
}
