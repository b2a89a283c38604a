import type { Context } from "../../../context.ts";
import type { Page, PageRequest } from "../../../db/page.ts";
import { assertType } from "../../../lib/cast.ts";
import { findTransfer, listTransfers, startImport, toTransfer, userIdOf } from "../../transfers/service.ts";
import type { TransferRow } from "../../transfers/slices.ts";
import type { EmailImport, EmailImportOptions } from "./schemas.ts";

type Result = EmailImport["result"];

export const NOTHING_YET: Result = {
  created: 0,
  boxes: { inbox: 0, archived: 0, spam: 0, trash: 0 },
  duplicates: 0,
  skipped: 0,
  problems: [],
};

/** Stores an .eml or .mbox file, and has its emails imported. */
export async function startEmailImport(
  ctx: Context,
  options: EmailImportOptions,
  body: ReadableStream<Uint8Array>,
): Promise<EmailImport> {
  return toEmailImport(await startImport(ctx, body, { kind: "email_import", userId: userIdOf(ctx), options }));
}

function toEmailImport(row: TransferRow): EmailImport {
  const { kind: _, ...job } = toTransfer(row);
  const soFar = assertType<{ result: Result } | null>(row.position)?.result;
  const { name = null } = assertType<EmailImportOptions>(row.options);
  return { ...job, name, result: assertType<Result | null>(row.result) ?? soFar ?? NOTHING_YET };
}

export async function getEmailImport(ctx: Context, id: string): Promise<EmailImport> {
  return toEmailImport(await findTransfer(ctx, "email_import", id));
}

export function listEmailImports(ctx: Context, request: PageRequest): Promise<Page<EmailImport>> {
  return listTransfers(ctx, "email_import", request, toEmailImport);
}
