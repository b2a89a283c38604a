import { z } from "@hono/zod-openapi";
import { doc, Id, named, Timestamp } from "../../../../http/schemas.ts";

const PushDevice = named("PushDevice", () => ({
  id: Id,
  name: doc(z.string(), "Name of the browser or app.", "Firefox on Linux"),
  service: doc(z.string(), "Host of the push service.", "updates.push.services.example"),
  fingerprint: doc(
    z.string(),
    "SHA-256 of the subscription's `endpoint`, in hex. A browser uses it to find its own device.",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ),
  createdAt: doc(Timestamp, "When the device was subscribed."),
  lastSentAt: doc(Timestamp.nullable(), "About when a reminder was last sent to it; exact to the hour.", null),
  lastError: doc(z.string().nullable(), "Why the last reminder was not sent; null if it was.", null),
}));

export { PushDevice };
export type PushDevice = z.infer<typeof PushDevice>;

export const PushSettings = named("PushSettings", () => ({
  publicKey: doc(
    z.string().nullable(),
    "The key that devices subscribe with (`applicationServerKey`), in base64url. Null: Web Push is not set up.",
    "BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo",
  ),
  data: doc(z.array(PushDevice), "Your devices, newest first."),
}));

export const NewPushSubscription = named(
  "NewPushSubscription",
  () => ({
    endpoint: doc(z.string().min(1).max(2000), "Address of the push service, from the browser's subscription."),
    keys: doc(
      z.object({
        p256dh: doc(z.string().min(1).max(200), "Public key of the device, in base64url."),
        auth: doc(z.string().min(1).max(100), "Secret of the device, in base64url."),
      }),
      "The keys of the subscription.",
    ),
    name: doc(z.string().trim().min(1).max(100).optional(), "Name of the device. Default: the browser's name."),
    expirationTime: doc(z.number().nullable().optional(), "As browsers send it; ignored."),
    replaces: doc(
      z
        .object({
          endpoint: doc(z.string().min(1).max(2000), "Address of the earlier subscription."),
          auth: doc(z.string().min(1).max(100), "Its secret, in base64url."),
        })
        .optional(),
      "The earlier subscription of this browser, which the new one replaces. Its address and secret " +
        "prove that it is the same device, so no password is needed.",
    ),
  }),
  {
    description: "A subscription as `PushSubscription.toJSON()` gives it.",
    example: {
      endpoint: "https://updates.push.services.example.com/wpush/v2/gAAAAABnExample",
      keys: {
        p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth: "BTBZMqHH6r4Tts7J_aSIgg",
      },
      name: "Firefox on my laptop",
    },
  },
);
export type NewPushSubscription = z.output<typeof NewPushSubscription>;
