export const calendars = {
  feed: "Link for other calendar programs",
  feedLead:
    "Your phone, Google Calendar, Outlook or Apple Calendar can subscribe to this calendar and show it read-only.",
  create: "Create a link",
  replaceHint: "A new link replaces the current one, which stops working.",
  link: "Calendar link",
  linkText: "Copy it now. It is not shown again. Anyone with the link can read your calendar.",
  qr: "QR code of the calendar link",
  phone: "Scan it with your phone to subscribe there.",
  created: "The link was created.",
  notCreated: "The link was not created.",
  revoke: "Revoke the link",
  revokeTitle: "Revoke the link?",
  revokeText: "Calendar programs that use it can no longer read your calendar.",
  revoked: "The link no longer works.",
  notRevoked: "The link was not revoked.",
  import: "Import a calendar file",
  importLead:
    "An .ics file of another calendar, including series and all-day events. Importing it again updates existing events.",
  choose: "Choose a file",
  notImported: "The file was not imported.",
};
