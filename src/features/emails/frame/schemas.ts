import { z } from "@hono/zod-openapi";
import { doc } from "../../../http/schemas.ts";
import { AttachmentParams } from "../attachments/schemas.ts";

export const FrameQuery = z.object({
  images: doc(
    z.enum(["own", "all"]).default("own"),
    "`own`: pictures that are part of the email. `all`: also those that the sender keeps on the web, which tells the sender " +
      "that you have opened the email.",
    "own",
  ),
  quotes: doc(
    z.enum(["shown", "folded"]).default("shown"),
    "`folded` leaves out what the email quotes of those it answers. Default: `shown`.",
    "shown",
  ),
});
export type FrameQuery = z.output<typeof FrameQuery>;

export const PictureParams = AttachmentParams;

export const PictureQuery = z.object({
  holder: doc(
    z.string().max(100).default(""),
    "The session or API key that it was made for.",
    "sYk3vJ0m7T1uVq2hN5b8xcQ",
  ),
  expires: doc(z.coerce.number().int().min(0), "When the address stops working, in milliseconds.", 1_794_825_000_000),
  signature: doc(z.string().min(1).max(100), "Signature of the address.", "hQ3v…dE"),
});
