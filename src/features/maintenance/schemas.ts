import { z } from "@hono/zod-openapi";
import { doc, named } from "../../http/schemas.ts";

export const RecountRequest = named(
  "RecountRequest",
  () => ({
    repair: doc(z.boolean().default(false), "Correct what differs. Default: false, which only reports it.", true),
    after: doc(z.string().max(100).optional(), "`next` of the previous response, to continue a long recount."),
  }),
  { example: { repair: true } },
);

const Values = z.record(z.string(), z.union([z.string(), z.number()]).nullable());

const Difference = named("RecountDifference", () => ({
  table: doc(z.string(), "The table whose row differs.", "counters"),
  problem: doc(
    z.enum(["missing", "surplus", "different"]),
    "`missing`: the row should exist. `surplus`: it should not. `different`: its values are wrong.",
    "different",
  ),
  key: doc(Values, "The columns that identify the row.", { area: "emails", key: "unread" }),
  stored: doc(Values.nullable(), "Its values. Null when it is missing, and for search indexes.", { value: 12 }),
  expected: doc(Values.nullable(), "The correct values. Null for surplus rows and search indexes.", { value: 11 }),
}));

export const RecountResult = named("RecountResult", () => ({
  repaired: doc(z.boolean(), "Whether the differences were corrected.", true),
  tables: doc(
    z.array(
      z.object({
        table: doc(z.string(), "A table that was compared.", "counters"),
        differences: doc(z.int(), "Number of rows that differed.", 1),
      }),
    ),
    "Every table that this call compared.",
  ),
  differences: doc(z.array(Difference), "The first 20 differences of each page of a table."),
  next: doc(z.string().nullable(), "Send it as `after` to continue; null when everything was compared.", null),
}));

export const RotateRequest = named(
  "RotateRequest",
  () => ({
    after: doc(z.string().max(100).optional(), "`next` of the previous response, to continue a long rotation."),
  }),
  { example: {} },
);

export const RotateResult = named("RotateResult", () => ({
  values: doc(
    z.array(
      z.object({
        kind: doc(z.string(), "What the values are for.", "webhooks"),
        resealed: doc(z.int(), "Values that this call encrypted again with the current key.", 2),
        alreadyCurrent: doc(z.int(), "Values that were encrypted with the current key before.", 5),
        waiting: doc(z.int(), "Values that were changed meanwhile. Call again in a few minutes.", 0),
        unreadable: doc(z.int(), "Values that neither key can decrypt. Save them again.", 0),
      }),
    ),
    "The values that this call looked at, by kind.",
  ),
  passwords: doc(
    z.object({
      current: doc(z.int(), "Passwords hashed with `PASSWORD_PEPPER`.", 2),
      previous: doc(
        z.int(),
        "Passwords hashed with `PASSWORD_PEPPER_PREVIOUS`. Each is hashed again when its owner signs in.",
        0,
      ),
      unknown: doc(
        z.int(),
        "Passwords hashed with another pepper. Nobody can sign in with one; it has to be reset.",
        0,
      ),
    }),
    "All accounts, by the pepper of their password.",
  ),
  next: doc(z.string().nullable(), "Send it as `after` to continue; null when every value was looked at.", null),
}));
