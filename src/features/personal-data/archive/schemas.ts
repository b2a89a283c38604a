import { z } from "@hono/zod-openapi";
import { doc, listOf, named, Timestamp } from "../../../http/schemas.ts";
import { transferFields } from "../../transfers/schemas.ts";

const records = doc(z.record(z.string(), z.int()), "Number of records by kind.", { emails: 1200, tasks: 50 });
const files = doc(z.int(), "Number of files, such as raw emails.", 1180);

export const ExportJob = named("ExportJob", () => ({
  ...transferFields,
  size: doc(z.int().nullable(), "Bytes of the archive; null until it is complete.", 48_211_034),
  downloadUrl: doc(
    z.string().nullable(),
    "Where to download the archive, with your session token; null until it is complete.",
    "https://poa.example.com/api/settings/data/exports/0b54c0de-5a4c-4f5e-9a39-0d6f2c1f7a11/download",
  ),
  result: doc(
    z
      .object({
        records,
        files,
        missingFiles: doc(z.int(), "Files that the store no longer had, and that the archive is without.", 0),
      })
      .nullable(),
    "What the archive has; null until it is complete.",
  ),
}));
export type ExportJob = z.infer<typeof ExportJob>;

export const ExportJobs = listOf(ExportJob, "ExportJobs");

export const ImportJob = named("ImportJob", () => ({
  ...transferFields,
  result: doc(
    z
      .object({
        records,
        files,
        leftOut: doc(
          z.array(
            z.object({
              name: doc(z.string(), "Kind of record.", "apiKeys"),
              records: doc(z.int(), "How many the archive has.", 2),
              reason: doc(z.string(), "Why they cannot be imported."),
            }),
          ),
          "What the archive has for information only.",
        ),
        changed: doc(
          z.array(
            z.object({
              name: doc(z.string(), "Kind of record.", "emails"),
              records: doc(z.int(), "How many.", 1),
              reason: doc(z.string(), "What is different, and why."),
            }),
          ),
          "Records that could have reached other people a second time. They wait for your decision.",
        ),
        exportedAt: doc(Timestamp, "When the archive was made."),
        account: doc(z.string(), "Address of the account that the archive is from.", "ada@example.com"),
      })
      .nullable(),
    "What was imported; null until it is complete.",
  ),
}));
export type ImportJob = z.infer<typeof ImportJob>;

export const ImportJobs = listOf(ImportJob, "ImportJobs");

export const ImportRequest = named(
  "ImportRequest",
  () => ({ uploadId: doc(z.uuid(), "Id of a complete upload, for an archive that is sent in parts.") }),
  { example: { uploadId: "0b54c0de-5a4c-4f5e-9a39-0d6f2c1f7a11" } },
);

export const ArchiveUpload = named("ArchiveUpload", () => ({
  id: doc(z.string(), "Id of the upload.", "0b54c0de-5a4c-4f5e-9a39-0d6f2c1f7a11"),
  partSize: doc(z.int(), "Bytes of every part; only the last part may be smaller.", 33_554_432),
  parts: doc(z.array(z.int()), "Numbers of the parts that have arrived, from 1.", [1, 2]),
  size: doc(z.int(), "Bytes that have arrived.", 67_108_864),
  createdAt: doc(Timestamp, "When the upload was begun."),
  expiresAt: doc(Timestamp, "When it is deleted, unless its import has begun."),
}));
export type ArchiveUpload = z.infer<typeof ArchiveUpload>;

export const UploadPartParams = z.object({
  id: z.uuid().meta({ description: "Id of the upload.", example: "0b54c0de-5a4c-4f5e-9a39-0d6f2c1f7a11" }),
  part: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, "must be from 1 to 9999")
    .transform(Number)
    .meta({ type: "integer", minimum: 1, maximum: 9999, description: "Number of the part, from 1.", example: 1 }),
});
