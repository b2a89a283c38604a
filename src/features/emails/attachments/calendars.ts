import type { Context } from "../../../context.ts";
import { senderProof } from "../../../lib/authentication-results.ts";
import { decodeText } from "../../../lib/mime/charset.ts";
import { attachmentsOf, contentOf } from "../content.ts";
import type { EmailRow } from "../record.ts";
import { requireEmail } from "../store.ts";
import { attachmentFile, isStored } from "./service.ts";

/** As many as are read on arrival (`parse-mime.ts`). */
const MAX_CALENDARS = 4;
/** What is longer is refused by the reader of calendars. */
const MAX_BYTES = 1024 * 1024;
const CALENDAR_TYPE = /^(?:text\/calendar|text\/x-vcalendar|application\/ics)$/i;
const CALENDAR_NAME = /\.(?:ics|vcs)$/i;
const CALENDAR_TEXT = /^BEGIN:VCALENDAR\s*$/im;

interface EmailCalendars {
  email: Pick<EmailRow, "id" | "fromEmail" | "to" | "cc" | "direction">;
  proof: ReturnType<typeof senderProof>;
  /** iCalendar texts: its calendar files, otherwise what its text contains. */
  calendars: string[];
}

/** The calendars that a stored email contains, however it was stored. */
export async function readCalendars(ctx: Context, id: number): Promise<EmailCalendars> {
  const row = await requireEmail(ctx, id);
  const files = (await attachmentsOf(ctx, row))
    .filter(({ name, type, size }) => (CALENDAR_TYPE.test(type) || CALENDAR_NAME.test(name)) && size <= MAX_BYTES)
    .filter((file) => isStored(row, file))
    .slice(0, MAX_CALENDARS);
  const texts = await Promise.all(
    files.map(async (file) => {
      const stream = await attachmentFile(ctx, row, file).read(null);
      return decodeText(new Uint8Array(await new Response(stream).arrayBuffer()), undefined);
    }),
  );
  const { body } = texts.length > 0 ? { body: "" } : await contentOf(ctx, row);
  const start = body.search(CALENDAR_TEXT);
  return {
    email: row,
    proof: senderProof(row.authentication),
    calendars: [...new Set(start < 0 ? texts : [body.slice(start)])],
  };
}
