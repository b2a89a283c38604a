/* What is said of a mailbox elsewhere, here and in the console. */

/** `stopped`: the last run found so much missing that it waits for the owner to ask for a full one. */
export const MAILBOX_STATUSES = ["unverified", "connected", "failing", "auth_failed", "stopped"] as const;
export const FOLDER_ROLES = ["inbox", "sent", "archive", "trash"] as const;
export const MAILBOX_RUN_TRIGGERS = ["manual", "cron"] as const;
export const MAILBOX_RUN_STATUSES = ["running", "succeeded", "partial", "failed"] as const;
/** Encrypted from the start, or after STARTTLS. Never without. */
export const MAIL_SERVER_TLS = ["implicit", "starttls"] as const;

export type FolderRole = (typeof FOLDER_ROLES)[number];

export interface MailServer {
  host: string;
  port: number;
  tls: (typeof MAIL_SERVER_TLS)[number];
}

/** Why a mailbox cannot be used: the code of the error, and a sentence for its owner. */
export interface MailboxProblem {
  code: string;
  detail: string;
}
