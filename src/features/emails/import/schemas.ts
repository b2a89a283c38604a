import { z } from "@hono/zod-openapi";
import { doc, FlagParam, listOf, named } from "../../../http/schemas.ts";
import { EMAIL_STATUSES } from "../../../lib/email-kinds.ts";
import { MAX_TAG_CHARACTERS, MAX_TAGS, normaliseTag, uniqueTags } from "../../../lib/tags.ts";
import { transferFields } from "../../transfers/schemas.ts";

export const EmailImportQuery = z.object({
  status: doc(
    z.enum(EMAIL_STATUSES).optional(),
    "Status of all imported emails. Default: from the file (`X-Gmail-Labels`), otherwise `archived`.",
  ),
  inboxDays: doc(
    z.coerce.number().int().min(1).max(3650).optional(),
    "Emails received in the last so many days go to the inbox, older ones to the archive. What the file puts into spam or " +
      "trash stays there, and what you sent is archived. Not together with `status`.",
    30,
  ),
  isRead: doc(
    FlagParam.optional(),
    "Whether all imported emails are marked as read. Default: from the file (`Status`, `X-Gmail-Labels`), otherwise " +
      "true.",
  ),
  analyze: doc(
    FlagParam.optional(),
    "Whether the received ones are analyzed, one after another in the background. Costs tokens if a model is active. Default: false.",
  ),
  name: doc(z.string().max(200).optional(), "Name of the file, to recognize the import by."),
  tags: z
    .string()
    .max(2000)
    .transform((text) => uniqueTags(text.split(",").map(normaliseTag).filter(Boolean)))
    .refine((tags) => tags.length <= MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
    .refine(
      (tags) => tags.every((tag) => [...tag].length <= MAX_TAG_CHARACTERS),
      `must be tags of at most ${MAX_TAG_CHARACTERS} characters`,
    )
    .optional()
    .meta({ type: "string", description: "Tags that all of them get, separated by commas." }),
});
export type EmailImportOptions = z.infer<typeof EmailImportQuery>;

const count = (description: string, example: number) => doc(z.int(), description, example);

export const EmailImport = named("EmailImport", () => ({
  ...transferFields,
  name: doc(z.string().nullable(), "Name of the file, if it was given.", "ada.mbox"),
  result: doc(
    z.object({
      created: count("New emails.", 1180),
      boxes: doc(
        z.object({
          inbox: count("In the inbox.", 40),
          archived: count("In the archive.", 1135),
          spam: count("In spam.", 5),
          trash: count("In the trash.", 0),
        }),
        "Where the new emails went.",
      ),
      duplicates: count("Emails that already existed, by their Message-ID.", 20),
      skipped: count("Messages that were not imported.", 1),
      problems: doc(
        z.array(
          z.object({
            at: doc(z.int(), "Where the message begins in the file, in bytes.", 52_430),
            reason: doc(z.string(), "Why it was not imported.", "It is larger than 25 MiB."),
          }),
        ),
        "Why messages were skipped: the first 100.",
      ),
    }),
    "The result so far.",
  ),
}));
export type EmailImport = z.infer<typeof EmailImport>;

export const EmailImports = listOf(EmailImport, "EmailImports");
