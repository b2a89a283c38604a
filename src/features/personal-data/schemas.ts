import { z } from "@hono/zod-openapi";
import { EmailAddress, Timestamp } from "../../http/schemas.ts";

export const DataExport = z
  .object({
    format: z.literal("poa-export").openapi({ example: "poa-export" }),
    exportedAt: Timestamp,
    data: z.record(z.string(), z.array(z.unknown())).openapi({
      example: { account: [{ id: 1, email: "ada@example.com", name: "Ada Lovelace" }], tasks: [] },
      description: "What is kept, by kind. For the owner also mail, tasks, events and sync runs.",
    }),
    complete: z.boolean().openapi({ example: true, description: "False when a fault ended the export early." }),
    fault: z.string().nullable().openapi({ example: null }),
  })
  .openapi("DataExport");

export const AccountDeletion = z
  .object({
    confirm: EmailAddress.openapi({ description: "The address of the account, so that nobody deletes it by mistake." }),
    newOwner: EmailAddress.optional().openapi({
      example: "grace@example.com",
      description: "Whose the service is from then on; needed from its owner while others have accounts.",
    }),
  })
  .openapi("AccountDeletion");
