/** The events of a calendar file with one UID: a single event, or a series with its edited occurrences. */
export interface IcsGroup {
  uid: string;
  /** A calendar with these events and the time zones that they name. */
  text: string;
}

export interface SplitCalendar {
  groups: IcsGroup[];
  /** Components that are no events, by name. */
  others: Record<string, number>;
}

/** What a file says of itself that its events depend on. */
const KEPT_PROPERTIES = /^(?:VERSION|PRODID|CALSCALE|X-WR-TIMEZONE)[;:]/i;

interface Component {
  name: string;
  lines: string[];
}

/**
 * Splits a calendar file, so that thousands of events are never read at once and one that cannot be read costs nothing but
 * itself. Accepts several calendars in one file, a byte order mark, and lines that end with LF.
 */
export function splitCalendar(file: string): SplitCalendar {
  const lines = file.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  const head: string[] = [];
  const zones = new Map<string, string[]>();
  const groups = new Map<string, string[]>();
  const others: Record<string, number> = {};
  let component: Component | null = null;
  let depth = 0;
  for (const line of lines) {
    const name = /^BEGIN:(\S+)\s*$/i.exec(line)?.[1]?.toUpperCase();
    if (name === "VCALENDAR" && !component) continue;
    if (!component && name) component = { name, lines: [] };
    if (component) {
      component.lines.push(line);
      if (name) depth += 1;
      if (/^END:\S+\s*$/i.test(line)) depth -= 1;
      if (depth > 0) continue;
      put(component, zones, groups, others);
      component = null;
    } else if (KEPT_PROPERTIES.test(line)) head.push(line);
  }
  const calendar = (body: readonly string[]) => ["BEGIN:VCALENDAR", ...head, ...body, "END:VCALENDAR", ""].join("\r\n");
  return {
    groups: [...groups].map(([uid, events]) => ({ uid, text: calendar([...zonesOf(events, zones), ...events]) })),
    others,
  };
}

function put(
  { name, lines }: Component,
  zones: Map<string, string[]>,
  groups: Map<string, string[]>,
  others: Record<string, number>,
): void {
  if (name === "VTIMEZONE") zones.set(valueOfProperty(lines, "TZID") ?? "", lines);
  else if (name === "VEVENT") {
    // One without a UID is a group of its own, which is then refused with a reason.
    const uid = valueOfProperty(lines, "UID") ?? `without a UID ${groups.size}`;
    groups.set(uid, [...(groups.get(uid) ?? []), ...lines]);
  } else others[name] = (others[name] ?? 0) + 1;
}

/** The value of a property, which may go on in the lines after it. */
function valueOfProperty(lines: readonly string[], name: string): string | null {
  const start = lines.findIndex((line) => new RegExp(`^${name}[;:]`, "i").test(line));
  if (start < 0) return null;
  let whole = lines[start] ?? "";
  for (let next = start + 1; /^[ \t]/.test(lines[next] ?? ""); next++) whole += lines[next]?.slice(1) ?? "";
  return whole.slice(whole.indexOf(":") + 1).trim() || null;
}

/** Only those that are named: a file has many, and each event is read on its own. */
function zonesOf(lines: readonly string[], zones: Map<string, string[]>): string[] {
  const text = lines.join("").replaceAll(/[ \t]/g, "");
  return [...zones].flatMap(([id, zone]) => (text.includes(id.replaceAll(/[ \t]/g, "")) ? zone : []));
}
