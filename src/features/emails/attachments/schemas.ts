import { z } from "@hono/zod-openapi";
import { doc, FlagParam, IdParam, named } from "../../../http/schemas.ts";
import { Attachment } from "../schemas.ts";

export const AttachmentList = named("AttachmentList", () => ({
  data: doc(z.array(Attachment), "All attachments of the email, pictures in its HTML included."),
}));

export const AttachmentParams = z.object({
  id: IdParam,
  n: doc(z.coerce.number().int().min(1).max(100_000), "Number of the attachment, from 1.", 1),
});

export const AttachmentQuery = z.object({
  inline: doc(
    FlagParam.optional(),
    "Lets the browser show the file: pictures, PDF, plain text, audio and video. Files of every other type are always saved.",
  ),
});
