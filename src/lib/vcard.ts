/** What is read of a card, and written. */
export interface Card {
  name: string;
  addresses: string[];
  company: string;
  phones: { label: string; number: string }[];
  notes: string;
}

interface Line {
  name: string;
  params: Map<string, string>;
  value: string;
}

/**
 * Reads the cards of a file: vCard 2.1, 3.0 and 4.0. Null stands for a group, and for a card that does not end. What an
 * address book has no field for is left out, and so is the card of an agent inside another card.
 */
export function readCards(file: string): (Card | null)[] {
  const cards: (Card | null)[] = [];
  let lines: Line[] | null = null;
  let isAgent = false;
  for (const text of unfolded(file)) {
    const line = readLine(text);
    const isMark = line !== null && /^vcard$/i.test(line.value.trim());
    if (isMark && line.name === "BEGIN") {
      isAgent = lines?.at(-1)?.name === "AGENT";
      if (isAgent) continue;
      if (lines) cards.push(null);
      lines = [];
    } else if (isMark && line.name === "END") {
      if (lines && !isAgent) cards.push(cardOf(lines));
      if (!isAgent) lines = null;
      isAgent = false;
    } else if (line && lines && !isAgent && lines.length < MAX_LINES) lines.push(line);
  }
  if (lines) cards.push(null);
  return cards;
}

/** A long line continues in the next one after a space; a quoted-printable one of vCard 2.1 after a "=" at its end. */
function* unfolded(file: string): Generator<string> {
  let pieces: string[] = [];
  let isQuotedPrintable = false;
  let isOpen = false;
  for (const [line] of file.replace(/^\ufeff/, "").matchAll(/[^\r\n]+/g)) {
    if (isOpen) pieces.push(line);
    else if (/^[ \t]/.test(line)) pieces.push(line.slice(1));
    else {
      yield pieces.join("");
      pieces = [line];
      isQuotedPrintable = /^[^:]*QUOTED-PRINTABLE/i.test(line.slice(0, MAX_HEAD));
    }
    isOpen = isQuotedPrintable && line.endsWith("=");
    if (isOpen) pieces.push((pieces.pop() ?? "").slice(0, -1));
  }
  yield pieces.join("");
}

/** What stands before the value of a line: its name and its parameters. */
const MAX_HEAD = 1000;
const READ = new Set("BEGIN END AGENT KIND X-ADDRESSBOOKSERVER-KIND FN N NICKNAME EMAIL ORG TEL NOTE".split(" "));
/** Of one card. Nobody has as many addresses and numbers. */
const MAX_LINES = 200;

function readLine(text: string): Line | null {
  // A colon may stand in quotation marks before the one that ends the parameters.
  const head = /^(?:[^":]|"[^"]*")*:/.exec(text.slice(0, MAX_HEAD))?.[0];
  if (head === undefined) return null;
  const [group = "", ...rest] = head.slice(0, -1).split(";");
  // "item1.EMAIL" belongs to a group of lines.
  const name = group.slice(group.lastIndexOf(".") + 1).toUpperCase();
  if (!READ.has(name)) return null;
  const params = new Map<string, string>();
  for (const param of rest) {
    const at = param.indexOf("=");
    // vCard 2.1 writes TYPE=HOME as HOME.
    const [key, value] = at < 0 ? ["TYPE", param] : [param.slice(0, at).toUpperCase(), param.slice(at + 1)];
    const before = params.get(key);
    params.set(key, before === undefined ? unquoted(value) : `${before},${unquoted(value)}`);
  }
  const raw = text.slice(head.length);
  const isQuotedPrintable = /quoted-printable/i.test(`${params.get("ENCODING")},${params.get("TYPE")}`);
  const value = isQuotedPrintable ? decodeQuotedPrintable(raw, params.get("CHARSET")) : raw;
  return { name, params, value };
}

const unquoted = (text: string) => text.replaceAll('"', "");

function decodeQuotedPrintable(text: string, charset = "utf-8"): string {
  const bytes = new TextEncoder().encode(text);
  const out: number[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const code =
      bytes[at] === 0x3d ? Number.parseInt(String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0), 16) : NaN;
    if (Number.isNaN(code)) out.push(bytes[at] ?? 0);
    else {
      out.push(code);
      at += 2;
    }
  }
  return decoderOf(charset).decode(new Uint8Array(out));
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function cardOf(lines: readonly Line[]): Card | null {
  const all = (name: string) => lines.filter((line) => line.name === name);
  const first = (name: string) => all(name)[0]?.value ?? "";
  if (/^group$/i.test(first("KIND")) || /^group$/i.test(first("X-ADDRESSBOOKSERVER-KIND"))) return null;
  const [family = "", given = ""] = parts(first("N"));
  const company = (parts(first("ORG"))[0] ?? "").trim();
  const addresses = all("EMAIL")
    .sort((one, other) => preference(one) - preference(other))
    .map(({ value }) =>
      plain(value)
        .trim()
        .replace(/^mailto:/i, "")
        .toLowerCase(),
    );
  const names = [plain(first("FN")), `${given} ${family}`, plain(first("NICKNAME")), company].map((name) =>
    name.trim(),
  );
  return {
    // A contact without a name is exported with its address in its place.
    name: names.find((name) => name !== "" && !addresses.includes(name.toLowerCase())) ?? "",
    addresses,
    company,
    phones: all("TEL").flatMap(({ value, params }) => {
      const number = plain(value).trim().replace(/^tel:/i, "");
      return number === "" ? [] : [{ label: phoneLabel(params.get("TYPE") ?? ""), number }];
    }),
    notes: plain(first("NOTE")).trim(),
  };
}

/** 1 is preferred most. */
function preference({ params }: Line): number {
  const said = Number(params.get("PREF"));
  if (said >= 1) return said;
  return /\bpref\b/i.test(params.get("TYPE") ?? "") ? 1 : 101;
}

function phoneLabel(types: string): string {
  const names = types
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  if (names.includes("cell")) return "mobile";
  return ["home", "work", "fax", "main"].find((name) => names.includes(name)) ?? "";
}

/** The parts of a structured value, such as a family name and a given name. */
function parts(value: string): string[] {
  // An escaped semicolon is none between two parts.
  const marked = value.replaceAll(/\\./gs, (pair) => (pair === "\\;" ? "\u0001" : pair));
  return marked.split(";").map((part) => plain(part).replaceAll("\u0001", ";"));
}

const plain = (value: string) =>
  value.replaceAll(/\\(.)/gs, (_, character: string) => (/n/i.test(character) ? "\n" : character));

const escaped = (text: string) => text.replaceAll(/[\\,;]/g, "\\$&").replaceAll(/\r\n|\r|\n/g, "\\n");

/** Cards as a file (vCard 4.0, RFC 6350). */
export function writeCards(cards: readonly (Card & { id: string; updatedAt: string })[]): string {
  return cards.map(writeCard).join("");
}

function writeCard(card: Card & { id: string; updatedAt: string }): string {
  const lines = [
    "BEGIN:VCARD",
    "VERSION:4.0",
    `UID:${card.id}`,
    `FN:${escaped(card.name || card.addresses[0] || "")}`,
    ...card.addresses.map((address, index) => `EMAIL${index === 0 ? ";PREF=1" : ""}:${address}`),
    ...card.phones.map(({ label, number }) => `TEL${TYPES[label] ?? ""}:${escaped(number)}`),
    ...(card.company ? [`ORG:${escaped(card.company)}`] : []),
    ...(card.notes ? [`NOTE:${escaped(card.notes)}`] : []),
    `REV:${card.updatedAt.replaceAll(/[-:]|\.\d+/g, "")}`,
    "END:VCARD",
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join("");
}

const TYPES: Record<string, string> = {
  mobile: ";TYPE=cell",
  home: ";TYPE=home",
  work: ";TYPE=work",
  fax: ";TYPE=fax",
  main: ";TYPE=main",
};

/** Lines have at most 75 bytes; a character is not divided. */
function folded(line: string): string {
  let result = "";
  let room = 75;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    if (size > room) {
      result += "\r\n ";
      room = 74;
    }
    result += character;
    room -= size;
  }
  return result;
}
