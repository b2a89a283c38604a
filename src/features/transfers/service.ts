import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { type Context, signedInUser } from "../../context.ts";
import { assertExists, assertThat, runBatch } from "../../db/assert.ts";
import { listPage, type Page, type PageRequest } from "../../db/page.ts";
import { eraseAll } from "../../db/personal-data.ts";
import { transfers } from "../../db/schema/transfers.ts";
import { missedWrite } from "../../db/version.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import type { TransferKind } from "../../lib/transfer-kinds.ts";
import { newObjectKey } from "../files/objects.ts";
import { abandonFile, deleteFilesSoon, keepFile } from "../files/service.ts";
import { isUnderWay, LEASE_MS, sendSlice, type TransferRow } from "./slices.ts";
import { storeUpload } from "./store-upload.ts";

/** An export can be downloaded, and the result of an import read, for as long. */
const KEPT_DAYS = 7;
/** Of one kind and one person. Each may be a copy of everything. */
const MAX_KEPT = 5;
/** Of imports of emails and events, which are small. */
const MAX_IMPORTS = 200;

interface NewTransfer {
  kind: TransferKind;
  userId: number | null;
  options?: Record<string, unknown>;
  fileKey: string | null;
  fileSize?: number;
  total?: number | null;
  position?: unknown;
  /** Belong to its beginning. */
  statements?: readonly BatchItem<"sqlite">[];
}

/** Records an import or export, and has its first slice run. */
export async function startTransfer(ctx: Context, given: NewTransfer): Promise<TransferRow> {
  const { kind, userId, options = {}, fileKey, fileSize, total = null, position = null, statements = [] } = given;
  const isWork = kind !== "upload";
  const row: TransferRow = {
    id: crypto.randomUUID(),
    kind,
    userId,
    state: "queued",
    slice: 0,
    attempts: 0,
    dueAt: isWork ? new Date(Date.now() + LEASE_MS) : null,
    position,
    options,
    done: 0,
    total,
    result: null,
    error: null,
    fileKey,
    fileSize: fileSize ?? null,
    scratchKeys: [],
    createdAt: ctx.now,
    finishedAt: null,
    expiresAt: new Date(ctx.now.getTime() + KEPT_DAYS * DAY_MS),
  };
  const busy = () => new AppError("conflict", `Another ${kind} is under way. Wait until it is done, or delete it.`);
  const isCopy = kind === "export" || kind === "import" || kind === "upload";
  const room = isCopy ? MAX_KEPT : MAX_IMPORTS;
  const full = () => new AppError("conflict", `You have ${room} of them, the maximum. ${howToDelete(kind)}`);
  const own = sql`kind = ${kind} AND user_id IS ${userId}`;
  // A person chooses which export is not needed. Uploads are not listed, and of imports only the report is left.
  const makesRoom = kind === "upload" || kind === "import";
  await runBatch(ctx.db, [
    ...(kind === "export" || kind === "import" ? [assertThat(ctx.db, "none_under_way", noneWith(own), busy)] : []),
    ...(makesRoom ? [deleteOldest(ctx, own, room)] : []),
    assertThat(ctx.db, "room_for_transfer", roomFor(own, room), full),
    ctx.db.insert(transfers).values(row),
    ...statements,
  ] as [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]]);
  if (makesRoom) deleteFilesSoon(ctx);
  if (isWork) await sendSlice(ctx, { id: row.id, slice: 1 });
  return row;
}

/** Stores a file as it is sent, and has it imported. `check` throws if it cannot be. */
export async function startImport(
  ctx: Context,
  body: ReadableStream<Uint8Array>,
  given: Omit<NewTransfer, "fileKey" | "fileSize">,
  check?: (fileKey: string, fileSize: number) => Promise<void>,
): Promise<TransferRow> {
  const fileKey = newObjectKey(ctx, "uploads");
  const fileSize = await storeUpload(ctx, fileKey, body);
  try {
    if (fileSize === 0) throw validationFailed({ path: "", message: "A file is required as the body" });
    await check?.(fileKey, fileSize);
    const statements = [...keepFile(ctx, fileKey), ...(given.statements ?? [])];
    return await startTransfer(ctx, { ...given, fileKey, fileSize, statements });
  } catch (error) {
    ctx.defer(abandonFile(ctx, fileKey));
    throw error;
  }
}

/** The statement that leaves room for one more, where all that are over may go. */
function deleteOldest({ db }: Context, own: SQL, room: number) {
  const older = sql`SELECT id FROM transfers WHERE ${own} ORDER BY created_at DESC, id DESC LIMIT -1 OFFSET ${room - 1}`;
  return db.delete(transfers).where(and(isNull(transfers.dueAt), sql`${transfers.id} IN (${older})`));
}

const PATHS = {
  export: "/api/settings/data/exports",
  import: "/api/settings/data/import",
  email_import: "/api/emails/import",
  calendar_import: "/api/calendar/import",
  upload: "/api/settings/data/uploads",
} satisfies Record<TransferKind, string>;

function howToDelete(kind: TransferKind): string {
  return `Delete one first, in the console's settings or with DELETE ${PATHS[kind]}/{id}.`;
}

const noneWith = (own: SQL) => sql`NOT EXISTS (SELECT 1 FROM transfers WHERE ${own} AND due_at IS NOT NULL)`;
const roomFor = (own: SQL, room: number) =>
  sql`(SELECT count(*) FROM (SELECT 1 FROM transfers WHERE ${own} LIMIT ${room})) < ${room}`;

/** Exports, and imports of them, are a person's own; imports of emails and events belong to the service, as these do. */
function isVisible(ctx: Context, kind: TransferKind): SQL | undefined {
  const isKind = eq(transfers.kind, kind);
  const isPersonal = kind === "export" || kind === "import" || kind === "upload";
  return isPersonal ? and(isKind, eq(transfers.userId, signedInUser(ctx).id)) : isKind;
}

export async function findTransfer(ctx: Context, kind: TransferKind, id: string): Promise<TransferRow> {
  const [row] = await ctx.db
    .select()
    .from(transfers)
    .where(and(isVisible(ctx, kind), eq(transfers.id, id)));
  if (!row) throw missedWrite(undefined, `${kind.replace("_", " ")} ${id}`);
  return row;
}

export function listTransfers<Item>(
  ctx: Context,
  kind: TransferKind,
  request: PageRequest,
  toItem: (row: TransferRow) => Item,
): Promise<Page<Item>> {
  const list = `transfers ${kind}`;
  const paged = {
    list,
    table: transfers,
    by: ["createdAt", "id"],
    order: "desc",
    where: isVisible(ctx, kind),
  } as const;
  return listPage(ctx, request, paged, toItem);
}

/**
 * Cancels what is under way; a slice that runs stops before its next write, and what an import has written is taken back.
 * What is over is deleted with its file.
 */
export async function removeTransfer(ctx: Context, kind: TransferKind, id: string): Promise<void> {
  const isThis = and(isVisible(ctx, kind), eq(transfers.id, id));
  const [gone] = await ctx.db
    .delete(transfers)
    .where(and(isThis, isNull(transfers.dueAt)))
    .returning();
  if (gone) {
    deleteFilesSoon(ctx);
    return;
  }
  const [row] = await ctx.db
    .update(transfers)
    .set({ state: "cancelled", attempts: 0, dueAt: new Date(Date.now() + LEASE_MS) })
    .where(and(isThis, isUnderWay, sql`state IN ('queued', 'running')`))
    .returning({ id: transfers.id, slice: transfers.slice });
  if (row) await sendSlice(ctx, { id: row.id, slice: row.slice + 1 });
  // Nothing to do for one that is being taken back already; one that does not exist is 404.
  else await findTransfer(ctx, kind, id);
}

/** Changes one member of the position. */
export async function updatePosition(
  ctx: Context,
  { id, kind }: TransferRow,
  path: readonly string[],
  value: unknown,
): Promise<TransferRow> {
  const place = `$.${path.map((name) => JSON.stringify(name)).join(".")}`;
  const [row] = await ctx.db
    .update(transfers)
    .set({ position: sql`json_set(position, ${place}, json(${JSON.stringify(value)}))` })
    .where(eq(transfers.id, id))
    .returning();
  if (!row) throw missedWrite(undefined, `${kind} ${id}`);
  return row;
}

/** The statements that delete an upload and leave its file to another transfer. They fail if another took it. */
export function releaseUpload(ctx: Context, { id, fileKey }: TransferRow): BatchItem<"sqlite">[] {
  const used = () => new AppError("conflict", "The upload is used by another import.");
  const isThis = eq(transfers.id, id);
  return [
    assertExists(ctx.db, transfers, and(isThis, eq(transfers.fileKey, fileKey ?? "")), used),
    ctx.db.update(transfers).set({ fileKey: null }).where(isThis),
    ctx.db.delete(transfers).where(isThis),
  ];
}

/** Whose an import is that needs no account. */
export function userIdOf({ actor }: Context): number | null {
  return "user" in actor ? actor.user.id : null;
}

/** What every import and export shows of itself. */
export function toTransfer(row: TransferRow) {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    progress: { done: row.done, total: row.total },
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** Without its row, an import or export that is under way writes nothing more. */
export const eraseTransfers = (ctx: Context) => eraseAll(ctx.db, transfers);
