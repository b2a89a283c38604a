import * as z from "zod";
import { startOfDate, toInstant } from "../../lib/time-zone.ts";

/** A date, or a time with an offset or in the person's time zone. */
export const Moment = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);

export function instantOf(text: string, zone: string): Date {
  if (text.length === 10) return new Date(startOfDate(zone, text));
  const isLocal = !/(Z|[+-]\d\d:?\d\d)$/i.test(text);
  return new Date(isLocal ? toInstant(zone, Date.parse(`${text}Z`)) : Date.parse(text));
}
