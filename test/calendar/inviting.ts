import { applyInvitation } from "../../src/features/calendar/invitations/apply-invitation.ts";
import type { InvitationEmail } from "../../src/features/calendar/invitations/sender.ts";
import { service, systemCtx } from "../harness.ts";

export const api = service();
export const EVENTS = "/api/calendar/events";

/** Writes an email to these addresses, so that the person knows them. */
export async function writeTo(...to: string[]): Promise<void> {
  await api.post("/api/emails", {
    direction: "outbound",
    from: "hello@example.com",
    to,
    subject: "Hi",
    body: "Hello.",
  });
}

export function apply(text: string, mail: Partial<InvitationEmail> = {}) {
  const sent = { emailId: null, from: "grace@example.com", to: "hello@example.com", isVerified: true, ...mail };
  return applyInvitation(systemCtx(), text, sent);
}

const OUTLOOK_ZONE = `BEGIN:VTIMEZONE
TZID:W. Europe Standard Time
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE`;

export const PEOPLE = `ORGANIZER;CN=Grace Hopper:mailto:Grace@example.com
ATTENDEE;CN="Lovelace, Ada";PARTSTAT=NEEDS-ACTION:mailto:ada@example.com
ATTENDEE;CUTYPE=ROOM:mailto:room@example.com
ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.com`;

export function ics(method: string, uid: string, sequence: number, lines: string, more = ""): string {
  return `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//Test//EN
METHOD:${method}
${OUTLOOK_ZONE}
BEGIN:VEVENT
UID:${uid}
SEQUENCE:${sequence}
DTSTAMP:20520101T${String(sequence).padStart(2, "0")}0000Z
${lines}
END:VEVENT
${more}END:VCALENDAR
`
    .replaceAll("\n", "\r\n")
    .replaceAll("\r\n\r\n", "\r\n");
}

export const call = (time: string, more = "") =>
  `DTSTART;TZID=W. Europe Standard Time:${time}\nDURATION:PT45M\nSUMMARY:Call\\, weekly\n${PEOPLE}\n${more}`;

export async function event(id: number | null | undefined) {
  return (await api.get(`${EVENTS}/${id}`)).body;
}
