import { z } from "@hono/zod-openapi";
import { type Address, type DraftRecipient, isEmailAddress } from "../lib/addresses.ts";
import { parseAddress } from "../lib/parse-address.ts";
import { doc } from "./schemas.ts";

/** Trimmed and lower-cased, so that an address has one spelling. */
export const EmailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .pipe(z.email())
  .meta({ type: "string", format: "email", example: "ada@example.com" });

export const addressFields = {
  name: doc(z.string().trim().max(200).nullish(), "The person's name.", "Ann Lee"),
  email: doc(z.string().trim().max(320), "The address.", "ann@example.com"),
};

/** Reads an address given as text or as an object; null, with an issue, when it is not one. */
export function readAddress(
  given: string | { name?: string | null; email: string },
  ctx: z.RefinementCtx,
): Address | null {
  // A line break would begin another header.
  const isOneLine = typeof given !== "string" || !/[\r\n]/.test(given.trim());
  const address = typeof given === "string" ? parseAddress(given) : { name: given.name ?? "", email: given.email };
  if (isOneLine && address && isEmailAddress(address.email)) return address;
  const message = "must be an email address, such as Ann Lee <ann@example.com>";
  ctx.addIssue({ code: "custom", message, ...(typeof given !== "string" && { path: ["email"] }) });
  return null;
}

export const AddressInput = z
  .union([z.string().max(500), z.object(addressFields)])
  .transform((given, ctx) => readAddress(given, ctx) ?? z.NEVER);

/** The recipients of a draft: what is no address is kept as the text that it is, for the person to complete. */
export const DraftRecipientInput = z
  .union([
    z.string(),
    z.object({
      name: doc(z.string().nullish(), "The person's name.", "Ann Lee"),
      email: doc(z.string(), "The address.", "ann@example.com"),
    }),
  ])
  .transform((given): DraftRecipient => {
    const { success, data } = AddressInput.safeParse(given);
    if (success) return data;
    if (typeof given === "string") return given.trim();
    const [name, email] = [given.name?.trim() ?? "", given.email.trim()];
    return name && email ? `${name} <${email}>` : name || email;
  });

/** For descriptions of address fields. */
export const ADDRESS_FORMS = "`Ann Lee <ann@example.com>`, `ann@example.com`, or an object";
