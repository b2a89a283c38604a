import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp } from "../../../http/schemas.ts";

const MAX_NAME = 200;

const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), "must be one line");

export const UploadQuery = z.object({
  name: doc(oneLine(MAX_NAME), "Name of the file, as recipients see it.", "contract.pdf"),
  type: doc(
    z
      .string()
      .toLowerCase()
      .max(100)
      .regex(/^[\w.+-]+\/[\w.+-]+$/, "must be a media type such as application/pdf")
      .optional(),
    "Media type of the file. Default: by the ending of its name.",
    "application/pdf",
  ),
  contentId: doc(
    z
      .string()
      .max(100)
      .regex(/^[\w.@+-]+$/, "must be letters, digits and any of . @ + - _")
      .optional(),
    'For a picture within the HTML, which shows it as `<img src="cid:…">`.',
    "logo",
  ),
});
export type UploadQuery = z.output<typeof UploadQuery>;

export const UploadedParams = z.object({
  id: doc(z.string().max(64), "Id of the file.", "0b0e7b0a-6d0f-4a57-9a55-6f2f3a1d9c11"),
});

export const UploadedAttachment = named(
  "UploadedAttachment",
  () => ({
    id: doc(z.string(), "Send it as one of `attachmentIds`.", "0b0e7b0a-6d0f-4a57-9a55-6f2f3a1d9c11"),
    name: doc(z.string(), "Name of the file.", "contract.pdf"),
    type: doc(z.string(), "Media type.", "application/pdf"),
    size: doc(z.int(), "Size in bytes.", 48_213),
    contentId: doc(z.string().nullable(), "Name of the picture within the HTML; null for other files.", null),
    expiresAt: doc(Timestamp.nullable(), "When it is deleted if it is not used. Null while a draft uses it."),
  }),
  { description: "An uploaded file that is not attached yet." },
);
export type UploadedAttachment = z.infer<typeof UploadedAttachment>;
