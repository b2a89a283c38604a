import { z } from "@hono/zod-openapi";
import { doc, FlagParam } from "../../http/schemas.ts";

export const MailboxSyncQuery = z.object({
  full: doc(
    FlagParam.optional(),
    "Compares every message again, and takes it for true if most of them are missing in the mailbox.",
  ),
});
