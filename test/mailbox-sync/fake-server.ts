import {
  type BodyPart,
  type Flags,
  type Folder,
  type FolderRole,
  type Head,
  type ImapSession,
  MailboxError,
  type OutgoingMail,
  type Selected,
} from "../../src/providers/mailbox/types.ts";

/*
 * A mail server in memory, as the mail client shows one: UIDs that only grow, UIDVALIDITY, a MODSEQ for each change, and
 * what a connection that is cut leaves behind. Other clients change it through its own methods.
 */

export interface FakeMessage {
  uid: number;
  bytes: Uint8Array<ArrayBuffer>;
  seen: boolean;
  flagged: boolean;
  deleted: boolean;
  modSeq: number;
  date: number;
}

class FakeFolder {
  readonly raw: string;
  role: FolderRole | null;
  uidValidity = 1000;
  uidNext = 1;
  messages = new Map<number, FakeMessage>();
  expunged: { uid: number; modSeq: number }[] = [];

  constructor(raw: string, role: FolderRole | null) {
    this.raw = raw;
    this.role = role;
  }
}

const RICH = ["IMAP4REV1", "UIDPLUS", "MOVE", "CONDSTORE", "QRESYNC", "SPECIAL-USE"];

export function messageOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text.replaceAll(/\r?\n/g, "\r\n")));
}

export class FakeMailServer {
  folders = new Map<string, FakeFolder>();
  capabilities = new Set(RICH);
  password = "app-pass-1";
  isDown = false;
  logins = 0;
  /** The names of all calls, and of those only that read a body. */
  calls: string[] = [];
  bodies = 0;
  /** The connection is cut at this call, counted from 0: before it has any effect, or after it. */
  cutAt: number | null = null;
  cutAfter = false;
  /** Runs before each call: another client. */
  meanwhile: (call: string) => void = () => {};
  outgoing: OutgoingMail[] = [];
  /** What the server says to an email that is sent. */
  refusal: MailboxError | null = null;
  /** Whether the server itself files what it sends. */
  files = false;
  /** Some servers only guess how long a message is. */
  sizeOf = (size: number) => size;
  #modSeq = 1;

  constructor() {
    for (const [raw, role] of [
      ["INBOX", "inbox"],
      ["Archive", "archive"],
      ["Sent", "sent"],
      ["Trash", "trash"],
      ["Work", null],
    ] as const) {
      this.folders.set(raw, new FakeFolder(raw, role));
    }
  }

  poor(): this {
    this.capabilities = new Set(["IMAP4REV1"]);
    return this;
  }

  folder(raw: string): FakeFolder {
    const found = this.folders.get(raw);
    if (!found) throw new MailboxError("mailbox_broken", "select", `No folder ${raw}`);
    return found;
  }

  next(): number {
    this.#modSeq += 1;
    return this.#modSeq;
  }

  add(raw: string, bytes: string | Uint8Array<ArrayBuffer>, more: Partial<FakeMessage> = {}): number {
    const folder = this.folder(raw);
    const uid = folder.uidNext;
    folder.uidNext += 1;
    folder.messages.set(uid, {
      ...{ uid, seen: false, flagged: false, deleted: false, modSeq: this.next(), date: Date.now() },
      bytes: typeof bytes === "string" ? messageOf(bytes) : bytes,
      ...more,
    });
    return uid;
  }

  flag(raw: string, uid: number, change: Partial<Pick<FakeMessage, "seen" | "flagged" | "deleted">>): void {
    const message = this.folder(raw).messages.get(uid);
    if (message) Object.assign(message, change, { modSeq: this.next() });
  }

  expunge(raw: string, uid: number): void {
    const folder = this.folder(raw);
    if (folder.messages.delete(uid)) folder.expunged.push({ uid, modSeq: this.next() });
  }

  moveTo(raw: string, uid: number, to: string): number {
    const message = this.folder(raw).messages.get(uid);
    if (!message) throw new Error(`no message ${uid}`);
    const { uid: _, modSeq: __, ...rest } = message;
    const fresh = this.add(to, message.bytes, rest);
    this.expunge(raw, uid);
    return fresh;
  }

  /** Everything gets another UID. */
  renew(raw: string): void {
    const folder = this.folder(raw);
    const all = [...folder.messages.values()];
    folder.uidValidity += 1;
    folder.messages = new Map();
    folder.expunged = [];
    folder.uidNext = 500;
    for (const { uid: _, modSeq: __, bytes, ...rest } of all) this.add(raw, bytes, rest);
  }

  headerOf({ bytes }: FakeMessage): string {
    const text = new TextDecoder().decode(bytes);
    return text.slice(0, text.indexOf("\r\n\r\n") + 4);
  }

  idOf(message: FakeMessage): string | null {
    return /^message-id: *(<[^>\r\n]*>)/im.exec(this.headerOf(message))?.[1] ?? null;
  }

  /** The Message-IDs of a folder. */
  ids(raw: string): (string | null)[] {
    return [...this.folder(raw).messages.values()].filter(({ deleted }) => !deleted).map((each) => this.idOf(each));
  }

  open = async (_server: unknown, auth: { password?: string }): Promise<ImapSession> => {
    this.logins += 1;
    if (this.isDown) throw new MailboxError("mailbox_unreachable", "connect", "Nothing answers there.", true);
    if (auth.password !== this.password) throw new MailboxError("mailbox_auth_failed", "login", "No.");
    return this.#session();
  };

  send = async (_server: unknown, _auth: unknown, _options: unknown, mail: OutgoingMail): Promise<void> => {
    if (this.refusal && this.refusal.code !== "mail_maybe_sent") throw this.refusal;
    this.outgoing.push(mail);
    if (this.files) this.add("Sent", new Uint8Array(mail.message), { seen: true });
    if (this.refusal) throw this.refusal;
  };

  #session(): ImapSession {
    let current: FakeFolder | null = null;
    const broken = () => new MailboxError("mailbox_broken", "fetch", "The connection was cut.", true);
    let isCut = false;
    const step = async <Result>(name: string, act: () => Result): Promise<Result> => {
      if (isCut) throw broken();
      const isNow = this.cutAt !== null && this.calls.length >= this.cutAt;
      this.meanwhile(name);
      this.calls.push(name);
      if (isNow) {
        isCut = true;
        this.cutAt = null;
        if (this.cutAfter) act();
        throw broken();
      }
      return act();
    };
    const here = () => {
      if (!current) throw new Error("no folder is selected");
      return current;
    };
    const has = (name: string) => this.capabilities.has(name);
    const flagsOf = ({ uid, seen, flagged, deleted, modSeq }: FakeMessage): Flags => ({
      ...{ uid, seen, flagged, deleted },
      modSeq: has("CONDSTORE") ? String(modSeq) : null,
    });
    const all = () => [...here().messages.values()].toSorted((one, other) => one.uid - other.uid);
    const some = (uids: number[]) => all().filter(({ uid }) => uids.includes(uid));
    return {
      capabilities: this.capabilities,
      folders: () =>
        step("folders", () =>
          [...this.folders.values()].map(
            ({ raw, role }): Folder => ({ path: raw, raw, delimiter: "/", role, selectable: true }),
          ),
        ),
      select: (raw, known) =>
        step("select", (): Selected => {
          current = this.folder(raw);
          const isKnown = has("QRESYNC") && known?.modSeq && known.uidValidity === current.uidValidity;
          const since = Number(known?.modSeq ?? 0);
          const highest = Math.max(
            1,
            ...all().map(({ modSeq }) => modSeq),
            ...current.expunged.map(({ modSeq }) => modSeq),
          );
          return {
            uidValidity: current.uidValidity,
            uidNext: current.uidNext,
            exists: current.messages.size,
            modSeq: has("CONDSTORE") ? String(highest) : null,
            readOnly: false,
            vanished: isKnown ? current.expunged.filter(({ modSeq }) => modSeq > since).map(({ uid }) => uid) : null,
            changed: isKnown
              ? all()
                  .filter(({ modSeq }) => modSeq > since)
                  .map(flagsOf)
              : null,
          };
        }),
      uids: (from, to = Number.POSITIVE_INFINITY) =>
        step("uids", () =>
          all()
            .map(({ uid }) => uid)
            .filter((uid) => uid >= from && uid <= to),
        ),
      uidsSince: (day) =>
        step("uidsSince", () => {
          const start = new Date(day.toISOString().slice(0, 10)).getTime();
          return all()
            .filter(({ date }) => date >= start)
            .map(({ uid }) => uid);
        }),
      flags: (which) =>
        step("flags", () => {
          if (Array.isArray(which)) return some(which).map(flagsOf);
          const { from, to = Number.POSITIVE_INFINITY, changedSince = "0" } = which;
          return all()
            .filter(({ uid, modSeq }) => uid >= from && uid <= to && modSeq > Number(changedSince))
            .map(flagsOf);
        }),
      heads: (uids) =>
        step("heads", () =>
          some(uids).map(
            (message): Head => ({
              ...flagsOf(message),
              size: this.sizeOf(message.bytes.length),
              internalDate: message.date,
              messageId: this.idOf(message),
              digest: `digest-${message.bytes.length}-${this.headerOf(message).length}`,
            }),
          ),
        ),
      whole: (uid, limit) =>
        step("whole", () => {
          const found = here().messages.get(uid);
          if (!found) return null;
          if (found.bytes.length > limit) throw new RangeError("too large");
          this.bodies += 1;
          return found.bytes.slice();
        }),
      structure: (uid) =>
        step("structure", () => {
          const found = here().messages.get(uid);
          return found ? structureOf(found.bytes) : null;
        }),
      part: (uid, section) => {
        const read = step("part", () => {
          const found = here().messages.get(uid);
          if (!found) throw broken();
          this.bodies += 1;
          return sectionOf(found.bytes, section);
        });
        return (async function* () {
          const bytes = await read;
          for (let at = 0; at < bytes.length; at += 256 * 1024) yield bytes.slice(at, at + 256 * 1024);
        })();
      },
      setFlags: (uids, change) =>
        step("setFlags", () => {
          for (const uid of uids) this.flag(here().raw, uid, change);
        }),
      move: (uids, to) =>
        step("move", () => {
          const folder = here();
          const moved = new Map<number, number>();
          for (const { uid, bytes, seen, flagged, date } of some(uids)) {
            if (has("MOVE")) moved.set(uid, this.moveTo(folder.raw, uid, to));
            else {
              moved.set(uid, this.add(to, bytes, { seen, flagged, date }));
              this.flag(folder.raw, uid, { deleted: true });
            }
          }
          return has("UIDPLUS") ? moved : null;
        }),
      append: (raw, message, { seen }, date) =>
        step("append", () => {
          const uid = this.add(raw, new Uint8Array(message), { seen, date: date.getTime() });
          return has("UIDPLUS") ? uid : null;
        }),
      findByMessageId: (id) =>
        step("find", () =>
          all()
            .filter((message) => this.idOf(message) === id)
            .map(({ uid }) => uid),
        ),
      create: (path) =>
        step("create", () => {
          if (!this.folders.has(path)) this.folders.set(path, new FakeFolder(path, null));
          return path;
        }),
      logout: async () => {},
    };
  }
}

/** Only what the tests need: a multipart of one level. */
function partsOf(bytes: Uint8Array) {
  const text = new TextDecoder("latin1").decode(bytes);
  const boundary = /boundary="?([^"\r\n;]+)/i.exec(text)?.[1] ?? "none";
  return text
    .split(`\r\n--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const at = part.indexOf("\r\n\r\n");
      return { header: part.slice(2, at), body: part.slice(at + 4) };
    });
}

function structureOf(bytes: Uint8Array): BodyPart {
  const none = { parameters: {}, contentId: null, disposition: null, fileName: null, parts: [] };
  const parts = partsOf(bytes).map(({ header, body }, index): BodyPart => {
    const name = /filename="([^"]*)"/i.exec(header)?.[1] ?? null;
    return {
      ...none,
      section: String(index + 1),
      type: (/content-type: *([^;\s]+)/i.exec(header)?.[1] ?? "text/plain").toLowerCase(),
      encoding: (/content-transfer-encoding: *(\S+)/i.exec(header)?.[1] ?? "7bit").toLowerCase(),
      size: body.length,
      disposition: name ? "attachment" : null,
      fileName: name,
    };
  });
  return { ...none, section: "", type: "multipart/mixed", encoding: "7bit", size: 0, parts };
}

function sectionOf(bytes: Uint8Array, section: string): Uint8Array<ArrayBuffer> {
  const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const text = new TextDecoder("latin1").decode(bytes);
  if (section === "") return new Uint8Array(bytes);
  if (section === "HEADER") return latin(text.slice(0, text.indexOf("\r\n\r\n") + 4));
  const [number, mime] = section.split(".");
  const part = partsOf(bytes)[Number(number) - 1];
  if (!part) throw new Error(`no section ${section}`);
  return latin(mime === "MIME" ? `${part.header}\r\n\r\n` : part.body);
}
