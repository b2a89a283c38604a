import * as z from "zod";
import { type ArchivedTable, MAX_ID } from "../../../db/archive.ts";
import type { PersonalData } from "../../../db/personal-data.ts";
import { toBytes, toHex } from "../../../lib/encoding.ts";
import { PERSONAL_DATA } from "../sections.ts";

/*
 * An archive is a ZIP file: `data/<section>/<part>.ndjson` has one record a line, and `data/<section>/<part>/` before it the
 * files that these records refer to. `manifest.json` is its last entry.
 */

export const FORMAT = "poa-archive";
/** Raised when an older service could not read an archive any more. */
export const FORMAT_VERSION = 1;
export const MANIFEST_NAME = "manifest.json";
export const README_NAME = "README.txt";

const SectionSummary = z.strictObject({
  name: z.string(),
  records: z.int().min(0),
  files: z.int().min(0),
  parts: z.int().min(0),
  /** The highest id; 0 where records have no numbers. */
  lastId: z.int().min(0).max(MAX_ID),
  /** The SHA-256 of its parts, each chained to the one before. */
  digest: z.string(),
  /** Why an import leaves it out; null if it does not. */
  notImported: z.string().nullable(),
});
export type SectionSummary = z.infer<typeof SectionSummary>;

export const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  version: z.int().min(1),
  service: z.string(),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  account: z.strictObject({ id: z.int(), email: z.string(), name: z.string(), role: z.enum(["owner", "member"]) }),
  sections: z.array(SectionSummary),
  /** Files that the store did not have. */
  missingFiles: z.int().min(0),
});
export type Manifest = z.infer<typeof Manifest>;

const partName = (section: string, part: number) => `data/${section}/${String(part).padStart(5, "0")}`;

export function recordsName(section: string, part: number): string {
  return `${partName(section, part)}.ndjson`;
}

export function fileName(section: string, part: number, name: string): string {
  return `${partName(section, part)}/${name}`;
}

interface EntryPlace {
  section: string;
  part: number;
  /** Null for the records themselves. */
  file: string | null;
}

/** Where an entry belongs; null for a name that no archive of ours has. */
export function placeOf(name: string): EntryPlace | null {
  const [, section, part, file, records] =
    /^data\/(\w{1,40})\/(\d{5,9})(?:\/(\w[\w.-]{0,99})|(\.ndjson))$/.exec(name) ?? [];
  if (!section || !part || (file === undefined && records === undefined)) return null;
  return { section, part: Number(part), file: file ?? null };
}

export async function chainDigest(before: string, content: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", toBytes(`${before}\n${content}`))));
}

export function isTable(archive: PersonalData["archive"]): archive is ArchivedTable {
  return "table" in archive;
}

/**
 * How many records a part has at most. One with files has fewer, which are read within one slice; and no part takes long to
 * check or to write in one go.
 */
export function rowsAPart(table: ArchivedTable | null): number {
  return table?.files ? 200 : 1000;
}

/** In the order of an archive: what changes the account itself comes last. */
export function inArchiveOrder(sections: readonly PersonalData[] = PERSONAL_DATA): PersonalData[] {
  const kept = sections.filter(({ archive }) => !("within" in archive));
  const isLast = ({ archive }: PersonalData) => isTable(archive) && archive.isLast === true;
  return [...kept.filter((section) => !isLast(section)), ...kept.filter(isLast)];
}

export function readmeText(service: string): string {
  return `This archive was exported from a Personal Operations Assistant Service, version ${service}.

data/<kind>/<part>.ndjson   records, one JSON object a line
data/<kind>/<part>/         files of these records: .eml files are emails as they arrived, with their attachments;
                            any email program opens them
manifest.json               what the archive has, with counts and checksums

Passwords, keys and other secrets are not in it. To read it back, upload it to an empty service:
POST /api/settings/data/import, or \`npm run restore\`.
`;
}
