/** The email that an invitation came with. */
export interface InvitationEmail {
  /** The stored email that contained the invitation, if there is one. */
  emailId: number | null;
  /** The sender: may only reply for themselves, and only change events they organize. */
  from: string;
  /** The address it was delivered to: the attendee who is the owner. */
  to: string;
  /** False if nothing proves who sent it: then it changes no event, and its sender is a stranger. */
  isVerified: boolean;
}
