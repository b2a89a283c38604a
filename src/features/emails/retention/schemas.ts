import { z } from "@hono/zod-openapi";
import { doc, named, versionFields } from "../../../http/schemas.ts";

const MAX_DAYS = 3650;
const Days = z.int().min(1).max(MAX_DAYS).nullable();

const days = {
  trashDays: doc(Days, "An email in the trash is deleted this many days after its last change. Null: never.", 30),
  spamDays: doc(
    Days,
    "An email in spam is deleted this many days after its last change. Moving it to spam is a change, so it is there for " +
      "at least this long. Starred emails are kept. Null: never.",
    30,
  ),
};

const byKind = {
  newsletter: doc(Days, "Days after which newsletters are deleted. Null: never.", 90),
  notification: doc(Days, "Days after which notifications are deleted. Null: never.", null),
  receipt: doc(Days, "Days after which receipts are deleted. Null: never.", null),
  bounce: doc(Days, "Days after which bounces are deleted. Null: never.", null),
  auto_reply: doc(Days, "Days after which automatic replies are deleted. Null: never.", null),
};

const KIND_DAYS = "Retention by kind, counted from when the email was received. Starred emails are kept.";

export const Retention = named("EmailRetention", () => ({
  ...days,
  kindDays: doc(z.object(byKind), KIND_DAYS),
  ...versionFields,
}));
export type Retention = z.infer<typeof Retention>;

export const RetentionChanges = named(
  "EmailRetentionChanges",
  () => ({
    trashDays: days.trashDays.optional(),
    spamDays: days.spamDays.optional(),
    kindDays: doc(z.object(byKind).partial().optional(), `${KIND_DAYS} Kinds that you leave out stay as they are.`),
  }),
  { example: { trashDays: 30, kindDays: { newsletter: 90 } } },
);
export type RetentionChanges = z.output<typeof RetentionChanges>;
