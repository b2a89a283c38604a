import { type Context, timeZoneOf } from "../../../context.ts";
import type { Page, PageRequest } from "../../../db/page.ts";
import { assertType } from "../../../lib/cast.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { newObjectKey } from "../../files/objects.ts";
import { abandonFile, keepFile } from "../../files/service.ts";
import { findTransfer, listTransfers, startTransfer, toTransfer, userIdOf } from "../../transfers/service.ts";
import type { TransferRow } from "../../transfers/slices.ts";
import { storeUpload } from "../../transfers/store-upload.ts";
import type { CalendarImport } from "./schemas.ts";

type Result = CalendarImport["result"];

export const NOTHING_YET: Result = { created: 0, updated: 0, unchanged: 0, skipped: 0, problems: [] };

/** Stores an .ics file, and has its events imported. */
export async function startCalendarImport(ctx: Context, body: ReadableStream<Uint8Array>): Promise<CalendarImport> {
  const fileKey = newObjectKey(ctx, "uploads");
  const fileSize = await storeUpload(ctx, fileKey, body);
  try {
    if (fileSize === 0) throw validationFailed({ path: "", message: "A file is required as the body" });
    const row = await startTransfer(ctx, {
      kind: "calendar_import",
      userId: userIdOf(ctx),
      fileKey,
      fileSize,
      // Dates and times without a zone are the person's.
      options: { timeZone: timeZoneOf(ctx) },
      statements: keepFile(ctx, fileKey),
    });
    return toCalendarImport(row);
  } catch (error) {
    ctx.defer(abandonFile(ctx, fileKey));
    throw error;
  }
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
