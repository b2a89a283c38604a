/** A server as the person or a preset names it. Nothing is ever sent without TLS. */
export interface ServerAddress {
  host: string;
  port: number;
  tls: "implicit" | "starttls";
}

export type MailboxAuth =
  | { kind: "password"; username: string; password: string }
  | { kind: "oauth2"; username: string; accessToken: string };

export interface ConnectionOptions {
  /** The setting `ALLOW_PRIVATE_HOSTS`: for local work, any host and any port. */
  allowPrivateHosts: boolean;
  /** How long the server may say nothing. Default: 20 seconds. */
  silenceMs?: number;
}

/** One for each thing that a person can do something about. */
export type MailboxErrorCode =
  /** The server refused the user name or the password. Never try the same again. */
  | "mailbox_auth_failed"
  /** No such server, nothing listens there, or the address is not allowed. */
  | "mailbox_unreachable"
  /** The server is there, but its certificate or its STARTTLS is not acceptable. */
  | "mailbox_tls_failed"
  /** The server asks for patience: too many connections, a quota of requests, maintenance. */
  | "mailbox_busy"
  /** The connection was cut, the server was silent, or what it said makes no sense. */
  | "mailbox_broken"
  /** The server refused a recipient. Nothing was sent to anybody. */
  | "recipient_refused"
  /** The server refused the message or the sender. Nothing was sent. */
  | "mail_refused"
  /** The connection ended after the whole message was handed over: it may have been sent. */
  | "mail_maybe_sent";

export type MailboxStep =
  | "address"
  | "connect"
  | "tls"
  | "greeting"
  | "login"
  | "folders"
  | "select"
  | "search"
  | "fetch"
  | "flags"
  | "move"
  | "append"
  | "create"
  | "sender"
  | "recipient"
  | "message";

export class MailboxError extends Error {
  readonly code: MailboxErrorCode;
  readonly step: MailboxStep;
  /** Plain text, one line. Of the server's words, if it said any: outside text. Never a secret. */
  readonly reason: string;
  /** Whether the same may succeed later: for a refused message or recipient, an SMTP status of 4xx. */
  readonly isTemporary: boolean;

  constructor(code: MailboxErrorCode, step: MailboxStep, reason: string, isTemporary = false) {
    super(`${code} (${step}): ${reason}`);
    this.name = "MailboxError";
    this.code = code;
    this.step = step;
    this.reason = reason;
    this.isTemporary = isTemporary;
  }
}

export type FolderRole = "inbox" | "sent" | "archive" | "trash" | "junk" | "drafts" | "all";

export interface Folder {
  /** Decoded, for people. */
  path: string;
  /** As the server writes it: what `select`, `move` and `append` take. */
  raw: string;
  delimiter: string | null;
  /** By SPECIAL-USE, else by usual names. Two folders may have the same. */
  role: FolderRole | null;
  selectable: boolean;
}

export interface Flags {
  uid: number;
  seen: boolean;
  flagged: boolean;
  deleted: boolean;
  /** With CONDSTORE only. 63 bits, so decimal text. */
  modSeq: string | null;
}

export interface Head extends Flags {
  size: number;
  /** Milliseconds since 1970. */
  internalDate: number;
  /** With its angle brackets; null if the message has none. */
  messageId: string | null;
  /** Of header fields and size, for messages without Message-ID: `messageDigest` makes the same of a whole message. */
  digest: string;
}

export interface Selected {
  uidValidity: number;
  uidNext: number;
  exists: number;
  /** Null without CONDSTORE: then there is nothing to ask changes since. */
  modSeq: string | null;
  readOnly: boolean;
  /** UIDs that went since `known`; null unless the server told (QRESYNC). Confirm each by one `flags`. */
  vanished: number[] | null;
  /** Flags that changed since `known`; null unless the server told (QRESYNC). */
  changed: Flags[] | null;
}

/** A part of a message by BODYSTRUCTURE. An attached message is one part, without its own parts. */
export interface BodyPart {
  /** What `part` takes, such as `1.2`; empty for the outermost multipart. */
  section: string;
  /** In lower case, such as `text/plain` or `multipart/mixed`. */
  type: string;
  /** Of Content-Type. Names in lower case. */
  parameters: Record<string, string>;
  /** With its angle brackets, as in the header. */
  contentId: string | null;
  /** The transfer encoding, in lower case: `part` gives the bytes as they are encoded. */
  encoding: string;
  /** In octets, encoded. 0 for a multipart. */
  size: number;
  /** In lower case: `attachment`, `inline`. */
  disposition: string | null;
  /** Decoded, and safe to show. */
  fileName: string | null;
  parts: BodyPart[];
}

/** One connection, used by one caller: commands follow each other. All fail with a `MailboxError`. */
export interface ImapSession {
  /** Upper case, of the time after login. */
  readonly capabilities: ReadonlySet<string>;
  folders(): Promise<Folder[]>;
  select(raw: string, known?: { uidValidity: number; modSeq: string | null }): Promise<Selected>;
  /** Ascending, and only those within the bounds. */
  uids(from: number, to?: number): Promise<number[]>;
  /** Received on this day (UTC) or later by INTERNALDATE. */
  uidsSince(day: Date): Promise<number[]>;
  flags(uids: number[] | { from: number; to?: number; changedSince?: string }): Promise<Flags[]>;
  heads(uids: number[]): Promise<Head[]>;
  /** Null if it is gone. Throws a RangeError if it is larger than `limit`: then read it by parts. */
  whole(uid: number, limit: number): Promise<Uint8Array<ArrayBuffer> | null>;
  /** Null if it is gone. */
  structure(uid: number): Promise<BodyPart | null>;
  /**
   * By pieces of 256 KB at most. `HEADER`, `1.MIME` and the empty section, which is the whole message, are sections, too.
   * Ends early only by an error.
   */
  part(uid: number, section: string): AsyncIterable<Uint8Array<ArrayBuffer>>;
  /** Of UIDs that are gone, nothing is said. */
  setFlags(uids: number[], change: { seen?: boolean; flagged?: boolean }): Promise<void>;
  /**
   * The new UID of each that was there. Null where the server does not tell (without UIDPLUS): then find them by
   * Message-ID, and where MOVE is missing, too, the old ones stay with `deleted` and count as gone.
   */
  move(uids: number[], toRaw: string): Promise<Map<number, number> | null>;
  /** The new UID; null where the server does not tell. */
  append(raw: string, message: Uint8Array, flags: { seen: boolean }, date: Date): Promise<number | null>;
  /** In the selected folder. */
  findByMessageId(id: string): Promise<number[]>;
  /** Returns the raw name. A folder that is there already is no error. */
  create(path: string): Promise<string>;
  /** Never throws. */
  logout(): Promise<void>;
}

export interface OutgoingMail {
  /** The envelope: bare addresses. */
  from: string;
  to: string[];
  /** A whole message. Bare CR or LF become CRLF. */
  message: Uint8Array;
}
