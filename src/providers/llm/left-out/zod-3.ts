/*
 * Replaces `zod/v3` in the upload (`alias` in scripts/build.mjs). The SDK compares schemas with its kinds; ours are all
 * zod 4, which it detects otherwise.
 */

export const ZodFirstPartyTypeKind = {};
