import type { Flags, Head } from "../types.ts";
import { dateOf, messageDigest, messageIdOf } from "./digest.ts";
import { bytesOf, type Data, fieldsOf, numberOf, textOf, type Value } from "./responses.ts";

export function isModSeq(text: string | null): text is string {
  return text !== null && /^\d{1,20}$/.test(text);
}

export function addFlags(found: Map<number, Flags>, data: Data, isWanted: (uid: number) => boolean = () => true): void {
  const flags = flagsOf(fieldsOf(data.values()[0]));
  if (flags && isWanted(flags.uid)) found.set(flags.uid, flags);
}

/** Null if it is about something else: servers tell of changes at any time, also without a UID. */
function flagsOf(fields: ReadonlyMap<string, Value>): Flags | null {
  const uid = numberOf(fields.get("UID"));
  const flags = fields.get("FLAGS");
  if (uid === null || !Array.isArray(flags)) return null;
  const names = flags.map((flag) => textOf(flag)?.toLowerCase());
  const modSeq = fields.get("MODSEQ");
  const number = Array.isArray(modSeq) ? textOf(modSeq[0]) : null;
  return {
    uid,
    seen: names.includes("\\seen"),
    flagged: names.includes("\\flagged"),
    deleted: names.includes("\\deleted"),
    modSeq: isModSeq(number) ? number : null,
  };
}

export function headOf(fields: ReadonlyMap<string, Value>): Head | null {
  const flags = flagsOf(fields);
  const size = numberOf(fields.get("RFC822.SIZE"));
  const name = [...fields.keys()].find((key) => key.startsWith("BODY[HEADER.FIELDS"));
  if (!flags || size === null || name === undefined) return null;
  const header = bytesOf(fields.get(name)) ?? new Uint8Array();
  return {
    ...flags,
    size,
    internalDate: internalDateOf(textOf(fields.get("INTERNALDATE"))) ?? dateOf(header) ?? 0,
    messageId: messageIdOf(header),
    digest: messageDigest(header, size),
  };
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** ` 5-Nov-2026 08:30:00 +0100` */
function internalDateOf(text: string | null): number | null {
  const [, day, month = "", year, time, zone] =
    /^ ?(\d{1,2})-([A-Za-z]{3})-(\d{4}) (\d\d:\d\d:\d\d) ([+-]\d{4})$/.exec(text ?? "") ?? [];
  if (day === undefined || !zone) return null;
  const instant = Date.parse(`${day} ${month} ${year} ${time} ${zone}`);
  return Number.isNaN(instant) ? null : instant;
}

export function imapDay(date: Date): string {
  return `${date.getUTCDate()}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()}`;
}

export function imapTime(date: Date): string {
  return date.toISOString().slice(11, 19);
}
