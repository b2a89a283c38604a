import { z } from "@hono/zod-openapi";
import { doc, Id, listOf, named, pageParams, versionFields } from "../../../http/schemas.ts";
import { readBy } from "../../../lib/receipts.ts";

const MAX_TEXT = 10_000;

/** As it is typed behind a semicolon, so that it has no space; in lower case. */
const Name = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .transform((text) => text.normalize("NFC").toLowerCase())
  .refine(
    (text) => /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_-]*$/u.test(text),
    "must be one word of letters, digits, - and _, such as thanks",
  )
  .meta({ type: "string", minLength: 1, maxLength: 40 });

const NAME =
  "The word that inserts it when you type it behind a semicolon: `;thanks`. In lower case; each is used once.";
const TEXT =
  "The text, with placeholders: `{first name}` of the recipient, `{my name}`, `{date}` of today, and `{cursor}` where " +
  "you go on writing. The console fills them in.";

export const Snippet = named("EmailSnippet", () => ({
  id: Id,
  name: doc(z.string(), NAME, "thanks"),
  text: doc(z.string(), TEXT, "Hello {first name},\n\nthank you for your message. {cursor}\n\n{my name}"),
  ...versionFields,
}));
readBy("emails:read", Snippet);
export type Snippet = z.infer<typeof Snippet>;

export const SnippetList = listOf(Snippet, "EmailSnippetList");

const input = {
  name: doc(Name, NAME),
  text: doc(z.string().min(1).max(MAX_TEXT), TEXT),
};

export const NewSnippet = named("NewEmailSnippet", () => input, {
  example: { name: "received", text: "Hello {first name},\n\nI have it, thank you. {cursor}" },
});
export type NewSnippet = z.output<typeof NewSnippet>;

export const SnippetChanges = named("EmailSnippetChanges", () => z.object(input).partial().shape, {
  example: { text: "Thank you, {first name}. {cursor}" },
});
export type SnippetChanges = z.output<typeof SnippetChanges>;

export const SnippetQuery = z.object(pageParams);
