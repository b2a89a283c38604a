/** Imports and exports: what they are, and how far they can be. */
export const TRANSFER_KINDS = ["export", "import", "email_import", "calendar_import", "upload"] as const;
export type TransferKind = (typeof TRANSFER_KINDS)[number];

export const TRANSFER_STATES = ["queued", "running", "succeeded", "failed", "cancelled"] as const;
