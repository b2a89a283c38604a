import { sql } from "drizzle-orm";

/** `senderProof` says `failed`. */
const HAS_FAILED = sql`coalesce(authentication ->> 'dmarc' = 'fail' OR (authentication ->> 'dmarc' = 'none'
  AND 'pass' NOT IN (authentication ->> 'spf', authentication ->> 'dkim')
  AND 'fail' IN (authentication ->> 'spf', authentication ->> 'dkim')), 0)`;

/** `senderProof` says `verified`. */
export const IS_VERIFIED = sql`coalesce(authentication ->> 'dmarc' = 'pass' OR (authentication ->> 'dmarc' = 'none'
  AND 'pass' IN (authentication ->> 'spf', authentication ->> 'dkim')), 0)`;

/** `senderProof` of a stored email. */
export const SENDER_PROOF = sql`iif(${HAS_FAILED}, 'failed', iif(${IS_VERIFIED}, 'verified', 'unverified'))`;
