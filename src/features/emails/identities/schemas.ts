import { z } from "@hono/zod-openapi";
import { ADDRESS_FORMS, AddressInput } from "../../../http/address-schemas.ts";
import { doc, Id, listOf, named, versionFields } from "../../../http/schemas.ts";

export const MAX_UNDO_SECONDS = 120;
const MAX_SIGNATURE = 10_000;

// Not the named schema: one that is first met as nullable would be nullable everywhere.
const ReplyTo = z.object({
  name: doc(z.string(), "The name; empty if there is none.", "Front desk"),
  email: doc(z.string(), "The address.", "desk@example.com"),
});

/** Has no `type` of its own, which would hide that it may be null. */
const SenderAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .refine((text) => z.email().safeParse(text).success, "must be an email address");

const NAME = "The name that recipients see.";
const ADDRESS =
  "The sender's address. Null: the address of the service, `MAIL_FROM`. It must be at the domain of `MAIL_FROM`. The " +
  "owner may use any address there that belongs to no other account; others only `MAIL_FROM` and their own verified " +
  "address.";
const REPLY_TO =
  "Where replies go. Null: to the inbox that received the email being answered, otherwise to the sender's address.";
const SIGNATURE = "Signature in plain text, put under each email once. Null: none.";
const SIGNATURE_HTML = "Signature of HTML emails. Null: the plain one.";
const UNDO =
  "Delay in seconds before each email of this identity is sent. Until then `POST " +
  "/api/emails/{id}/cancel-send` cancels it. 0: no delay.";
const IS_DEFAULT = "Whether emails without `identityId` are sent as this identity. Setting it unsets it on the others.";

export const SenderIdentity = named("SenderIdentity", () => ({
  id: Id,
  name: doc(z.string(), NAME, "Ada Lovelace"),
  address: doc(z.string().nullable(), ADDRESS, "ada@example.com"),
  replyTo: doc(ReplyTo.nullable(), REPLY_TO),
  signature: doc(z.string().nullable(), SIGNATURE, "Ada Lovelace\nAnalytical Engines Ltd"),
  signatureHtml: doc(z.string().nullable(), SIGNATURE_HTML, "<p>Ada Lovelace</p>"),
  undoSendSeconds: doc(z.int(), UNDO, 10),
  isDefault: doc(z.boolean(), IS_DEFAULT, true),
  ...versionFields,
}));
export type SenderIdentity = z.infer<typeof SenderIdentity>;

export const SenderIdentityList = listOf(SenderIdentity, "SenderIdentityList");

const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), "must be one line");
const Signature = z.string().max(MAX_SIGNATURE).nullable();

const input = {
  name: doc(Name, NAME),
  address: doc(SenderAddress.nullable(), ADDRESS),
  replyTo: doc(AddressInput.nullable(), `${REPLY_TO} ${ADDRESS_FORMS}.`),
  signature: doc(Signature, SIGNATURE),
  signatureHtml: doc(Signature, SIGNATURE_HTML),
  undoSendSeconds: doc(z.int().min(0).max(MAX_UNDO_SECONDS), UNDO),
  isDefault: doc(z.boolean(), IS_DEFAULT),
};

export const NewSenderIdentity = named(
  "NewSenderIdentity",
  () => ({
    name: input.name,
    address: input.address.default(null),
    replyTo: input.replyTo.default(null),
    signature: input.signature.default(null),
    signatureHtml: input.signatureHtml.default(null),
    undoSendSeconds: input.undoSendSeconds.default(0),
    isDefault: doc(z.boolean().optional(), `${IS_DEFAULT} Default: true for the first identity.`),
  }),
  { example: { name: "Ada Lovelace", signature: "Ada Lovelace\nAnalytical Engines Ltd", undoSendSeconds: 10 } },
);
export type NewSenderIdentity = z.output<typeof NewSenderIdentity>;

export const SenderIdentityChanges = named("SenderIdentityChanges", () => z.object(input).partial().shape, {
  example: { signature: "Ada" },
});
export type SenderIdentityChanges = z.output<typeof SenderIdentityChanges>;
