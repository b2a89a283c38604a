import { type Context, timeZoneOf } from "../../../context.ts";
import type { Page, PageRequest } from "../../../db/page.ts";
import { assertType } from "../../../lib/cast.ts";
import { findTransfer, listTransfers, startImport, toTransfer, userIdOf } from "../../transfers/service.ts";
import type { TransferRow } from "../../transfers/slices.ts";
import type { CalendarImport } from "./schemas.ts";

type Result = CalendarImport["result"];

export const NOTHING_YET: Result = { created: 0, updated: 0, unchanged: 0, skipped: 0, problems: [] };

/** Stores an .ics file, and has its events imported. */
export async function startCalendarImport(ctx: Context, body: ReadableStream<Uint8Array>): Promise<CalendarImport> {
  // Dates and times without a zone are the person's.
  const options = { timeZone: timeZoneOf(ctx) };
  return toCalendarImport(await startImport(ctx, body, { kind: "calendar_import", userId: userIdOf(ctx), options }));
}

function toCalendarImport(row: TransferRow): CalendarImport {
  const { kind: _, ...job } = toTransfer(row);
  const soFar = assertType<{ result: Result } | null>(row.position)?.result;
  return { ...job, result: assertType<Result | null>(row.result) ?? soFar ?? NOTHING_YET };
}

export async function getCalendarImport(ctx: Context, id: string): Promise<CalendarImport> {
  return toCalendarImport(await findTransfer(ctx, "calendar_import", id));
}

export function listCalendarImports(ctx: Context, request: PageRequest): Promise<Page<CalendarImport>> {
  return listTransfers(ctx, "calendar_import", request, toCalendarImport);
}
