import { words } from "./words.ts";

/** The kinds of files that can be asked for. */
export const FILE_KINDS = words("pdf image document spreadsheet presentation calendar audio video archive");
export type FileKind = (typeof FILE_KINDS)[number];

/** How their names end. */
const ENDINGS: Record<FileKind, string> = {
  pdf: "pdf",
  image: "png jpg jpeg gif webp avif bmp heic heif svg tif tiff",
  document: "doc docx odt rtf pages txt md",
  spreadsheet: "xls xlsx ods csv tsv numbers",
  presentation: "ppt pptx odp key",
  calendar: "ics",
  audio: "mp3 m4a wav ogg flac aac opus",
  video: "mp4 mov avi mkv webm m4v",
  archive: "zip rar 7z tar gz tgz bz2 xz",
};

/** In lower case, without a dot. */
export const endingsOf = (kind: FileKind): string[] => ENDINGS[kind].split(" ");

/** Null for a file of no kind. */
export function fileKindOf(name: string): FileKind | null {
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return name.includes(".") ? (FILE_KINDS.find((kind) => endingsOf(kind).includes(ending)) ?? null) : null;
}

const SAFE = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|application\/pdf)$/;
const BY_ENDING: Record<string, string> = {
  pdf: "application/pdf",
  jpg: "image/jpeg",
  ...Object.fromEntries(words("png jpeg gif webp avif bmp").map((ending) => [ending, `image/${ending}`])),
  ...Object.fromEntries(words("txt md csv tsv log ics json xml").map((ending) => [ending, "text/plain"])),
};

/**
 * The media type that a file is shown with; null if it is not shown. Text of every kind is plain text. Many programs do
 * not say what they attach: then the name does.
 */
export function previewType({ name, type }: { name: string; type: string }): string | null {
  if (SAFE.test(type)) return type;
  if (type.startsWith("text/")) return "text/plain";
  const isUnknown = /^application\/(?:octet-stream|x-download|force-download|json|xml)$/.test(type);
  const ending = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  return isUnknown ? (BY_ENDING[ending] ?? null) : null;
}
