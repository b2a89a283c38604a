// The records of the bare Worker as it returns them.

export type Row = Record<string, string | number | null>;

export const iso = (moment: string | number | null | undefined) =>
  moment == null ? null : new Date(moment).toISOString();
const json = (text: string | number | null | undefined) => JSON.parse(String(text ?? "[]"));

export function toTask(row: Row) {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    dueAt: iso(row.due_at),
    tags: json(row.tags),
    source: row.source,
    emailId: row.email_id,
    eventId: row.event_id,
    quote: row.quote,
    completedAt: iso(row.completed_at),
    version: row.version,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  };
}

/** A list is without the text of the emails. */
export const EMAIL_LIST = `id, message_id, thread_id, in_reply_to, direction, source, kind, authentication, delivery,
  delivery_error, from_name, from_email, to_recipients, cc_recipients, reply_to, subject, snippet, attachments, tags,
  status, is_read, is_starred, snoozed_until, received_at, analysis, version, created_at, updated_at`;

export function toEmail(row: Row) {
  return {
    id: row.id,
    messageId: row.message_id,
    threadId: row.thread_id,
    threadCount: 1,
    inReplyTo: row.in_reply_to,
    direction: row.direction,
    source: row.source,
    kind: row.kind,
    authentication: row.authentication,
    delivery: row.delivery,
    deliveryError: row.delivery_error,
    from: { name: row.from_name, email: row.from_email },
    to: json(row.to_recipients),
    cc: json(row.cc_recipients),
    replyTo: row.reply_to,
    subject: row.subject,
    snippet: row.snippet,
    ...(row.body !== undefined && { body: row.body, html: row.html }),
    attachments: json(row.attachments),
    tags: json(row.tags),
    status: row.status,
    isRead: row.is_read === 1,
    isStarred: row.is_starred === 1,
    snoozedUntil: row.snoozed_until,
    receivedAt: iso(row.received_at),
    analysis: row.analysis,
    version: row.version,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  };
}

export function toEvent(row: Row) {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    start: iso(row.start_at),
    end: iso(row.end_at),
    allDay: row.start_date !== null,
    startDate: row.start_date,
    endDate: row.end_date,
    timeZone: row.time_zone,
    location: row.location,
    meetingUrl: row.meeting_url,
    status: row.status,
    busy: row.busy === 1,
    source: row.source,
    bookingId: row.booking_id,
    organizer: row.organizer,
    attendees: json(row.attendees),
    tags: json(row.tags),
    notes: row.notes,
    emailId: row.email_id,
    icalUid: row.ical_uid,
    sequence: row.sequence,
    rescheduledFromId: row.rescheduled_from_id,
    cancelReason: row.cancel_reason,
    externalStatus: row.external_status,
    externalUpdatedAt: row.external_updated_at,
    rrule: row.rrule,
    exdates: json(row.exdates),
    recurringEventId: row.recurring_event_id,
    originalStart: row.original_start,
    version: row.version,
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  };
}
