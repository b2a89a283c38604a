interface TextRange {
  start: number;
  end: number;
}

/** The events of a calendar file with one UID: a single event, or a series with its edited occurrences. */
export interface IcsGroup {
  uid: string;
  /** Where the events that are read are in the file, and how many more there are. */
  parts: readonly TextRange[];
  leftOut: number;
  /** A calendar with these events and the time zones that they name, made when it is read: files repeat themselves. */
  text(some?: readonly TextRange[]): string;
}

export interface SplitCalendar {
  groups: IcsGroup[];
  /** Components that are no events, by name; those whose names are too many together as `other`. */
  others: Record<string, number>;
  /** Definitions of time zones that are not read, because they are too many or too long. */
  zonesLeftOut: number;
  /** Whether the file ends within a component, as one that was cut off does. */
  isCut: boolean;
}

/** Properties of a file that its events depend on. */
const KEPT_PROPERTIES = /^(VERSION|PRODID|CALSCALE|METHOD|X-WR-TIMEZONE)[;:]/i;

/** No program writes more; each is read again with every event that names it. */
const MAX_ZONES = 1000;
const ZONE_CHARACTERS = 20_000;
const ZONES_OF_GROUP = 10;
/** `read.ts` takes 512 KiB at once. */
const GROUP_CHARACTERS = 400_000;
const EVENTS_OF_GROUP = 1000;
const MAX_OTHERS = 20;
/** A longer line is text, and not one of those that give the file its form. */
const FORM_CHARACTERS = 500;

/** Where a component is in the file. */
interface Component extends TextRange {
  name: string;
  /** Its UID or TZID. */
  id: string | null;
}

interface Events {
  parts: Component[];
  size: number;
  leftOut: number;
}

/**
 * Splits a calendar file, so that thousands of events are never read at once and one that cannot be read costs nothing but
 * itself. Accepts several calendars in one file, a byte order mark, and lines that end with LF. Looks at each line once and
 * copies nothing: it remembers where the events are.
 */
export function splitCalendar(given: string): SplitCalendar {
  // Of the same length, so that `parts` are where they are in the text.
  const file = given.replace(/^\ufeff/, "\n").replaceAll(/\r(?!\n)/g, "\n");
  const head = new Map<string, string>();
  const zones = new Map<string, Component>();
  const groups = new Map<string, Events>();
  const others = new Map<string, number>();
  let zonesLeftOut = 0;
  let isCut = false;
  for (const found of componentsOf(file, head)) {
    const size = found.end - found.start;
    if (found.end < 0) isCut = true;
    else if (found.name === "VTIMEZONE") {
      if (found.id === null || size > ZONE_CHARACTERS || zones.size >= MAX_ZONES) zonesLeftOut += 1;
      else zones.set(found.id, found);
    } else if (found.name === "VEVENT") {
      // One without a UID is a group of its own, which is then refused with a reason.
      const uid = found.id ?? `without a UID ${groups.size}`;
      const group = groups.get(uid) ?? { parts: [], size: 0, leftOut: 0 };
      groups.set(uid, group);
      if (group.parts.length < EVENTS_OF_GROUP && group.size + size <= GROUP_CHARACTERS) {
        group.parts.push(found);
        group.size += size;
      } else group.leftOut += 1;
    } else {
      const name = others.has(found.name) || others.size < MAX_OTHERS ? found.name : "other";
      others.set(name, (others.get(name) ?? 0) + 1);
    }
  }
  const textOf = ({ start, end }: TextRange) => file.slice(start, end);
  const homeZone = head.get("X-WR-TIMEZONE")?.split(":")[1]?.trim() ?? "";
  return {
    groups: [...groups].map(([uid, { parts, leftOut }]) => ({
      uid,
      parts,
      leftOut,
      text(some = parts) {
        const events = some.map(textOf);
        const named = [homeZone, ...zonesNamed(events.join(""))].flatMap((id) => zones.get(id) ?? []);
        const body = [...named.slice(0, ZONES_OF_GROUP).map(textOf), ...events];
        return ["BEGIN:VCALENDAR\n", ...[...head.values()].map((line) => `${line}\n`), ...body, "END:VCALENDAR\n"].join(
          "",
        );
      },
    })),
    others: Object.fromEntries(others),
    zonesLeftOut,
    isCut,
  };
}

/** The components of all calendars, one after the other; `end` is -1 for one that the file does not end. */
function* componentsOf(file: string, head: Map<string, string>): Generator<Component> {
  let component: Component | null = null;
  let depth = 0;
  let next = 0;
  for (let at = 0; at < file.length; at = next) {
    const lineEnd = file.indexOf("\n", at);
    next = lineEnd < 0 ? file.length : lineEnd + 1;
    const line = file.slice(at, Math.min(next, at + FORM_CHARACTERS)).trimEnd();
    const [, keyword, name = ""] = /^(BEGIN|END):(\S+)$/i.exec(line) ?? [];
    const isBegin = keyword?.toUpperCase() === "BEGIN";
    if (!component) {
      const kept = KEPT_PROPERTIES.exec(line)?.[1]?.toUpperCase();
      if (kept && !head.has(kept)) head.set(kept, line);
      if (!isBegin || name.toUpperCase() === "VCALENDAR") continue;
      component = { name: name.toUpperCase(), start: at, end: -1, id: null };
    }
    if (isBegin) depth += 1;
    else if (keyword) depth -= 1;
    else if (depth === 1) component.id ??= idIn(file, at);
    if (depth > 0) continue;
    component.end = next;
    yield component;
    component = null;
  }
  if (component) yield component;
}

const ID_CHARACTERS = 2000;

/** The value of a UID or TZID in the line that begins there, which may go on in the lines after it. */
function idIn(file: string, at: number): string | null {
  if (!/^(?:UID|TZID)[;:]/i.test(file.slice(at, at + 5))) return null;
  const [first = ""] = unfolded(file.slice(at, at + ID_CHARACTERS)).split("\n", 1);
  return first.slice(first.indexOf(":") + 1).trim() || null;
}

function unfolded(text: string): string {
  return text.replaceAll(/\r?\n[ \t]/g, "");
}

/** The time zones that events name, each once. */
function zonesNamed(events: string): string[] {
  const named = unfolded(events).matchAll(/;TZID=(?:"([^"\n]{0,500})"|([^";:,\n]{0,500}))/gi);
  return [...new Set([...named].map(([, quoted, plain = ""]) => (quoted ?? plain).trim()))];
}
