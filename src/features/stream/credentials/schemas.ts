import { z } from "@hono/zod-openapi";
import { REAUTHENTICATION } from "../../../http/reauth.ts";
import { doc, keyText, named, Timestamp, versionFields } from "../../../http/schemas.ts";
import {
  CAPTION_PLATFORMS,
  CREDENTIAL_PLATFORMS,
  CREDENTIAL_STATUSES,
  type CredentialPlatform,
  FORMATS,
  TONES,
} from "../../../lib/caption-kinds.ts";
import { MAX_HASHTAGS, normaliseHashtag, uniqueHashtags } from "../../../lib/caption-limits.ts";
import { readBy } from "../../../lib/receipts.ts";
import { webhookSecretProblem } from "../../../lib/webhook-signature.ts";

const TOKEN_CHARACTERS = 4096;

const secret = keyText(TOKEN_CHARACTERS);
/** Part of a path at the platform, so it must not contain path characters. */
const accountId = z
  .string()
  .trim()
  .max(64)
  .regex(/^\w[\w.-]*$/, "must be the account's id");
const address = z.string().trim().min(1).max(2000);
const signingSecret = z
  .string()
  .trim()
  .min(8)
  .max(TOKEN_CHARACTERS)
  .superRefine((text, context) => {
    const message = webhookSecretProblem(text);
    if (message) context.addIssue({ code: "custom", message });
  });

const youtube = {
  apiKey: doc(secret, "Key of the YouTube Data API.", "AIza0123456789abcdef"),
  channelId: doc(accountId, "Id of your channel.", "UC_x5XG1OV2P6uZZ5FSM9Ttw"),
};
const discord = {
  webhookUrl: doc(address, "Address of the channel's webhook.", "https://discord.com/api/webhooks/12345/abcdef-012345"),
};
const x = {
  accessToken: doc(secret, "Access token of the account or page.", "access-token"),
  refreshToken: doc(secret.optional(), "Together with `clientId`: renews the access token when it has expired."),
  clientId: doc(secret.optional(), "OAuth 2.0 client id."),
  clientSecret: doc(secret.optional(), "OAuth 2.0 client secret. Only for a confidential client."),
};
const facebook = { pageId: doc(accountId, "Id of the Facebook page.", "1234567890"), accessToken: x.accessToken };
const instagram = {
  accountId: doc(accountId, "Id of the Instagram account.", "17841400008460056"),
  accessToken: x.accessToken,
};
const webhook = {
  url: doc(address, "Address that receives each caption as a POST.", "https://automation.example.com/captions"),
  secret: doc(
    signingSecret.optional(),
    "Signs each request as in Standard Webhooks. `whsec_` and the base64 of 24 to 64 bytes, or any other text, which is used as it is. Without it requests are not signed.",
  ),
};

function credentialOf<const Name extends CredentialPlatform, Shape extends z.ZodRawShape>(
  name: Name,
  title: string,
  shape: Shape,
) {
  return named(title, () => ({ platform: doc(z.literal(name), "The platform.", name), ...shape }));
}

export const NewCredential = z
  .discriminatedUnion("platform", [
    credentialOf("youtube", "YoutubeCredential", youtube),
    credentialOf("discord", "DiscordCredential", { ...discord, ...REAUTHENTICATION.recent }),
    credentialOf("x", "XCredential", x),
    credentialOf("facebook", "FacebookCredential", facebook),
    credentialOf("instagram", "InstagramCredential", instagram),
    credentialOf("webhook", "WebhookCredential", { ...webhook, ...REAUTHENTICATION.recent }),
  ])
  .openapi("NewStreamCredential", {
    example: {
      platform: "webhook",
      url: "https://automation.example.com/captions",
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    },
  });
export type NewCredential = z.output<typeof NewCredential>;

/** The service refuses the fields of another platform. */
export const CredentialChanges = z
  .object({ ...youtube, ...discord, ...x, ...facebook, ...instagram, ...webhook })
  .partial()
  .openapi("StreamCredentialChanges", { example: { url: "https://automation.example.com/captions" } });
export type CredentialChanges = z.output<typeof CredentialChanges>;

export const CREDENTIAL_FIELDS: Record<CredentialPlatform, readonly string[]> = {
  youtube: Object.keys(youtube),
  discord: Object.keys(discord),
  x: Object.keys(x),
  facebook: Object.keys(facebook),
  instagram: Object.keys(instagram),
  webhook: Object.keys(webhook),
};

const Platform = doc(z.enum(CREDENTIAL_PLATFORMS), "The platform.", "webhook");

export const Credential = named(
  "StreamCredential",
  () => ({
    platform: Platform,
    configured: doc(z.boolean(), "Whether a credential is saved.", true),
    status: doc(
      z.enum(CREDENTIAL_STATUSES).nullable(),
      "`unverified`: saved but never tested. `invalid`: the platform refused it. null: none is saved.",
      "connected",
    ),
    account: doc(z.string().nullable(), "Name of the account at the platform.", "Stream announcements"),
    checkedAt: doc(Timestamp.nullable(), "When the platform last accepted or refused it."),
    updatedAt: doc(Timestamp.nullable(), "When it was last saved."),
  }),
  { description: "Status of a platform's credential, without its secrets." },
);
export type Credential = z.infer<typeof Credential>;

export const CredentialList = named("StreamCredentialList", () => ({
  data: doc(z.array(Credential), "One entry for each platform."),
}));
export const CredentialParams = z.object({ platform: Platform });

export const CredentialTest = named("StreamCredentialTest", () => ({
  ok: doc(z.boolean(), "Whether the platform accepted the credential.", true),
  error: doc(z.string().nullable(), "Why it did not.", null),
  credential: Credential,
}));
export type CredentialTest = z.infer<typeof CredentialTest>;

export const Hashtags = z
  .array(z.string().max(200))
  .superRefine((tags, check) => {
    tags.forEach((tag, index) => {
      if (normaliseHashtag(tag) !== null) return;
      check.addIssue({ code: "custom", path: [index], message: "must contain a letter and at most 100 characters" });
    });
  })
  .transform(uniqueHashtags)
  .refine((tags) => tags.length <= MAX_HASHTAGS, `must have at most ${MAX_HASHTAGS} hashtags`)
  .openapi({
    type: "array",
    items: { type: "string" },
    maxItems: MAX_HASHTAGS,
    description: "With or without `#`. Characters that a hashtag cannot contain are removed.",
  });

const CaptionPlatform = doc(z.enum(CAPTION_PLATFORMS), "The platform.", "discord");
const CUSTOM_PROMPT =
  "Your own instructions. A model follows all of them; the built-in writer understands “no emoji”, “no hashtags”, “short”, “lower case”, “sign as …” and includes text in quotation marks.";

const voice = {
  tone: doc(z.enum(TONES), "Tone of the captions.", "friendly"),
  customPrompt: doc(z.string().trim().max(2000), CUSTOM_PROMPT, 'No emoji. Mention "free for all".'),
  callToAction: doc(z.string().trim().max(200), "Last line of each caption.", "Subscribe so that you miss nothing."),
  format: doc(z.enum(FORMATS), "`embed` shows a card where the platform has one (Discord).", "embed"),
  autoApprove: doc(
    z.boolean(),
    "Whether new captions are approved at once. The text of one that a report caused may still be replaced by a model's until it is posted.",
    false,
  ),
};

export const Voice = named("StreamVoice", () => ({
  platform: CaptionPlatform,
  ...voice,
  hashtags: doc(z.array(z.string()), "Hashtags added to each caption.", ["live", "coding"]),
  version: versionFields.version,
  updatedAt: doc(Timestamp.nullable(), "When it last changed; null if it never did."),
}));
readBy("stream:read", Voice);
export type Voice = z.infer<typeof Voice>;

export const VoiceList = named("StreamVoiceList", () => ({
  data: doc(z.array(Voice), "One entry for each platform."),
}));
export const VoiceParams = z.object({ platform: CaptionPlatform });

export const VoiceChanges = z
  .object({ ...voice, hashtags: Hashtags })
  .partial()
  .openapi("StreamVoiceChanges", { example: { tone: "friendly", hashtags: ["live", "coding"], autoApprove: false } });
export type VoiceChanges = z.output<typeof VoiceChanges>;
