import { z } from "@hono/zod-openapi";
import { EmailAddress, Id, Timestamp, TimeZone } from "../../http/schemas.ts";
import { IMAGE_TYPES, TIME_FORMATS, WEEK_STARTS } from "../../lib/profile-kinds.ts";
import { PersonName } from "../auth/login/schemas.ts";

const Version = z.int().openapi({ example: 3 });

const Avatar = z
  .union([
    z.object({
      kind: z.literal("image").openapi({ example: "image" }),
      type: z.enum(IMAGE_TYPES).openapi({ example: "image/png" }),
      bytes: z.int().openapi({ example: 20_480 }),
    }),
    z.object({
      kind: z.literal("url").openapi({ example: "url" }),
      url: z.string().openapi({ example: "https://example.com/ada.png" }),
    }),
  ])
  .openapi({
    description: "The picture; read it from `/api/settings/profile/avatar`.",
    example: { kind: "image", type: "image/png", bytes: 18_204 },
  });

export const Profile = z
  .object({
    id: Id,
    name: z.string().openapi({ example: "Ada Lovelace" }),
    email: z.object({
      address: z.string().openapi({ example: "ada@example.com" }),
      verified: z.boolean().openapi({ example: true }),
      pending: z
        .object({
          address: z.string().openapi({ example: "ada@example.org" }),
          requestedAt: Timestamp,
          expiresAt: Timestamp,
        })
        .nullable()
        .openapi({ description: "The address the account moves to once that has proved itself." }),
    }),
    role: z.enum(["owner", "member"]).openapi({ example: "owner" }),
    company: z.string().nullable().openapi({ example: "Analytical Engines Ltd" }),
    phone: z.string().nullable().openapi({ example: "+44 20 7946 0958" }),
    bio: z.string().nullable().openapi({ example: "I write programs for machines that are not built yet." }),
    timeZone: z.string().openapi({ example: "Europe/London" }),
    locale: z.string().openapi({ example: "en-GB" }),
    weekStart: z.enum(WEEK_STARTS).openapi({ example: "monday" }),
    timeFormat: z.enum(TIME_FORMATS).openapi({ example: "24h" }),
    avatar: Avatar.nullable(),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp.nullable(),
  })
  .openapi("Profile");

/** Trimmed; empty is none. */
const note = (max: number, example: string) =>
  z
    .string()
    .trim()
    .max(max)
    .transform((text) => text || null)
    .nullable()
    .optional()
    .openapi({ example });

export const ProfileChanges = z
  .object({
    name: PersonName.optional(),
    company: note(200, "Analytical Engines Ltd"),
    phone: z
      .string()
      .trim()
      .regex(/^(\+?[\d ()./-]{3,40})?$/, "must be a phone number")
      .transform((text) => text || null)
      .nullable()
      .optional()
      .openapi({ example: "+44 20 7946 0958" }),
    bio: note(2000, "I write programs for machines that are not built yet."),
    timeZone: TimeZone.optional().openapi({
      description: "What days are counted and times are read in, unless a request says otherwise.",
    }),
    locale: z
      .string()
      .max(35)
      .refine(isLocale, "must be a BCP 47 language tag, such as en-GB")
      .transform((tag) => new Intl.Locale(tag).toString())
      .optional()
      .openapi({ type: "string", example: "en-GB" }),
    weekStart: z.enum(WEEK_STARTS).optional().openapi({ example: "monday" }),
    timeFormat: z.enum(TIME_FORMATS).optional().openapi({ example: "24h" }),
  })
  .openapi("ProfileChanges");

function isLocale(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language.length > 0;
  } catch {
    return false;
  }
}

export const AvatarLink = z
  .object({ url: z.string().min(1).max(2000).openapi({ example: "https://example.com/ada.png" }) })
  .openapi("AvatarLink");

export const AvatarSet = z.object({ avatar: Avatar, version: Version }).openapi("AvatarSet");

export const NotificationPreferences = z
  .object({
    securityAlerts: z.literal(true).openapi({ example: true, description: "Cannot be switched off." }),
    syncFailure: z.boolean().openapi({ example: true, description: "The booking sync has begun to fail." }),
    tokenAlerts: z.boolean().openapi({ example: true, description: "An AI token alert has fired." }),
    dailyBrief: z.boolean().openapi({ example: false, description: "What the day holds, every morning." }),
    briefHour: z.int().openapi({ example: 7, description: "From which hour of your day, in your time zone." }),
    lastBrief: z
      .object({
        date: z.iso.date().openapi({ example: "2026-11-16" }),
        status: z.enum(["sent", "skipped", "failed"]).openapi({
          example: "sent",
          description: "`skipped` while outgoing mail is not set up.",
        }),
      })
      .nullable(),
    version: Version,
  })
  .openapi("NotificationPreferences");

export const NotificationChanges = z
  .object({
    syncFailure: z.boolean().optional().openapi({ example: true }),
    tokenAlerts: z.boolean().optional().openapi({ example: true }),
    dailyBrief: z.boolean().optional().openapi({ example: true }),
    briefHour: z.int().min(0).max(23).optional().openapi({ example: 7 }),
  })
  .openapi("NotificationChanges");

export const NewEmail = z.object({ email: EmailAddress }).openapi("EmailChange");
export const PendingEmail = z
  .object({
    email: z.string().openapi({ example: "ada@example.org", description: "Where the token was mailed to." }),
    expiresAt: Timestamp,
  })
  .openapi("PendingEmail");
export const EmailToken = z
  .object({ token: z.string().min(1).max(200).openapi({ example: "q8V…1w" }) })
  .openapi("EmailToken");
export const ConfirmedEmail = z
  .object({
    email: z.string().openapi({ example: "ada@example.org" }),
    emailVerified: z.literal(true).openapi({ example: true }),
  })
  .openapi("ConfirmedEmail");
