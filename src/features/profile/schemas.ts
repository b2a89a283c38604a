import { z } from "@hono/zod-openapi";
import { doc, Id, named, Timestamp, TimeZone } from "../../http/schemas.ts";
import { IMAGE_TYPES, MAIL_DENSITIES, MAIL_VIEWS, TIME_FORMATS, WEEK_STARTS } from "../../lib/profile-kinds.ts";
import { PersonName } from "../auth/accounts/schemas.ts";

const PHONE = /^(\+?[\d ()./-]{3,40})?$/;

const Version = doc(z.int(), "Version of the record, for `If-Match`.", 3);

const UploadedAvatar = z.object({
  kind: doc(z.literal("image"), "An uploaded image.", "image"),
  type: doc(z.enum(IMAGE_TYPES), "Media type of the image.", "image/png"),
  bytes: doc(z.int(), "Size of the image, in bytes.", 18_204),
});
const LinkedAvatar = z.object({
  kind: doc(z.literal("url"), "A link to an image.", "url"),
  url: doc(z.string(), "URL of the image.", "https://example.com/ada.png"),
});
const Avatar = doc(z.union([UploadedAvatar, LinkedAvatar]), "Get the image from `/api/settings/profile/avatar`.", {
  kind: "image",
  type: "image/png",
  bytes: 18_204,
});

const PendingAddress = z.object({
  address: doc(z.string(), "The new address.", "ada@example.org"),
  requestedAt: doc(Timestamp, "When the change was requested."),
  expiresAt: doc(Timestamp, "Until when the new address can be confirmed."),
});
const ProfileEmail = z.object({
  address: doc(z.string(), "Email address of the account.", "ada@example.com"),
  verified: doc(z.boolean(), "Whether the address is verified.", true),
  pending: doc(PendingAddress.nullable(), "New address, used once it is verified; null if there is none."),
});

const WeekStart = doc(z.enum(WEEK_STARTS), "First day of the week.", "monday");
const TimeFormat = doc(z.enum(TIME_FORMATS), "How times are displayed.", "24h");
const MailView = doc(
  z.enum(MAIL_VIEWS),
  "Whether Mail lists `conversations` or single `messages`. Default: `conversations`.",
  "conversations",
);
const MailDensity = doc(
  z.enum(MAIL_DENSITIES),
  "Whether the rows of Mail are `comfortable` (three lines) or `compact` (one line). Default: `comfortable`.",
  "comfortable",
);

export const Profile = named("Profile", () => ({
  id: doc(Id, "Id of the account."),
  name: doc(z.string(), "Full name.", "Ada Lovelace"),
  email: doc(ProfileEmail, "Email address and its state."),
  role: doc(z.enum(["owner", "member"]), "Role of the account. The owner manages the service.", "owner"),
  company: doc(z.string().nullable(), "Company or organization.", "Analytical Engines Ltd"),
  phone: doc(z.string().nullable(), "Phone number.", "+44 20 7946 0958"),
  bio: doc(z.string().nullable(), "Short text about yourself.", "I write programs for machines not yet built."),
  timeZone: doc(z.string(), "Your IANA time zone.", "Europe/London"),
  locale: doc(z.string(), "Your language, as a BCP 47 tag.", "en-GB"),
  weekStart: WeekStart,
  timeFormat: TimeFormat,
  mailView: MailView,
  mailDensity: MailDensity,
  avatar: Avatar.nullable(),
  version: Version,
  createdAt: doc(Timestamp, "When the account was created."),
  updatedAt: doc(Timestamp.nullable(), "When the profile was last changed; null if it never was."),
}));

/** Empty text is stored as null. */
function orNull<Schema extends z.ZodType<string, string>>(schema: Schema) {
  return schema
    .transform((text) => text || null)
    .nullable()
    .optional();
}

export const ProfileChanges = named(
  "ProfileChanges",
  () => ({
    name: PersonName.optional(),
    company: doc(orNull(z.string().trim().max(200)), "Company or organization."),
    phone: doc(orNull(z.string().trim().regex(PHONE, "must be a phone number")), "Phone number."),
    bio: doc(orNull(z.string().trim().max(2000)), "Short text about yourself."),
    timeZone: doc(
      TimeZone.optional(),
      "Your IANA time zone. Dates and times are read in it, unless a request has one.",
    ),
    locale: z
      .string()
      .max(35)
      .refine(isLocale, "must be a BCP 47 language tag, such as en-GB")
      .transform((tag) => new Intl.Locale(tag).toString())
      .optional()
      .openapi({ type: "string", description: "Your language, as a BCP 47 tag." }),
    weekStart: WeekStart.optional(),
    timeFormat: TimeFormat.optional(),
    mailView: MailView.optional(),
    mailDensity: MailDensity.optional(),
  }),
  { example: { company: "Analytical Engines Ltd", timeZone: "Europe/London" } },
);

export type ProfileChanges = z.output<typeof ProfileChanges>;

function isLocale(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language.length > 0;
  } catch {
    return false;
  }
}

export const AvatarLink = z
  .object({ url: doc(z.string().min(1).max(2000), "Public https URL of the image.") })
  .openapi("AvatarLink", { example: { url: "https://example.com/ada.png" } });

export const AvatarSet = named("AvatarSet", () => ({ avatar: Avatar, version: Version }));
