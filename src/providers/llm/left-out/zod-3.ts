/*
 * Stands in for `zod/v3` in the upload (`alias` in wrangler.toml). A client of models compares schemas with its
 * kinds; ours are all zod 4, which it knows by another sign.
 */

export const ZodFirstPartyTypeKind = {};
