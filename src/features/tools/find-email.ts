import { AppError } from "../../lib/errors.ts";
import { shortQuery } from "../../lib/search-query.ts";
import { firstCharacters } from "../../lib/text.ts";
import { listEmails } from "../emails/list.ts";
import type { EmailSummary } from "../emails/schemas.ts";
import { speakerOf } from "../people/speaking.ts";
import { AmbiguousMatch, type ToolContext } from "./tool.ts";

const MAX_OPTIONS = 6;

/**
 * The email that the words name: the only one, or with `latest` the newest. First in the inbox, then anywhere but the
 * trash. `callFor`: what is done when the person has chosen one of several.
 */
export async function findEmail(
  context: ToolContext,
  { match = "", latest = false }: { match?: string | undefined; latest?: boolean | undefined },
  callFor: (id: number) => { tool: string; input: Record<string, unknown> },
): Promise<{ id: number }> {
  const inInbox = await search(context, match, "inbox");
  const found = inInbox.length > 0 ? inInbox : await search(context, match, undefined);
  const [first] = found;
  if (!first) throw new AppError("not_found", `I found no email matching “${plainMatch(match)}”.`);
  if (found.length === 1 || latest) return { id: first.id };
  const options = found.map((email) => ({ label: labelOf(context, email), ...callFor(email.id) }));
  throw new AmbiguousMatch(`More than one email matches “${plainMatch(match)}”.`, options, true);
}

const plainMatch = (match: string) => match.replace(/\b(?:from|subject):/g, "").replaceAll('"', "");

async function search({ ctx }: ToolContext, match: string, status: "inbox" | undefined): Promise<EmailSummary[]> {
  const query = { q: shortQuery(match), direction: "inbound", limit: MAX_OPTIONS, ...(status && { status }) } as const;
  return (await listEmails(ctx, query)).data;
}

function labelOf({ ctx, timeZone }: ToolContext, { from, subject, receivedAt }: EmailSummary): string {
  const when = speakerOf(ctx, timeZone).moment(Date.parse(receivedAt));
  return `${firstCharacters(from.name || from.email, 60)}: ${firstCharacters(subject, 100) || "(no subject)"} (${when})`;
}
