import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { streamOf } from "../../../http/upload.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { TransferParams } from "../../transfers/schemas.ts";
import { removeTransfer } from "../../transfers/service.ts";
import { CalendarImport, CalendarImports } from "./schemas.ts";
import { getCalendarImport, listCalendarImports, startCalendarImport } from "./service.ts";

export const routes = createRouter();

const FILE = {
  types: ["text/calendar", "application/octet-stream"],
  maxBytes: 10 * 1024 * 1024,
  isStreamed: true,
} as const;

routes.endpoint("post", "/api/calendar/import", {
  operationId: "importCalendar",
  summary: "Import a calendar file",
  description:
    "Imports the events of an .ics file (at most 10 MiB), series and all-day events included. An event whose UID is " +
    "already there is updated, unless the file has an older one, so a file can be imported again. Nothing is emailed, " +
    "and new events raise no outbound events. Read the job until its `state` is `succeeded`.",
  guard: data("calendar:write"),
  rateLimit: "expensive",
  upload: FILE,
  returns: { 202: CalendarImport },
  errors: ["unavailable"],
  handle: async ({ c, ctx }) => {
    const file = streamOf(c, FILE);
    if (!file) throw validationFailed({ path: "", message: "Send the calendar file as the body, not JSON" });
    return startCalendarImport(ctx, file);
  },
});

routes.endpoint("get", "/api/calendar/import", {
  operationId: "listCalendarImports",
  summary: "List calendar imports",
  description: "Returns the imports of calendar files of the last 7 days, newest first.",
  guard: data("calendar:read"),
  query: PageQuery,
  returns: { 200: CalendarImports },
  handle: ({ ctx, query }) => listCalendarImports(ctx, query),
});

routes.endpoint("get", "/api/calendar/import/{id}", {
  operationId: "getCalendarImport",
  summary: "Get a calendar import",
  description: "Returns the progress and the result of the import, and why events were skipped.",
  guard: data("calendar:read"),
  params: TransferParams,
  returns: { 200: CalendarImport },
  handle: ({ ctx, params }) => getCalendarImport(ctx, params.id),
});

routes.endpoint("delete", "/api/calendar/import/{id}", {
  operationId: "deleteCalendarImport",
  summary: "Delete a calendar import",
  description: "Stops the import if it is still running. Imported events are kept.",
  guard: data("calendar:write"),
  params: TransferParams,
  returns: { 204: null },
  handle: ({ ctx, params }) => removeTransfer(ctx, "calendar_import", params.id),
});
