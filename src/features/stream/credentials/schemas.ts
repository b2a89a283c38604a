import { z } from "@hono/zod-openapi";
import { MAX_HASHTAGS, normaliseHashtag, uniqueHashtags } from "../../../engine/captions/limits.ts";
import { keyText, Timestamp } from "../../../http/schemas.ts";
import {
  CAPTION_PLATFORMS,
  CREDENTIAL_PLATFORMS,
  CREDENTIAL_STATUSES,
  FORMATS,
  TONES,
} from "../../../lib/caption-kinds.ts";

const TOKEN_CHARACTERS = 4096;

const secret = (example: string) => keyText(TOKEN_CHARACTERS).openapi({ example });
/** Part of a path at the platform, so it may not hold what a path is made of. */
const accountId = (example: string) =>
  z
    .string()
    .trim()
    .max(64)
    .regex(/^\w[\w.-]*$/, "must be the account's id")
    .openapi({ example });
const address = (example: string) => z.string().trim().min(1).max(2000).openapi({ example });

const YoutubeCredential = z
  .object({
    platform: z.literal("youtube").openapi({ example: "youtube" }),
    apiKey: secret("AIza0123456789abcdef"),
    channelId: accountId("UC_x5XG1OV2P6uZZ5FSM9Ttw"),
  })
  .openapi("YoutubeCredential");

const DiscordCredential = z
  .object({
    platform: z.literal("discord").openapi({ example: "discord" }),
    webhookUrl: address("https://discord.com/api/webhooks/123456789/…"),
  })
  .openapi("DiscordCredential");

const XCredential = z
  .object({
    platform: z.literal("x").openapi({ example: "x" }),
    accessToken: secret("oauth2-user-token"),
    refreshToken: secret("refresh-token")
      .optional()
      .openapi({ description: "With `clientId`, renews the access token when it has expired." }),
    clientId: secret("client-id").optional(),
    clientSecret: secret("client-secret").optional().openapi({ description: "Only for a confidential client." }),
  })
  .openapi("XCredential");

const FacebookCredential = z
  .object({
    platform: z.literal("facebook").openapi({ example: "facebook" }),
    pageId: accountId("1234567890"),
    accessToken: secret("page-access-token"),
  })
  .openapi("FacebookCredential");

const InstagramCredential = z
  .object({
    platform: z.literal("instagram").openapi({ example: "instagram" }),
    accountId: accountId("17841400008460056"),
    accessToken: secret("access-token"),
  })
  .openapi("InstagramCredential");

const WebhookCredential = z
  .object({
    platform: z.literal("webhook").openapi({ example: "webhook" }),
    url: address("https://automation.example.com/captions"),
    secret: z.string().trim().min(8).max(TOKEN_CHARACTERS).optional().openapi({
      example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      description: "Signs each post as Standard Webhooks says. Without it posts are not signed.",
    }),
  })
  .openapi("WebhookCredential");

export const NewCredential = z
  .discriminatedUnion("platform", [
    YoutubeCredential,
    DiscordCredential,
    XCredential,
    FacebookCredential,
    InstagramCredential,
    WebhookCredential,
  ])
  .openapi("NewStreamCredential");

export type NewCredential = z.output<typeof NewCredential>;

/** Any field of any platform; those of another platform than the one addressed are ignored. */
export const CredentialChanges = z
  .object({
    ...YoutubeCredential.partial().omit({ platform: true }).shape,
    ...DiscordCredential.partial().omit({ platform: true }).shape,
    ...XCredential.partial().omit({ platform: true }).shape,
    ...FacebookCredential.partial().omit({ platform: true }).shape,
    ...InstagramCredential.partial().omit({ platform: true }).shape,
    ...WebhookCredential.partial().omit({ platform: true }).shape,
  })
  .openapi("StreamCredentialChanges");

export type CredentialChanges = z.output<typeof CredentialChanges>;

/** The fields of each platform's credential. */
export const CREDENTIAL_FIELDS = {
  youtube: Object.keys(YoutubeCredential.shape),
  discord: Object.keys(DiscordCredential.shape),
  x: Object.keys(XCredential.shape),
  facebook: Object.keys(FacebookCredential.shape),
  instagram: Object.keys(InstagramCredential.shape),
  webhook: Object.keys(WebhookCredential.shape),
} as const;

const Platform = z.enum(CREDENTIAL_PLATFORMS).openapi({ example: "discord" });

export const Credential = z
  .object({
    platform: Platform,
    configured: z.boolean().openapi({ example: true }),
    status: z.enum(CREDENTIAL_STATUSES).nullable().openapi({
      example: "connected",
      description: "`unverified`: saved and never tried. `invalid`: the platform refused it. null: none is saved.",
    }),
    account: z
      .string()
      .nullable()
      .openapi({ example: "Stream announcements", description: "Whose it is, as the platform names them." }),
    checkedAt: Timestamp.nullable().openapi({ description: "When the platform last took or refused it." }),
    updatedAt: Timestamp.nullable(),
  })
  .openapi("StreamCredential");

export type Credential = z.infer<typeof Credential>;

export const CredentialList = z.object({ data: z.array(Credential) }).openapi("StreamCredentialList");
export const CredentialParams = z.object({ platform: Platform });

export const CredentialTest = z
  .object({
    ok: z.boolean().openapi({ example: true, description: "The platform took the credential just now." }),
    error: z.string().nullable().openapi({ example: null, description: "Why not." }),
    credential: Credential,
  })
  .openapi("StreamCredentialTest");

const Tone = z.enum(TONES).openapi({ example: "friendly" });
const Format = z
  .enum(FORMATS)
  .openapi({ example: "embed", description: "`embed` shows a card where the platform has one (Discord)." });

export const Hashtags = z
  .array(z.string().max(200))
  .superRefine((tags, check) => {
    tags.forEach((tag, index) => {
      if (normaliseHashtag(tag) === null) {
        check.addIssue({ code: "custom", path: [index], message: "must hold a letter, and at most 100 characters" });
      }
    });
  })
  .transform(uniqueHashtags)
  .refine((tags) => tags.length <= MAX_HASHTAGS, `must have at most ${MAX_HASHTAGS} hashtags`)
  .openapi({
    type: "array",
    items: { type: "string" },
    maxItems: MAX_HASHTAGS,
    example: ["live", "coding"],
    description: "With or without `#`; what a hashtag cannot hold is left out.",
  });

const customPrompt = z.string().trim().max(2000).openapi({
  example: 'No emoji. Mention "free for all".',
  description:
    "Your own instructions. A model reads them whole; the built-in writer follows “no emoji”, “no hashtags”, “short”, “lower case”, “sign as …” and words in quotation marks, which it includes.",
});
const callToAction = z.string().trim().max(200).openapi({ example: "Subscribe so that you miss nothing." });
const autoApprove = z.boolean().openapi({ example: false, description: "New captions start approved." });

export const Voice = z
  .object({
    platform: z.enum(CAPTION_PLATFORMS).openapi({ example: "discord" }),
    tone: Tone,
    customPrompt: customPrompt,
    hashtags: z.array(z.string()).openapi({ example: ["live", "coding"] }),
    callToAction,
    format: Format,
    autoApprove,
    version: z.int().openapi({ example: 1, description: "Rises with every change; also the ETag." }),
    updatedAt: Timestamp.nullable().openapi({ description: "null while nobody has changed it." }),
  })
  .openapi("StreamVoice");

export type Voice = z.infer<typeof Voice>;

export const VoiceList = z.object({ data: z.array(Voice) }).openapi("StreamVoiceList");
export const VoiceParams = z.object({ platform: z.enum(CAPTION_PLATFORMS).openapi({ example: "discord" }) });

export const VoiceChanges = z
  .object({
    tone: Tone.optional(),
    customPrompt: customPrompt.optional(),
    hashtags: Hashtags.optional(),
    callToAction: callToAction.optional(),
    format: Format.optional(),
    autoApprove: autoApprove.optional(),
  })
  .openapi("StreamVoiceChanges");

export type VoiceChanges = z.output<typeof VoiceChanges>;
