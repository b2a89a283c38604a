import { decodeUtf7 } from "./utf7.ts";

/** Names that the Encoding Standard does not know. */
const ALIASES: Record<string, string> = {
  "iso-8859-8-e": "iso-8859-8",
  "windows-31j": "shift_jis",
  cp932: "shift_jis",
  ms932: "shift_jis",
  cp936: "gbk",
  ms936: "gbk",
  cp949: "euc-kr",
  ms949: "euc-kr",
  cp950: "big5",
  "iso-2022-jp-1": "iso-2022-jp",
  "iso-2022-jp-2": "iso-2022-jp",
  "iso-2022-jp-ms": "iso-2022-jp",
  cp50220: "iso-2022-jp",
  cp50221: "iso-2022-jp",
  "tis-620": "windows-874",
  "ansi_x3.4-1968": "windows-1252",
  unicode: "utf-16le",
  "ucs-2": "utf-16le",
  "utf-16": "utf-16le",
};

function decoder(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

function known(label: string): TextDecoder | null {
  const name = label.trim().toLowerCase().replaceAll('"', "");
  if (name === "") return null;
  const plain = name.replace(/^x-(?:ms-)?/, "").replaceAll("_", "-");
  return (
    decoder(ALIASES[name] ?? ALIASES[plain] ?? name) ??
    decoder(plain) ??
    decoder(plain.replace(/^cp(?=125)/, "windows-"))
  );
}

/** `isCut`: the last character may be incomplete. */
export function isUtf8(bytes: Uint8Array, isCut = false): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes, { stream: isCut });
    return true;
  } catch {
    return false;
  }
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/**
 * Text in a charset as its sender names it. Never fails: of an unknown charset, and of one that the bytes contradict, the
 * likeliest reading is returned.
 */
export function decodeText(bytes: Uint8Array, label = "", isCut = false): string {
  const name = label.trim().toLowerCase();
  if (/^(?:x-)?(?:unicode-1-1-)?utf-?7$/.test(name)) return decodeUtf7(bytes);
  if (/^(?:utf-?16|utf-?32|ucs-?[24]|unicode)(?:[lb]e)?$/.test(name)) return decodeWide(bytes, name);
  const isSaidUtf8 = name === "" || /^utf-?8$|^us-ascii$|^ascii$/.test(name);
  const found = isSaidUtf8 ? null : known(name);
  if (found) return found.decode(bytes, { stream: isCut });
  // Windows programs write their own charset and call it ASCII, UTF-8 or nothing.
  return new TextDecoder(isMostlyUtf8(bytes, isCut) ? "utf-8" : "windows-1252").decode(bytes, { stream: isCut });
}

/** A byte that was damaged on the way does not make a text of other letters one of another charset. */
function isMostlyUtf8(bytes: Uint8Array, isCut: boolean): boolean {
  if (isUtf8(bytes, isCut)) return true;
  const text = new TextDecoder().decode(bytes, { stream: isCut });
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  const whole = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  return whole >= broken && whole > 0;
}

/** Charsets of two or four bytes. Without a mark, the zeros of Latin letters tell the order. */
function decodeWide(bytes: Uint8Array, name: string): string {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes;
  const isFour = name.includes("32") || name.includes("4");
  if (isFour) {
    const isBig = name.endsWith("be") || (first === 0 && second === 0 && (third === 0xfe || third < 0x11));
    return decodeFour(bytes, isBig && !(first === 0xff && second === 0xfe && third === 0 && fourth === 0));
  }
  // Some programs say so of a text that has one byte a letter.
  if (isAscii(bytes) && !bytes.includes(0)) return new TextDecoder().decode(bytes);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) || name.endsWith("be");
  const isLittle = first === 0xff && second === 0xfe;
  return new TextDecoder(isBig && !isLittle ? "utf-16be" : "utf-16le").decode(bytes);
}

function decodeFour(bytes: Uint8Array, isBig: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = "";
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, !isBig);
    if (code !== 0xfeff)
      text += code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\ufffd";
  }
  return text;
}
