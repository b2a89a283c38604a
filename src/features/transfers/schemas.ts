import { z } from "@hono/zod-openapi";
import { doc, Timestamp } from "../../http/schemas.ts";
import { TRANSFER_STATES } from "../../lib/transfer-kinds.ts";

/** The id of an import or export in a path. */
export const TransferParams = z.object({
  id: z.uuid().meta({ description: "Id of the job.", example: "0b54c0de-5a4c-4f5e-9a39-0d6f2c1f7a11" }),
});

export const transferFields = {
  id: doc(z.string(), "Id of the job.", "0b54c0de-5a4c-4f5e-9a39-0d6f2c1f7a11"),
  state: doc(
    z.enum(TRANSFER_STATES),
    "`queued`: it has not begun. `running`, `succeeded`, `failed`: see `error`. `cancelled`: somebody deleted it while it ran.",
    "succeeded",
  ),
  progress: doc(
    z.object({
      done: doc(z.int(), "Number of processed records.", 1250),
      total: doc(z.int().nullable(), "Total number of records; null while it is not known.", 1250),
    }),
    "How far it is.",
  ),
  error: doc(z.string().nullable(), "Why it failed, in plain English; null if it did not.", null),
  createdAt: doc(Timestamp, "When it was requested."),
  finishedAt: doc(Timestamp.nullable(), "When it ended; null while it is running or being reverted."),
  expiresAt: doc(Timestamp, "When it is deleted, with its file."),
};
