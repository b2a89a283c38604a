import { byteRange, rangeHeaders } from "../../../http/byte-range.ts";
import { user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { streamOf } from "../../../http/upload.ts";
import { TransferParams } from "../../transfers/schemas.ts";
import { removeTransfer } from "../../transfers/service.ts";
import {
  ArchiveUpload,
  ExportJob,
  ExportJobs,
  ImportJob,
  ImportJobs,
  ImportRequest,
  UploadPartParams,
} from "./schemas.ts";
import {
  deleteExport,
  findArchive,
  getExport,
  getImport,
  importArchive,
  importUpload,
  listExports,
  listImports,
  startExport,
} from "./service.ts";
import { getUpload, startUpload, UPLOAD_PART_BYTES, uploadPart } from "./uploads.ts";

export const routes = createRouter();

/** The largest request body on every plan of the platform. */
const ARCHIVE = { types: ["application/zip"], maxBytes: 95 * 1024 * 1024, isStreamed: true } as const;
const PART = { types: ["application/octet-stream"], maxBytes: UPLOAD_PART_BYTES, isStreamed: true } as const;

routes.endpoint("post", "/api/settings/data/exports", {
  operationId: "startExport",
  summary: "Start an export",
  description:
    "Makes a ZIP archive of the data of your account; the owner's also has the data of the service: emails as they " +
    "arrived with their attachments, tasks, events and more. Secrets are left out. Read the job until its `state` is " +
    "`succeeded`, then download the archive from `downloadUrl` within 7 days. One export runs at a time.",
  guard: user,
  rateLimit: "expensive",
  returns: { 202: ExportJob },
  errors: ["conflict", "unavailable"],
  idempotent: true,
  handle: ({ ctx }) => startExport(ctx),
});

routes.endpoint("get", "/api/settings/data/exports", {
  operationId: "listExports",
  summary: "List your exports",
  description: "Returns your exports, newest first.",
  guard: user,
  query: PageQuery,
  returns: { 200: ExportJobs },
  handle: ({ ctx, query }) => listExports(ctx, query),
});

routes.endpoint("get", "/api/settings/data/exports/{id}", {
  operationId: "getExport",
  summary: "Get an export",
  description: "Returns the progress of the export and, once it is complete, the download address.",
  guard: user,
  params: TransferParams,
  returns: { 200: ExportJob },
  handle: ({ ctx, params }) => getExport(ctx, params.id),
});

routes.endpoint("get", "/api/settings/data/exports/{id}/download", {
  operationId: "downloadExport",
  summary: "Download an export",
  description: "Returns the archive. A `Range` of bytes returns a part of it, so that a download can be continued.",
  guard: user,
  params: TransferParams,
  returns: {
    200: { type: "application/zip", description: "The archive" },
    206: { type: "application/zip", description: "A part of the archive" },
  },
  errors: ["conflict", "unavailable"],
  handle: async ({ c, ctx, params }) => {
    const { name, size, read } = await findArchive(ctx, params.id);
    const range = byteRange(c.req.header("range"), size);
    return c.body(await read(range), range ? 206 : 200, {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="${name}"`,
      ...rangeHeaders(range, size),
    });
  },
});

routes.endpoint("delete", "/api/settings/data/exports/{id}", {
  operationId: "deleteExport",
  summary: "Delete an export",
  description: "Deletes the export with its archive. Cancels it if it is still running.",
  guard: user,
  params: TransferParams,
  returns: { 204: null },
  handle: ({ ctx, params }) => deleteExport(ctx, params.id),
});

routes.endpoint("post", "/api/settings/data/import", {
  operationId: "importData",
  summary: "Import an archive",
  description:
    "Imports the archive of an export into an empty service, which has only the owner's account. Send the archive " +
    "as the body (at most 95 MiB), or upload a larger one in parts and send its `uploadId`. Records keep their ids, " +
    "versions and times; your account keeps its address, password and two-factor authentication. All records are " +
    "checked before the first is written; if the import fails or is deleted, its records are removed. Raises no " +
    "events. Only for the owner.",
  guard: user,
  rateLimit: "expensive",
  body: ImportRequest,
  upload: ARCHIVE,
  returns: { 202: ImportJob },
  errors: ["conflict", "not_found", "unavailable"],
  handle: async ({ c, ctx, body }) => {
    const file = streamOf(c, ARCHIVE);
    return file ? importArchive(ctx, file) : importUpload(ctx, body.uploadId);
  },
});

routes.endpoint("get", "/api/settings/data/import", {
  operationId: "listImports",
  summary: "List your imports",
  description: "Returns the imports of archives, newest first.",
  guard: user,
  query: PageQuery,
  returns: { 200: ImportJobs },
  handle: ({ ctx, query }) => listImports(ctx, query),
});

routes.endpoint("get", "/api/settings/data/import/{id}", {
  operationId: "getImport",
  summary: "Get an import",
  description: "Returns the progress of the import and, once it is complete, its result.",
  guard: user,
  params: TransferParams,
  returns: { 200: ImportJob },
  handle: ({ ctx, params }) => getImport(ctx, params.id),
});

routes.endpoint("delete", "/api/settings/data/import/{id}", {
  operationId: "deleteImport",
  summary: "Delete an import",
  description:
    "Cancels a running import and removes the records it wrote. For a finished import, only its entry " +
    "in the list is deleted.",
  guard: user,
  params: TransferParams,
  returns: { 204: null },
  handle: ({ ctx, params }) => removeTransfer(ctx, "import", params.id),
});

routes.endpoint("post", "/api/settings/data/uploads", {
  operationId: "startUpload",
  summary: "Start an upload",
  description:
    "Begins the upload of an archive that is too large for one request. Send its parts, then start the import with " +
    "`uploadId`. The five newest uploads are kept: another one deletes the oldest. Only for the owner.",
  guard: user,
  rateLimit: "expensive",
  returns: { 201: ArchiveUpload },
  errors: ["conflict", "unavailable"],
  handle: ({ ctx }) => startUpload(ctx),
});

routes.endpoint("get", "/api/settings/data/uploads/{id}", {
  operationId: "getUpload",
  summary: "Get an upload",
  description: "Returns which parts have arrived, to continue an upload that was interrupted.",
  guard: user,
  params: TransferParams,
  returns: { 200: ArchiveUpload },
  handle: ({ ctx, params }) => getUpload(ctx, params.id),
});

routes.endpoint("put", "/api/settings/data/uploads/{id}/parts/{part}", {
  operationId: "uploadPart",
  summary: "Upload a part",
  description:
    "Stores a part of the archive. Every part but the last must have exactly `partSize` bytes. A part that is sent again " +
    "replaces the first one.",
  guard: user,
  params: UploadPartParams,
  upload: PART,
  returns: { 200: ArchiveUpload },
  errors: ["unavailable"],
  handle: ({ c, ctx, params }) => uploadPart(ctx, params, streamOf(c, PART) ?? new Blob([]).stream()),
});

routes.endpoint("delete", "/api/settings/data/uploads/{id}", {
  operationId: "deleteUpload",
  summary: "Delete an upload",
  description: "Deletes an upload and its parts.",
  guard: user,
  params: TransferParams,
  returns: { 204: null },
  handle: ({ ctx, params }) => removeTransfer(ctx, "upload", params.id),
});
