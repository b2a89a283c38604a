import { and, asc, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import { anyOf, selectColumns } from "../../db/bulk.ts";
import { mailboxes, mailboxFolders } from "../../db/schema/mailboxes.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import type { FolderRole } from "../../lib/mailbox-kinds.ts";
import type { Folder } from "../../providers/mailbox/types.ts";
import { audit } from "../audit/service.ts";
import type { MailboxFolderChanges, MailboxFolderList } from "./schemas.ts";

/** Beyond these, folders are not offered as places. */
const MAX_FOLDERS = 200;

const ZERO = sql`0`;

interface FoundFolder {
  path: string;
  name: string;
  role: FolderRole | null;
}

/**
 * The folders of a mailbox with what they are used as: the first of each role, and for the archive the folder of all
 * messages where there is no other, as at Gmail.
 */
export function rolesOf(folders: readonly Folder[]): FoundFolder[] {
  const usable = folders.filter(({ selectable }) => selectable);
  const first = (role: Folder["role"]) => usable.find((folder) => folder.role === role);
  const roles = new Map<Folder | undefined, FolderRole>([
    [first("trash"), "trash"],
    [first("archive") ?? first("all"), "archive"],
    [first("sent"), "sent"],
    [first("inbox"), "inbox"],
  ]);
  const found = usable.map((folder) => ({
    path: folder.raw,
    name: folder.path,
    role: roles.get(folder) ?? null,
  }));
  // Those with a role first, so that none of them is beyond the limit.
  return [...found.filter(({ role }) => role), ...found.filter(({ role }) => !role)].slice(0, MAX_FOLDERS);
}

/**
 * The statements that store which folders a mailbox has: new ones are added, known ones keep how far they were read. A
 * role that a person gave stays, and no other folder gets it. Folders that went stay until the mailbox is forgotten.
 */
export function storeFolders({ db }: Pick<Context, "db">, mailboxId: number, folders: readonly Folder[]) {
  const rows = JSON.stringify(rolesOf(folders));
  const found = sql`(SELECT value ->> 'path' AS path, value ->> 'name' AS name, value ->> 'role' AS role
    FROM json_each(${rows}))`;
  const isOfMailbox = eq(mailboxFolders.mailboxId, mailboxId);
  const chosen = sql`(SELECT role FROM mailbox_folders WHERE mailbox_id = ${mailboxId} AND role_is_chosen = 1
    AND role IS NOT NULL)`;
  const roleOf = sql`(SELECT role FROM ${found} AS found WHERE found.path = mailbox_folders.path AND role NOT IN ${chosen})`;
  return [
    db
      .update(mailboxFolders)
      .set({ role: roleOf })
      .where(and(isOfMailbox, eq(mailboxFolders.roleIsChosen, false), sql`role IS NOT ${roleOf}`)),
    db.insert(mailboxFolders).select(
      sql`${selectColumns(mailboxFolders, {
        mailboxId: sql`${mailboxId}`,
        path: sql`path`,
        name: sql`name`,
        role: sql`iif(role IN ${chosen}, NULL, role)`,
        ...{ roleIsChosen: ZERO, walkDone: ZERO, walkWaiting: ZERO },
      })} FROM ${found} WHERE path NOT IN (SELECT path FROM mailbox_folders WHERE mailbox_id = ${mailboxId})
        AND EXISTS (SELECT 1 FROM mailboxes WHERE id = ${mailboxId})`,
    ),
  ] as const;
}

const { id, name, role, roleIsChosen } = mailboxFolders;

function selectFolders({ db }: Pick<Context, "db">, mailboxId: number) {
  return db
    .select({ id, name, role, roleIsChosen })
    .from(mailboxFolders)
    .where(eq(mailboxFolders.mailboxId, mailboxId))
    .orderBy(asc(name), asc(id));
}

export async function listFolders(ctx: Context, mailboxId: number): Promise<MailboxFolderList> {
  const [[mailbox], data] = await ctx.db.batch([
    ctx.db.select({ id: mailboxes.id }).from(mailboxes).where(eq(mailboxes.id, mailboxId)),
    selectFolders(ctx, mailboxId),
  ]);
  if (!mailbox) throw new AppError("not_found", `There is no mailbox ${mailboxId}.`);
  return { data };
}

/** Roles by hand. One that is given to a folder leaves the folder that had it. */
export async function changeFolders(
  ctx: Context,
  mailboxId: number,
  { folders }: MailboxFolderChanges,
): Promise<MailboxFolderList> {
  const given = folders.flatMap(({ role }) => role ?? []);
  if (new Set(given).size < given.length) {
    throw validationFailed({ path: "folders", message: "must give each role to one folder" });
  }
  const ids = folders.map((folder) => folder.id);
  if (new Set(ids).size < ids.length)
    throw validationFailed({ path: "folders", message: "must name each folder once" });
  await listFolders(ctx, mailboxId);
  const isOfMailbox = eq(mailboxFolders.mailboxId, mailboxId);
  const known = sql`(SELECT count(*) FROM mailbox_folders WHERE mailbox_id = ${mailboxId} AND id IN ${anyOf(ids)})`;
  const unknown = () => validationFailed({ path: "folders", message: "must name folders of this mailbox" });
  const values = JSON.stringify(folders);
  const chosenRole = sql`(SELECT value ->> 'role' FROM json_each(${values}) WHERE value ->> 'id' = mailbox_folders.id)`;
  const user = "user" in ctx.actor ? ctx.actor.user : null;
  const results = await runBatch(ctx.db, [
    assertThat(ctx.db, "folders_are_known", sql`${known} = ${ids.length}`, unknown),
    audit(ctx, "mailbox.changed", { userId: user?.id ?? null, details: { id: mailboxId, fields: "folders" } }),
    ctx.db
      .update(mailboxFolders)
      .set({ role: null, roleIsChosen: true })
      .where(and(isOfMailbox, sql`role IN ${anyOf(given)} AND id NOT IN ${anyOf(ids)}`)),
    ctx.db
      .update(mailboxFolders)
      .set({ role: chosenRole, roleIsChosen: true })
      .where(and(isOfMailbox, sql`id IN ${anyOf(ids)}`)),
    selectFolders(ctx, mailboxId),
  ] as const);
  return { data: results[4] };
}
