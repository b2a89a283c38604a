import { z } from "@hono/zod-openapi";
import { doc, Id, listOf, named, pageParams, Timestamp } from "../../../http/schemas.ts";
import { isEmailAddress } from "../../../lib/addresses.ts";
import { readBy } from "../../../lib/receipts.ts";

const DOMAIN = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;

/** An address, or a domain with or without an @ in front; in lower case. */
const Sender = z
  .string()
  .max(320)
  .transform((text, ctx) => {
    const sender = text.trim().toLowerCase().replace(/^@/, "");
    if (sender.includes("@") ? isEmailAddress(sender) : DOMAIN.test(sender)) return sender;
    ctx.addIssue({ code: "custom", message: "must be an email address or a domain, such as spam.example.com" });
    return z.NEVER;
  })
  .meta({ type: "string", maxLength: 320 });

export const BlockedSender = named("BlockedSender", () => ({
  id: Id,
  sender: doc(z.string(), "The address, or the domain, in lower case.", "spam.example.com"),
  kind: doc(z.enum(["address", "domain"]), "A domain includes all domains below it.", "domain"),
  unverifiedOnly: doc(
    z.boolean(),
    "Whether only unverified emails of the sender (`senderProof`) go to the trash, because the sender " +
      "was blocked from an unverified email. Block the address itself to block all of its emails.",
    false,
  ),
  createdAt: doc(Timestamp, "When it was blocked."),
}));
readBy("emails:read", BlockedSender);
export type BlockedSender = z.infer<typeof BlockedSender>;
export const BlockedSenderList = listOf(BlockedSender, "BlockedSenderList");

export const NewBlockedSender = named(
  "NewBlockedSender",
  () => ({
    sender: doc(Sender, "An email address or a domain, such as `ann@example.com` or `example.com`."),
    unverifiedOnly: doc(
      z.boolean(),
      "Whether verified emails of the sender still arrive (`senderProof`). Default: `false`.",
    ).default(false),
  }),
  { example: { sender: "offers@spam.example.com" } },
);
export type NewBlockedSender = z.output<typeof NewBlockedSender>;

export const BlockEmailSender = named(
  "BlockEmailSender",
  () => ({
    scope: doc(
      z.enum(["address", "domain"]),
      "Whether to block only the address, or its whole domain. Default: `address`.",
    ).default("address"),
  }),
  { example: { scope: "address" } },
);
export type BlockEmailSender = z.output<typeof BlockEmailSender>;

export const BlockedQuery = z.object(pageParams);
