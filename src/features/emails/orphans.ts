import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { purgeExpired } from "../../db/purge.ts";
import { deletedEmails } from "../../db/schema/emails.ts";
import { emailUploads } from "../../db/schema/emails-writing.ts";
import { removeOrphans } from "../files/orphans.ts";
import { CONTENT_SUFFIX } from "./content.ts";

/**
 * For the nightly cron: deletes objects that no email refers to and uploads that nobody used, and forgets emails that were
 * deleted a month ago.
 */
export async function tidyEmailStorage(ctx: Context): Promise<{ orphans: number; forgotten: number }> {
  const orphans = await removeOrphans(
    ctx,
    "emails",
    // Both halves are needed: the first uses the index, the second is the question.
    (key) => sql`EXISTS (SELECT 1 FROM emails
      WHERE object_key IN (${key}, replace(${key}, ${CONTENT_SUFFIX}, ''))
        AND ${key} IN (raw_key, content_key))`,
  );
  // A trigger has the files of unused uploads deleted.
  return { orphans, forgotten: await purgeExpired(ctx, [deletedEmails, emailUploads]) };
}
