import { env } from "cloudflare:workers";
import { generate } from "otplib";
import type { Env } from "../../src/config.ts";
import { PASSWORD, type Person, signedInPerson } from "../auth/people.ts";
import { service } from "../harness.ts";

/** Makes every session of the person need a reauthentication. */
export async function expireReauthentication(userId: number, minutes = 16): Promise<void> {
  await env.DB.prepare("UPDATE sessions SET proved_at = proved_at - ? WHERE user_id = ?")
    .bind(minutes * 60_000, userId)
    .run();
}

/** A mail binding that keeps what it was asked to send. */
export function mailbox() {
  const sent: { to: { email: string }[]; subject: string; text: string; html: string }[] = [];
  const EMAIL = {
    send: async (mail: (typeof sent)[number]) => {
      sent.push(mail);
      return { messageId: `<${sent.length}@mail.test>` };
    },
  } as unknown as NonNullable<Env["EMAIL"]>;
  const vars: Partial<Env> = { EMAIL, MAIL_FROM: "assistant@example.org" };
  return {
    sent,
    vars,
    /** Subjects of what went to this address. */
    subjectsTo: (email: string) => sent.filter(({ to }) => to[0]?.email === email).map(({ subject }) => subject),
    token: () => /#token=(\S+)/.exec(sent.map(({ text }) => text).join("\n"))?.[1] ?? "",
  };
}

/** What a browser sends to get notifications, with keys that nobody has. */
export async function newSubscription(name: string) {
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const raw = await crypto.subtle.exportKey("raw", (pair as CryptoKeyPair).publicKey);
  const p256dh = base64Url(new Uint8Array(raw as ArrayBuffer));
  const auth = base64Url(crypto.getRandomValues(new Uint8Array(16)));
  return { endpoint: `https://push.example.com/${name}`, keys: { p256dh, auth } };
}

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export const codeAt = (secret: string, time = Date.now()) => generate({ secret, epoch: Math.floor(time / 1000) });

/** Turns two-factor on, a while ago, so that codes of now are unspent. */
export async function turnOnTwoFactor(person: Person): Promise<{ secret: string; backupCodes: string[] }> {
  const client = service();
  const setup = await client.post("/api/settings/security/2fa/setup", undefined, { token: person.token });
  const { secret } = setup.body;
  const code = await codeAt(secret);
  const { body } = await client.post("/api/settings/security/2fa/verify", { code }, { token: person.token });
  await env.DB.prepare("UPDATE users SET totp_last_step = totp_last_step - 10 WHERE id = ?").bind(person.id).run();
  return { secret, backupCodes: body.backupCodes };
}

export { PASSWORD, type Person, signedInPerson };
