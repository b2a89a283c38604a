import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Condition, Context } from "../../context.ts";
import { assertExists, assertThat, runBatch } from "../../db/assert.ts";
import { mailboxDirty, mailboxes, mailboxFolders } from "../../db/schema/mailboxes.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import type { MailboxProblem, MailServer } from "../../lib/mailbox-kinds.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { serverProblem } from "../../providers/mailbox/server-address.ts";
import type { MailboxAuth } from "../../providers/mailbox/types.ts";
import { audit } from "../audit/service.ts";
import { sendSecurityAlert } from "../notifications/security-alerts.ts";
import { type CheckedServers, checkServers, type Servers } from "./check.ts";
import { rolesOf, storeFolders } from "./folders.ts";
import { PRESETS, presetOf } from "./presets.ts";
import { type MailboxRow, readMailboxes } from "./record.ts";
import type { Mailbox, MailboxChanges, MailboxTest, MailboxTestResult, NewMailbox } from "./schemas.ts";
import { sealPassword } from "./secrets.ts";

const MAX_MAILBOXES = 10;

export function listPresets() {
  return PRESETS.map(({ servers, ...preset }) => ({
    ...preset,
    domains: [...preset.domains],
    canConnect: servers !== null,
    servers,
  }));
}

export async function listMailboxes(ctx: Context): Promise<Mailbox[]> {
  return readMailboxes(ctx);
}

export async function getMailbox(ctx: Context, id: number): Promise<Mailbox> {
  const [mailbox] = await readMailboxes(ctx, eq(mailboxes.id, id));
  if (!mailbox) throw missedWrite(undefined, `mailbox ${id}`);
  return mailbox;
}

/** Logs in with what is given, and saves nothing. */
export async function testMailbox(ctx: Context, input: MailboxTest): Promise<MailboxTestResult> {
  const { imap, smtp } = await check(ctx, serversOf(ctx, input), input);
  return { imap: { ...imap, folders: rolesOf(imap.folders).map(({ name, role }) => ({ name, role })) }, smtp };
}

/** Checks the login and saves the mailbox. If a server cannot be used, it is saved as unverified, and tried again. */
export async function createMailbox(ctx: Context, input: NewMailbox): Promise<Mailbox> {
  const { address, password, label = address, name, historyDays, username = address } = input;
  const servers = serversOf(ctx, input);
  await runBatch(ctx.db, mayAdd(ctx, { address, label }));
  const checked = await check(ctx, servers, input);
  refuseRefused(servers, checked);
  const [next] = await ctx.db.all<{ id: number }>(sql`SELECT ${NEXT_ID} AS id`);
  const id = next?.id ?? 1;
  const isNext = () =>
    new AppError("unavailable", "Another mailbox was connected at the same moment. Try again.", { retryAfter: 1 });
  await runBatch(ctx.db, [
    ...mayAdd(ctx, { address, label }),
    assertThat(ctx.db, "mailbox_id_is_free", sql`${NEXT_ID} = ${id}`, isNext),
    audit(ctx, "mailbox.connected", { userId: userIdOf(ctx), details: { address, host: servers.imap.host } }),
    ctx.db.insert(mailboxes).values({
      ...{ id, label, address, name, username, historyDays, ...servers },
      secret: await sealPassword(ctx, id, password),
      ...loginState(ctx, checked),
      version: 1,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    }),
    ...storeFolders(ctx, id, checked.imap.folders),
  ]);
  const explanation = `Its emails are read by this service, and your answers to them leave through ${servers.smtp.host}.`;
  tell(ctx, `The mailbox ${address} was connected`, explanation);
  return getMailbox(ctx, id);
}

/** The secret is bound to the id, so the id is known before the row is. */
const NEXT_ID = sql`(SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = 'mailboxes')`;

/** Whether a request, not validated yet, changes nothing about where the mailbox is and how to log in. */
export async function keepsConnection(
  ctx: Context,
  { password, username, imap, smtp }: Readonly<Record<string, unknown>>,
  id = "",
): Promise<boolean | Condition> {
  if (password !== undefined) return false;
  if (username === undefined && imap === undefined && smtp === undefined) return true;
  const [row] = /^\d{1,15}$/.test(id) ? await selectMailbox(ctx, Number(id)) : [];
  const isSame = { sql: "(SELECT version FROM mailboxes WHERE id = ?) IS ?", values: [id, row?.version ?? null] };
  // A missing mailbox changes nothing. Another connection without its password is refused as such.
  return isSame;
}

/** A changed user name, server or port needs the mailbox's password again, so that it cannot be sent elsewhere. */
export async function updateMailbox(
  ctx: Context,
  id: number,
  changes: MailboxChanges,
  expected: ExpectedVersions,
): Promise<Mailbox> {
  const { password, label, name, paused, historyDays } = changes;
  const names = Object.entries(changes).flatMap(([key, value]) => (value === undefined ? [] : [key]));
  if (names.length === 0) throw new AppError("nothing_to_update");
  const [before] = await selectMailbox(ctx, id);
  const wrong = before && expected && !expected.includes(before.version);
  if (!before || wrong) throw missedWrite(before, `mailbox ${id}`);
  const { username = before.username } = changes;
  const servers = {
    imap: serverOf(ctx, "imap", changes.imap) ?? before.imap,
    smtp: serverOf(ctx, "smtp", changes.smtp) ?? before.smtp,
  };
  const isElsewhere = !sameServer(servers.imap, before.imap) || !sameServer(servers.smtp, before.smtp);
  if (password === undefined && (isElsewhere || username !== before.username)) {
    const message = "is required with another user name, server or port";
    throw validationFailed({ path: "password", message });
  }
  const checked =
    password === undefined ? null : await check(ctx, servers, { address: before.address, username, password });
  if (checked) refuseRefused(servers, checked);
  const isOtherMailbox = servers.imap.host !== before.imap.host || username !== before.username;
  const isPaused = paused ?? before.paused;
  const next = isPaused ? { nextTryAt: null } : paused === false ? { nextTryAt: resumed(ctx, before) } : {};
  const isThis = and(eq(mailboxes.id, id), versionIs(mailboxes.version, expected));
  const missed = async () => missedWrite((await selectMailbox(ctx, id))[0], `mailbox ${id}`);
  const isUnchanged = eq(mailboxes.connectionChangedAt, before.connectionChangedAt);
  const moved = () => new AppError("version_conflict", `The connection of mailbox ${id} has changed. Read it again.`);
  await runBatch(ctx.db, [
    assertExists(ctx.db, mailboxes, isThis, missed),
    ...(label === undefined ? [] : [labelIsFree(ctx, label, id)]),
    ...(checked ? [assertThat(ctx.db, "connection_is_same", existing(and(isThis, isUnchanged)), moved)] : []),
    audit(ctx, "mailbox.changed", { userId: userIdOf(ctx), details: { id, fields: names.join(" ") } }),
    ...(isOtherMailbox
      ? [
          // What was agreed on was agreed with another mailbox.
          ctx.db.delete(mailboxFolders).where(eq(mailboxFolders.mailboxId, id)),
          ctx.db.delete(mailboxDirty).where(eq(mailboxDirty.mailboxId, id)),
        ]
      : []),
    ...(historyDays !== undefined && historyDays > before.historyDays ? [walkAgain(ctx, id, historyDays)] : []),
    ctx.db
      .update(mailboxes)
      .set({
        ...{ label, name, paused, historyDays },
        ...(checked && {
          ...servers,
          username,
          secret: await sealPassword(ctx, id, password ?? ""),
          ...loginState(ctx, checked, before),
        }),
        ...next,
        version: sql`${mailboxes.version} + 1`,
        updatedAt: ctx.now,
      })
      .where(isThis),
    ...(checked ? storeFolders(ctx, id, checked.imap.folders) : []),
  ]);
  if (isElsewhere || username !== before.username) {
    const explanation = `It is now read at ${servers.imap.host}, and your answers leave through ${servers.smtp.host}.`;
    tell(ctx, `The servers of the mailbox ${before.address} were changed`, explanation);
  }
  return getMailbox(ctx, id);
}

/** Forgets the mailbox and its password. What was read stays, and nothing changes there. */
export async function deleteMailbox(ctx: Context, id: number, expected: ExpectedVersions): Promise<void> {
  const isThis = and(eq(mailboxes.id, id), versionIs(mailboxes.version, expected));
  const missed = async () => missedWrite((await selectMailbox(ctx, id))[0], `mailbox ${id}`);
  await runBatch(ctx.db, [
    assertExists(ctx.db, mailboxes, isThis, missed),
    audit(ctx, "mailbox.removed", { userId: userIdOf(ctx), details: { id } }),
    ctx.db.delete(mailboxes).where(isThis),
  ]);
}

function selectMailbox({ db }: Context, id: number) {
  return db.select().from(mailboxes).where(eq(mailboxes.id, id));
}

/** The servers that are given, or those of the address's provider. */
function serversOf(ctx: Context, { address, imap, smtp }: Pick<MailboxTest, "address" | "imap" | "smtp">): Servers {
  const preset = presetOf(address);
  const given = { imap: serverOf(ctx, "imap", imap), smtp: serverOf(ctx, "smtp", smtp) };
  if (preset && !preset.servers && !(given.imap && given.smtp)) {
    throw validationFailed({ path: "address", message: `${preset.name}: ${preset.advice}` });
  }
  const known = preset?.servers;
  const needed = (["imap", "smtp"] as const).filter((name) => !(given[name] ?? known?.[name]));
  if (needed.length > 0) {
    const message = "is required, because the provider of this address is not known";
    throw validationFailed(...needed.map((path) => ({ path, message })));
  }
  return assertType<Servers>({ imap: given.imap ?? known?.imap, smtp: given.smtp ?? known?.smtp });
}

const STARTTLS_PORTS = [143, 587];
const PORTS = { imap: [993, 143], smtp: [465, 587] };

function serverOf(ctx: Context, kind: keyof Servers, given: MailboxTest["imap"]): MailServer | undefined {
  if (!given) return undefined;
  const { host, port, tls = STARTTLS_PORTS.includes(port) ? "starttls" : "implicit" } = given;
  const server = { host, port, tls };
  const allowPrivateHosts = ctx.config.ALLOW_PRIVATE_HOSTS;
  const [usual, other] = PORTS[kind];
  if (!allowPrivateHosts && !PORTS[kind].includes(port)) {
    throw validationFailed({ path: `${kind}.port`, message: `must be ${usual} or ${other}` });
  }
  const problem = serverProblem(server, { allowPrivateHosts });
  if (problem) throw validationFailed({ path: `${kind}.host`, message: problem });
  return server;
}

function sameServer(one: MailServer, other: MailServer): boolean {
  return one.host === other.host && one.port === other.port && one.tls === other.tls;
}

function check(
  ctx: Context,
  servers: Servers,
  { address, username = address, password }: Pick<MailboxTest, "address" | "username" | "password">,
): Promise<CheckedServers> {
  const auth: MailboxAuth = { kind: "password", username, password };
  return checkServers(ctx, servers, auth);
}

/** A password that is refused is not saved: trying it again could lock the mailbox. */
function refuseRefused({ imap, smtp }: Servers, checked: CheckedServers): void {
  const refused = checked.imap.code === "mailbox_auth_failed" ? imap : smtp;
  const { code, reason } = refused === imap ? checked.imap : checked.smtp;
  if (code !== "mailbox_auth_failed") return;
  const detail = `${refused.host} refused the user name or the password, and nothing was saved. It said: ${reason}`;
  const message = `was refused by ${refused.host}`;
  throw new AppError("mailbox_auth_failed", detail, { errors: [{ path: "password", message }], quotes: "outside" });
}

/** What a login says about the mailbox. It is read next at once. */
function loginState(ctx: Context, { imap, smtp }: CheckedServers, before?: MailboxRow) {
  const isWell = imap.ok && smtp.ok;
  return {
    status: isWell ? ("connected" as const) : ("unverified" as const),
    problem: problemOf(imap, smtp),
    connectionChangedAt: ctx.now,
    connectedAt: before?.connectedAt ?? (imap.ok ? ctx.now : null),
    failures: 0,
    nextTryAt: ctx.now,
    outageToldAt: null,
  };
}

function problemOf(imap: CheckedServers["imap"], smtp: CheckedServers["smtp"]): MailboxProblem | null {
  if (imap.ok && smtp.ok) return null;
  const [what, { code, reason }] = imap.ok ? ["Sending", smtp] : ["Receiving", imap];
  return { code: code ?? "mailbox_unreachable", detail: `${what}: ${reason}` };
}

/** After a pause; a refused password and a stop are not tried again by that alone. */
function resumed(ctx: Context, { status }: MailboxRow): Date | null {
  return status === "auth_failed" || status === "stopped" ? null : ctx.now;
}

/** The older messages that were not asked for before are found by a walk from the beginning; what is known stays. */
function walkAgain({ db, now }: Context, id: number, historyDays: number) {
  const walkSince = new Date(now.getTime() - historyDays * DAY_MS);
  const { mailboxId, uidValidity, role } = mailboxFolders;
  // What was in the trash is never read as history.
  const isRead = and(eq(mailboxId, id), isNotNull(uidValidity), inArray(role, ["inbox", "sent", "archive"]));
  return db.update(mailboxFolders).set({ walkSince, walkDone: 0, walkWaiting: 0 }).where(isRead);
}

function mayAdd(ctx: Context, { address, label }: { address: string; label: string }) {
  const conflict = (detail: string) => () => new AppError("conflict", detail);
  const hasRoom = sql`(SELECT count(*) FROM mailboxes) < ${MAX_MAILBOXES}`;
  const isNew = sql`NOT ${existing(eq(mailboxes.address, address))}`;
  return [
    assertThat(
      ctx.db,
      "mailboxes_have_room",
      hasRoom,
      conflict(`There are ${MAX_MAILBOXES} mailboxes. Remove one first.`),
    ),
    assertThat(ctx.db, "mailbox_is_new", isNew, conflict(`The mailbox ${address} is connected already.`)),
    labelIsFree(ctx, label, 0),
  ] as const;
}

function labelIsFree(ctx: Context, label: string, except: number) {
  const isOther = sql`lower(label) = ${label.toLowerCase()} AND id <> ${except}`;
  const taken = () => validationFailed({ path: "label", message: "is the label of another mailbox" });
  return assertThat(ctx.db, "mailbox_label_is_free", sql`NOT ${existing(isOther)}`, taken);
}

const existing = (where: SQL | undefined) => sql`EXISTS (SELECT 1 FROM mailboxes WHERE ${where})`;

function userIdOf({ actor }: Context): number | null {
  return "user" in actor ? actor.user.id : null;
}

function tell(ctx: Context, event: string, explanation: string): void {
  if ("user" in ctx.actor) sendSecurityAlert(ctx, ctx.actor.user, event, explanation);
}
