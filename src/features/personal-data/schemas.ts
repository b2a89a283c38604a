import { z } from "@hono/zod-openapi";
import { EmailAddress } from "../../http/address-schemas.ts";
import { doc, named, Timestamp } from "../../http/schemas.ts";

export const DataExport = named("DataExport", () => ({
  format: doc(z.literal("poa-export"), "Always `poa-export`.", "poa-export"),
  exportedAt: doc(Timestamp, "When the export was started."),
  data: doc(z.record(z.string(), z.array(z.unknown())), "The records by kind.", {
    account: [{ id: 1, email: "ada@example.com", name: "Ada Lovelace" }],
    tasks: [],
  }),
  complete: doc(z.boolean(), "False if an error ended the export early.", true),
  fault: doc(z.string().nullable(), "What ended the export early; null if it is complete.", null),
}));

export const AccountDeletion = named(
  "AccountDeletion",
  () => ({
    confirm: doc(EmailAddress, "Email address of your account, to confirm that you want to delete it."),
    newOwner: doc(
      EmailAddress.optional(),
      "Address of the account that becomes the owner. Required if you are the owner and other accounts exist.",
      "grace@example.com",
    ),
  }),
  {
    example: {
      confirm: "ada@example.com",
      newOwner: "grace@example.com",
      currentPassword: "correct horse battery staple",
    },
  },
);
