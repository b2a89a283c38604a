import type { Connection } from "../connection.ts";
import { wireMessage, wireSize } from "../line-breaks.ts";
import { secretsOf } from "../reason.ts";
import { openConnection } from "../socket.ts";
import {
  type BodyPart,
  type ConnectionOptions,
  type Flags,
  type Folder,
  type Head,
  type ImapSession,
  type MailboxAuth,
  MailboxError,
  type MailboxStep,
  type Selected,
  type ServerAddress,
} from "../types.ts";
import { bodyPartOf } from "./body-structure.ts";
import { Commands, Literal, type Piece, quoted, quotedFolder } from "./commands.ts";
import { DIGEST_FIELDS } from "./digest.ts";
import { encodeFolderName, foldersOf } from "./folder-names.ts";
import { latin1, Oversized, ResponseProblem } from "./framer.ts";
import { logIn } from "./login.ts";
import { addFlags, headOf, imapDay, imapTime, isModSeq } from "./messages.ts";
import { bytesOf, type Data, fieldsOf, numberOf, type Status, textOf, type Value } from "./responses.ts";
import { expandSet, uidSets } from "./uid-sets.ts";

/** A piece of a part: large enough for few round trips, small enough for little memory. */
const PIECE_BYTES = 256 * 1024;
/** Whose headers are in memory together. */
const HEADS = 500;
const GOODBYE_MS = 3000;

export async function openImap(
  server: ServerAddress,
  auth: MailboxAuth,
  options: ConnectionOptions,
): Promise<ImapSession> {
  return startImap(await openConnection(server, options), server, auth);
}

/** Over a connection that is there, which it closes when the login fails. */
export async function startImap(
  connection: Connection,
  server: ServerAddress,
  auth: MailboxAuth,
): Promise<ImapSession> {
  const commands = new Commands(connection, secretsOf(auth));
  try {
    return new Session(commands, await logIn(commands, server, auth));
  } catch (error) {
    connection.close();
    throw error;
  }
}

class Session implements ImapSession {
  private hasModSeqs = false;
  private uidNext = 2 ** 32 - 1;

  readonly capabilities: ReadonlySet<string>;
  private readonly commands: Commands;

  constructor(commands: Commands, capabilities: ReadonlySet<string>) {
    this.commands = commands;
    this.capabilities = capabilities;
  }

  async folders(): Promise<Folder[]> {
    const isExtended = this.has("LIST-EXTENDED") && this.has("SPECIAL-USE");
    return foldersOf(await this.list(isExtended ? '"" "*" RETURN (SPECIAL-USE)' : '"" "*"'));
  }

  async select(raw: string, known?: { uidValidity: number; modSeq: string | null }): Promise<Selected> {
    const since = known && this.has("QRESYNC") && isModSeq(known.modSeq) ? known : null;
    const option = since
      ? ` (QRESYNC (${since.uidValidity} ${since.modSeq}))`
      : this.has("CONDSTORE")
        ? " (CONDSTORE)"
        : "";
    const codes = new Map<string, string>();
    const changed = new Map<number, Flags>();
    let exists = 0;
    let vanished: string[] = [];
    const ended = await this.commands.must("select", ["SELECT ", quotedFolder(raw), option], (response) => {
      if (response.type === "status") {
        // What comes before it is about the folder that was selected until now.
        if (response.code === "CLOSED") {
          codes.clear();
          changed.clear();
          vanished = [];
        } else if (response.code) codes.set(response.code, response.argument);
      } else if (response.kind === "EXISTS") exists = response.number ?? 0;
      else if (response.kind === "VANISHED") vanished.push(textOf(response.values()[1]) ?? "");
      else if (response.kind === "FETCH") addFlags(changed, response);
    });
    const uidValidity = Number(codes.get("UIDVALIDITY"));
    if (!Number.isInteger(uidValidity) || uidValidity < 1) throw this.commands.broken("it names no UIDVALIDITY");
    const modSeq = codes.get("HIGHESTMODSEQ") ?? null;
    this.hasModSeqs = isModSeq(modSeq);
    const uidNext = Number(codes.get("UIDNEXT") ?? 0) || (exists === 0 ? 1 : (await this.lastUid()) + 1);
    this.uidNext = uidNext;
    const isTold = since !== null && since.uidValidity === uidValidity && this.hasModSeqs;
    return {
      uidValidity,
      uidNext,
      exists,
      modSeq: this.hasModSeqs ? modSeq : null,
      readOnly: ended.code === "READ-ONLY",
      vanished: isTold ? this.expanded(vanished) : null,
      changed: isTold ? byUid([...changed.values()]) : null,
    };
  }

  uids(from: number, to?: number): Promise<number[]> {
    if (to !== undefined && from > to) return Promise.resolve([]);
    return this.search([`UID ${from}:${to ?? "*"}`], (uid) => uid >= from && (to === undefined || uid <= to));
  }

  uidsSince(day: Date): Promise<number[]> {
    // The server compares days of its own time zone, so it is asked for one more.
    return this.search([`SINCE ${imapDay(new Date(day.getTime() - 86_400_000))}`]);
  }

  async findByMessageId(id: string): Promise<number[]> {
    if (/[\0\r\n]/.test(id) || id === "") return [];
    const charset = /[^\x20-\x7e]/.test(id) ? "CHARSET UTF-8 " : "";
    return this.search([charset, "HEADER MESSAGE-ID ", quoted(id)]);
  }

  async flags(which: number[] | { from: number; to?: number; changedSince?: string }): Promise<Flags[]> {
    const found = new Map<number, Flags>();
    const items = `(UID FLAGS${this.hasModSeqs ? " MODSEQ" : ""})`;
    if (Array.isArray(which)) {
      const wanted = new Set(which);
      for (const set of uidSets(which)) {
        await this.fetch("flags", `${set} ${items}`, (data) => addFlags(found, data, (uid) => wanted.has(uid)));
      }
    } else {
      const { from, to, changedSince } = which;
      if (to !== undefined && from > to) return [];
      if (changedSince !== undefined && !isModSeq(changedSince)) throw new RangeError("not a modification sequence");
      const since = changedSince !== undefined && this.hasModSeqs ? ` (CHANGEDSINCE ${changedSince})` : "";
      const isWanted = (uid: number) => uid >= from && (to === undefined || uid <= to);
      await this.fetch("flags", `${from}:${to ?? "*"} ${items}${since}`, (data) => addFlags(found, data, isWanted));
    }
    return byUid([...found.values()]);
  }

  async heads(uids: number[]): Promise<Head[]> {
    const heads: Head[] = [];
    const wanted = [...new Set(uids)];
    const header = `BODY.PEEK[HEADER.FIELDS (${DIGEST_FIELDS.join(" ").toUpperCase()})]`;
    const items = `(UID FLAGS${this.hasModSeqs ? " MODSEQ" : ""} INTERNALDATE RFC822.SIZE ${header})`;
    for (let at = 0; at < wanted.length; at += HEADS) {
      const some = wanted.slice(at, at + HEADS);
      // Servers may tell of one message in several responses.
      const found = new Map(some.map((uid) => [uid, new Map<string, Value>()]));
      for (const set of uidSets(some)) {
        await this.fetch("fetch", `${set} ${items}`, (data) => {
          const fields = fieldsOf(data.values()[0]);
          const known = found.get(numberOf(fields.get("UID")) ?? 0);
          for (const [name, value] of fields) known?.set(name, value);
        });
      }
      for (const fields of found.values()) {
        const head = headOf(fields);
        if (head) heads.push(head);
      }
    }
    return byUid(heads);
  }

  async whole(uid: number, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const piece = await this.piece(uid, "", 0, limit + 1);
    if (piece && piece.length > limit) throw new RangeError(`message ${uid} is larger than ${limit} bytes`);
    return piece;
  }

  async structure(uid: number): Promise<BodyPart | null> {
    let found: BodyPart | null = null;
    await this.fetch("fetch", `${uidSets([uid])[0]} (UID BODYSTRUCTURE)`, (data) => {
      const fields = fieldsOf(data.values()[0]);
      if (numberOf(fields.get("UID")) === uid && fields.has("BODYSTRUCTURE")) {
        found = bodyPartOf(fields.get("BODYSTRUCTURE"));
      }
    });
    return found;
  }

  async *part(uid: number, section: string): AsyncIterable<Uint8Array<ArrayBuffer>> {
    if (!/^[\w.]{0,200}$/.test(section)) throw new RangeError("not a section of a message");
    for (let at = 0; ; at += PIECE_BYTES) {
      const piece = await this.piece(uid, section, at, PIECE_BYTES);
      if (piece === null) throw new MailboxError("mailbox_broken", "fetch", "The message is gone.", true);
      if (piece.length > 0) yield piece;
      if (piece.length < PIECE_BYTES) return;
    }
  }

  async setFlags(uids: number[], change: { seen?: boolean; flagged?: boolean }): Promise<void> {
    const flags = { "\\Seen": change.seen, "\\Flagged": change.flagged };
    for (const [sign, isSet] of [["+", true] as const, ["-", false] as const]) {
      const named = Object.entries(flags).flatMap(([name, value]) => (value === isSet ? [name] : []));
      if (named.length === 0) continue;
      for (const set of uidSets(uids)) await this.store(set, `${sign}FLAGS.SILENT (${named.join(" ")})`);
    }
  }

  async move(uids: number[], toRaw: string): Promise<Map<number, number> | null> {
    const canMove = this.has("MOVE");
    const moved = new Map<number, number>();
    let isTold = true;
    for (const set of uidSets(uids)) {
      const copied: string[] = [];
      const learn = (response: Data | Status) => {
        if (response.type === "status" && response.code === "COPYUID") copied.push(response.argument);
      };
      const ended = await this.commands.run(
        "move",
        [`UID ${canMove ? "MOVE" : "COPY"} ${set} `, quotedFolder(toRaw)],
        learn,
      );
      if (ended.status !== "OK" && !isExpunged(ended)) throw this.commands.refusal("move", ended);
      learn(ended);
      const pairs = copied.flatMap((argument) => this.copiedPairs(argument));
      for (const [from, to] of pairs) moved.set(from, to);
      // Servers with UIDPLUS name nothing when nothing was there.
      isTold &&= pairs.length > 0 || this.has("UIDPLUS");
      if (!canMove) await this.removeCopied(set, pairs);
    }
    return isTold ? moved : null;
  }

  async append(raw: string, message: Uint8Array, { seen }: { seen: boolean }, date: Date): Promise<number | null> {
    const literal = new Literal(wireSize(message), wireMessage(message, { dots: false }));
    const middle = ` ${seen ? "(\\Seen) " : ""}"${imapDay(date).padStart(11)} ${imapTime(date)} +0000" `;
    const ended = await this.commands.must("append", ["APPEND ", quotedFolder(raw), middle, literal]);
    const uid = ended.code === "APPENDUID" ? /^\d+ (\d{1,10})$/.exec(ended.argument)?.[1] : undefined;
    return uid === undefined ? null : Number(uid);
  }

  async create(path: string): Promise<string> {
    if (path === "" || path.length > 200 || /\p{Cc}/u.test(path)) throw new RangeError("not a name for a folder");
    const raw = `${await this.ownPrefix()}${encodeFolderName(path)}`;
    const ended = await this.commands.run("create", ["CREATE ", quotedFolder(raw)]);
    if (ended.status !== "OK" && ended.code !== "ALREADYEXISTS") {
      const there = await this.list('"" "*"');
      if (!there.some((folder) => folder.raw === raw)) throw this.commands.refusal("create", ended);
    }
    // Other programs list only what is subscribed to.
    await this.commands.run("create", ["SUBSCRIBE ", quotedFolder(raw)]);
    return raw;
  }

  async logout(): Promise<void> {
    try {
      await this.commands.leave(GOODBYE_MS);
    } catch {
      // The connection is gone, which is what was wanted.
    }
    this.commands.connection.close();
  }

  private has(capability: string): boolean {
    return this.capabilities.has(capability);
  }

  private async list(what: string) {
    const listed: { raw: string; delimiter: string | null; attributes: string[] }[] = [];
    await this.commands.must("folders", [`LIST ${what}`], (response) => {
      if (response.type !== "data" || response.kind !== "LIST") return;
      const [attributes, delimiter, name] = response.values();
      if (!Array.isArray(attributes) || name instanceof Oversized || Array.isArray(name)) return;
      listed.push({
        // A folder can be called NIL.
        raw: name === null || name === undefined ? "NIL" : typeof name === "string" ? name : latin1(name),
        delimiter: textOf(delimiter) || null,
        attributes: attributes.map((each) => textOf(each)?.toLowerCase() ?? ""),
      });
    });
    return listed;
  }

  /** Before the names of a person's own folders, as `INBOX.` on some servers. */
  private async ownPrefix(): Promise<string> {
    if (!this.has("NAMESPACE")) return "";
    let prefix = "";
    await this.commands.must("create", ["NAMESPACE"], (response) => {
      if (response.type !== "data" || response.kind !== "NAMESPACE") return;
      const [personal] = response.values();
      const first = Array.isArray(personal) ? personal[0] : null;
      const bytes = Array.isArray(first) ? bytesOf(first[0]) : null;
      if (bytes) prefix = latin1(bytes);
    });
    return prefix;
  }

  private async search(criteria: Piece[], isWanted: (uid: number) => boolean = () => true): Promise<number[]> {
    const found: number[] = [];
    const isShort = this.has("ESEARCH");
    await this.commands.must("search", [`UID SEARCH ${isShort ? "RETURN (ALL) " : ""}`, ...criteria], (response) => {
      if (response.type !== "data") return;
      const values = response.kind === "SEARCH" || response.kind === "ESEARCH" ? response.values() : [];
      if (response.kind === "SEARCH") {
        for (const value of values) {
          const uid = numberOf(value);
          if (uid !== null) found.push(uid);
        }
      } else if (response.kind === "ESEARCH") {
        const at = values.findIndex((value) => typeof value === "string" && value.toUpperCase() === "ALL");
        const uids = at < 0 ? [] : expandSet(textOf(values[at + 1]) ?? "");
        if (uids === null) throw new ResponseProblem("it names more messages than any mailbox has");
        for (const uid of uids) found.push(uid);
      }
    });
    return [...new Set(found.filter(isWanted))].sort((a, b) => a - b);
  }

  private async lastUid(): Promise<number> {
    const uids = await this.search(["UID *"]);
    return uids.at(-1) ?? 0;
  }

  private async fetch(step: MailboxStep, what: string, on: (data: Data) => void, literalLimit?: number) {
    const ended = await this.commands.run(
      step,
      [`UID FETCH ${what}`],
      (response) => {
        if (response.type === "data" && response.kind === "FETCH") on(response);
      },
      literalLimit === undefined ? {} : { literalLimit },
    );
    if (ended.status !== "OK" && !isExpunged(ended)) throw this.commands.refusal(step, ended);
  }

  private async piece(uid: number, section: string, from: number, size: number) {
    let found: Uint8Array<ArrayBuffer> | null = null;
    const what = `${uidSets([uid])[0]} (UID BODY.PEEK[${section}]<${from}.${size}>)`;
    await this.fetch(
      "fetch",
      what,
      (data) => {
        const fields = fieldsOf(data.values()[0]);
        const name = `BODY[${section.toUpperCase()}]`;
        if (numberOf(fields.get("UID")) !== uid || !fields.has(name)) return;
        const value = fields.get(name);
        if (value instanceof Oversized) throw new ResponseProblem("it sends more than was asked for");
        found = bytesOf(value) ?? new Uint8Array();
      },
      size,
    );
    return assertFound(found);
  }

  private async store(set: string, what: string): Promise<void> {
    const ended = await this.commands.run("flags", [`UID STORE ${set} ${what}`]);
    if (ended.status !== "OK" && !isExpunged(ended)) throw this.commands.refusal("flags", ended);
  }

  /** Without MOVE: removes what was copied, and only that. */
  private async removeCopied(set: string, pairs: readonly (readonly [number, number])[]): Promise<void> {
    if (!this.has("UIDPLUS")) {
      await this.store(set, "+FLAGS.SILENT (\\Deleted)");
      return;
    }
    for (const copied of uidSets(pairs.map(([from]) => from))) {
      await this.store(copied, "+FLAGS.SILENT (\\Deleted)");
      await this.commands.must("move", [`UID EXPUNGE ${copied}`]);
    }
  }

  /** Of `COPYUID 38505 304,319:320 3956:3958`. */
  private copiedPairs(argument: string): (readonly [number, number])[] {
    const [, from = "", to = ""] = argument.split(" ");
    try {
      const targets = to === "" ? null : expandSet(to);
      const sources = from === "" ? null : expandSet(from);
      if (sources?.length === targets?.length)
        return (sources ?? []).map((uid, at) => [uid, targets?.[at] ?? 0] as const);
    } catch (error) {
      if (!(error instanceof ResponseProblem)) throw error;
    }
    throw this.commands.broken("it does not say what it copied");
  }

  /** Null if they are too many to name: then the UIDs have to be compared. */
  private expanded(sets: readonly string[]): number[] | null {
    try {
      const all = sets.map((set) => expandSet(set, { last: this.uidNext - 1 }));
      return all.some((uids) => uids === null)
        ? null
        : [...new Set(all.flatMap((uids) => uids ?? []))].sort((a, b) => a - b);
    } catch {
      throw this.commands.broken("it does not say what vanished");
    }
  }
}

/** For the compiler, which does not see that a callback has set it. */
function assertFound(found: Uint8Array<ArrayBuffer> | null): Uint8Array<ArrayBuffer> | null {
  return found;
}

/** Some of the messages were removed meanwhile by another program: the others were done. */
function isExpunged({ status, code }: Status): boolean {
  return status === "NO" && code === "EXPUNGEISSUED";
}

function byUid<Item extends { uid: number }>(items: Item[]): Item[] {
  return items.sort((a, b) => a.uid - b.uid);
}
