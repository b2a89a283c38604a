import { type Context, signedInOwner, signedInUser } from "../../../context.ts";
import type { Page, PageRequest } from "../../../db/page.ts";
import { assertType } from "../../../lib/cast.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { ArchiveError } from "../../../lib/zip/format.ts";
import { audit } from "../../audit/service.ts";
import { newObjectKey, readObject } from "../../files/objects.ts";
import {
  findTransfer,
  listTransfers,
  removeTransfer,
  startImport,
  startTransfer,
  toTransfer,
} from "../../transfers/service.ts";
import type { TransferRow } from "../../transfers/slices.ts";
import { assertEmpty, obstacle } from "./empty-service.ts";
import { ArchiveReader } from "./reader.ts";
import type { ExportJob, ImportJob } from "./schemas.ts";
import { completeUpload } from "./uploads.ts";

export async function startExport(ctx: Context): Promise<ExportJob> {
  const { id: userId } = signedInUser(ctx);
  const row = await startTransfer(ctx, {
    kind: "export",
    userId,
    fileKey: newObjectKey(ctx, "exports"),
    statements: [audit(ctx, "data.exported", { userId })],
  });
  return toExport(ctx, row);
}

function toExport(ctx: Context, row: TransferRow): ExportJob {
  const { kind: _, ...job } = toTransfer(row);
  const isThere = row.state === "succeeded";
  return {
    ...job,
    size: isThere ? row.fileSize : null,
    downloadUrl: isThere ? `${ctx.baseUrl}/api/settings/data/exports/${row.id}/download` : null,
    result: assertType<ExportJob["result"]>(row.result),
  };
}

export async function getExport(ctx: Context, id: string): Promise<ExportJob> {
  return toExport(ctx, await findTransfer(ctx, "export", id));
}

export function listExports(ctx: Context, request: PageRequest): Promise<Page<ExportJob>> {
  return listTransfers(ctx, "export", request, (row) => toExport(ctx, row));
}

/** Deletes an export with its archive; one that is still running is cancelled. */
export async function deleteExport(ctx: Context, id: string): Promise<void> {
  await removeTransfer(ctx, "export", id);
  await audit(ctx, "data.export_deleted", { userId: signedInUser(ctx).id });
}

/** The archive of an export that is complete, for a download. */
export async function findArchive(ctx: Context, id: string) {
  const { state, fileKey, fileSize, createdAt } = await findTransfer(ctx, "export", id);
  if (state !== "succeeded" || !fileKey) {
    throw new AppError("conflict", `The export is not complete: its state is ${state}.`);
  }
  const name = `poa-export-${createdAt.toISOString().slice(0, 10)}.zip`;
  const size = fileSize ?? 0;
  return {
    name,
    size,
    async read(range: { offset: number; length: number } | undefined) {
      const object = await readObject(ctx, fileKey, range);
      if (!object) throw new AppError("not_found", "The archive has been deleted. Start another export.");
      return object.body;
    },
  };
}

/** Begins to import an archive that is sent as the body. */
export async function importArchive(ctx: Context, body: ReadableStream<Uint8Array>): Promise<ImportJob> {
  const { id: userId } = signedInOwner(ctx);
  await requireEmpty(ctx);
  const given = { kind: "import", userId, statements: [assertEmpty(ctx)] } as const;
  return toImport(await startImport(ctx, body, given, (key, size) => checkArchive(ctx, key, size)));
}

/** Begins to import an archive that was uploaded in parts. */
export async function importUpload(ctx: Context, uploadId: string): Promise<ImportJob> {
  const { id: userId } = signedInOwner(ctx);
  await requireEmpty(ctx);
  const { fileKey, fileSize, take } = await completeUpload(ctx, uploadId);
  await checkArchive(ctx, fileKey, fileSize);
  const statements = [...take, assertEmpty(ctx)];
  return toImport(await startTransfer(ctx, { kind: "import", userId, fileKey, fileSize, statements }));
}

/** Before a large file is sent. */
async function requireEmpty(ctx: Context): Promise<void> {
  const problem = await obstacle(ctx);
  if (problem) throw problem;
}

/** Checks at once that the file is an archive of this service, and whose it is. */
async function checkArchive(ctx: Context, key: string, size: number): Promise<void> {
  try {
    const { manifest } = await ArchiveReader.open(ctx, key, size);
    if (manifest.account.role !== "owner") {
      throw new ArchiveError("The archive is that of a member, and has only their settings. Import the owner's.");
    }
  } catch (error) {
    throw error instanceof ArchiveError ? validationFailed({ path: "", message: error.message }) : error;
  }
}

function toImport(row: TransferRow): ImportJob {
  const { kind: _, ...job } = toTransfer(row);
  return { ...job, result: assertType<ImportJob["result"]>(row.result) };
}

export async function getImport(ctx: Context, id: string): Promise<ImportJob> {
  return toImport(await findTransfer(ctx, "import", id));
}

export function listImports(ctx: Context, request: PageRequest): Promise<Page<ImportJob>> {
  return listTransfers(ctx, "import", request, toImport);
}
