import { toBase64 } from "../../../lib/encoding.ts";
import { utf16Of } from "../../../lib/mime/utf7.ts";
import type { Folder, FolderRole } from "../types.ts";
import { latin1Bytes } from "./framer.ts";

/** A name in modified UTF-7 (RFC 3501, 5.1.3), or in the UTF-8 that some servers send without being asked. */
export function decodeFolderName(raw: string): string {
  if (/[^\0-\x7f]/.test(raw)) return new TextDecoder().decode(latin1Bytes(raw));
  return raw
    .replaceAll(/&([A-Za-z0-9+,]*)-/g, (whole, run: string) =>
      run === "" ? "&" : (utf16Of(run.replaceAll(",", "/")) ?? whole),
    )
    .replaceAll(/\p{Cs}/gu, "\uFFFD");
}

export function encodeFolderName(name: string): string {
  return name.replaceAll("&", "&-").replaceAll(/[^\x20-\x7e]+/g, (run) => `&${utf16Base64(run)}-`);
}

function utf16Base64(text: string): string {
  const bytes = Uint8Array.from({ length: text.length * 2 }, (_, at) => text.charCodeAt(at >> 1) >> (at % 2 ? 0 : 8));
  return toBase64(bytes)
    .replaceAll("/", ",")
    .replace(/(?<!=)=+$/, "");
}

/** Attributes of SPECIAL-USE (RFC 6154). */
const ATTRIBUTES: Record<string, FolderRole> = {
  "\\sent": "sent",
  "\\archive": "archive",
  "\\trash": "trash",
  "\\junk": "junk",
  "\\drafts": "drafts",
  "\\all": "all",
};

/** What mail programs and providers call these folders. */
const NAMES: Record<string, readonly string[]> = {
  sent: [
    ...["sent", "sent items", "sent mail", "sent messages", "sent-mail", "gesendet", "gesendete objekte"],
    ...["gesendete elemente", "gesendete nachrichten", "envoyés", "éléments envoyés", "messages envoyés", "enviados"],
    ...["elementos enviados", "mensajes enviados", "itens enviados", "correo enviado", "posta inviata", "inviati"],
    ...[
      "inviata",
      "verzonden",
      "verzonden items",
      "wysłane",
      "elementy wysłane",
      "skickat",
      "skickade objekt",
      "sendt",
    ],
    ...["sendte elementer", "sendt post", "lähetetyt", "odeslané", "odeslaná pošta", "отправленные", "надіслані"],
    ...[
      "gönderilmiş öğeler",
      "gönderilenler",
      "送信済み",
      "送信済みアイテム",
      "已发送",
      "已发送邮件",
      "寄件備份",
      "보낸편지함",
    ],
  ],
  archive: [
    ...["archive", "archives", "archived", "archiv", "archivo", "archivio", "archief", "archiwum", "arkiv", "arkisto"],
    ...["arquivo", "архив", "архів", "arşiv", "アーカイブ", "归档", "封存", "보관함"],
  ],
  trash: [
    ...["trash", "deleted", "deleted items", "deleted messages", "bin", "papierkorb", "gelöscht", "gelöschte objekte"],
    ...["gelöschte elemente", "corbeille", "éléments supprimés", "papelera", "elementos eliminados", "lixeira"],
    ...[
      "itens excluídos",
      "lixo",
      "cestino",
      "posta eliminata",
      "eliminati",
      "prullenbak",
      "verwijderde items",
      "kosz",
    ],
    ...["elementy usunięte", "papperskorgen", "borttaget", "papirkurv", "slettet post", "roskakori", "koš", "корзина"],
    ...[
      "удаленные",
      "удалённые",
      "кошик",
      "çöp kutusu",
      "silinmiş öğeler",
      "ゴミ箱",
      "已删除",
      "已删除邮件",
      "垃圾桶",
      "휴지통",
    ],
  ],
  junk: [
    ...["junk", "junk e-mail", "junk email", "junk mail", "spam", "bulk mail", "spamverdacht", "unerwünscht"],
    ...["pourriel", "courrier indésirable", "correo no deseado", "posta indesiderata", "ongewenste e-mail", "спам"],
  ],
  drafts: [
    ...["drafts", "draft", "entwürfe", "brouillons", "borradores", "rascunhos", "bozze", "concepten", "szkice"],
    ...[
      "utkast",
      "kladder",
      "luonnokset",
      "koncepty",
      "черновики",
      "чернетки",
      "taslaklar",
      "下書き",
      "草稿",
      "임시보관함",
    ],
  ],
};

const ROLES = new Map(Object.entries(NAMES).flatMap(([role, names]) => names.map((name) => [name, role])));

interface Listed {
  raw: string;
  delimiter: string | null;
  /** In lower case. */
  attributes: string[];
}

/** By SPECIAL-USE, and for the roles that no folder has by it, by name. */
export function foldersOf(listed: readonly Listed[]): Folder[] {
  const folders = listed.map(({ raw, delimiter, attributes }): Folder => {
    const selectable = !attributes.includes("\\noselect") && !attributes.includes("\\nonexistent");
    const special = attributes.map((each) => ATTRIBUTES[each]).find((role) => role !== undefined);
    const role = raw.toUpperCase() === "INBOX" ? "inbox" : selectable ? (special ?? null) : null;
    return { path: decodeFolderName(raw), raw, delimiter, role, selectable };
  });
  const known = new Set<string | null>(folders.map(({ role }) => role));
  for (const folder of folders) {
    const role = folder.role === null && folder.selectable ? roleByName(folder) : null;
    if (role !== null && !known.has(role)) folder.role = role;
  }
  return folders;
}

/** Only at the top, or right below the inbox or Gmail's folder: "Projects/Archive" is a folder like any other. */
function roleByName({ path, delimiter }: Folder): FolderRole | null {
  const levels = (delimiter ? path.split(delimiter) : [path]).map((level) => level.normalize("NFC").toLowerCase());
  const [parent = "", name = ""] = levels.length === 1 ? ["", ...levels] : levels;
  if (levels.length > 2 || !["", "inbox", "[gmail]", "[google mail]"].includes(parent)) return null;
  const role = ROLES.get(name);
  return role === undefined ? null : (role as FolderRole);
}
