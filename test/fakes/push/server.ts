import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from "node:crypto";
import http from "node:http";

/*
 * A push service with its devices, by RFC 8030, 8188, 8291 and 8292, with Node's own cryptography: what the service
 * sends is decrypted as a browser would, and its signature is checked as a push service would.
 */

export interface PushReceived {
  /** The decrypted message; null if it could not be decrypted. */
  text: string | null;
  ttl: string | undefined;
  urgency: string | undefined;
  topic: string | undefined;
  encoding: string | undefined;
  vapid: { isValid: boolean; publicKey: string; claims: { aud?: string; exp?: number; sub?: string } };
}

interface Device {
  keys: ECDH;
  auth: Buffer;
  status: number;
  received: PushReceived[];
}

/** Devices are at `/device/{name}`. Under `/control/{name}/…` a test arranges them. */
export function createFakePushService(): http.Server {
  const devices = new Map<string, Device>();
  const device = (name: string): Device => {
    const known = devices.get(name);
    if (known) return known;
    const keys = createECDH("prime256v1");
    keys.generateKeys();
    const fresh = { keys, auth: randomBytes(16), status: 201, received: [] };
    devices.set(name, fresh);
    return fresh;
  };
  return http.createServer(async (request, response) => {
    const [, kind, name = "", verb = ""] = (request.url ?? "/").split("/");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const one = device(name);
    if (kind === "control") {
      if (verb === "behave") one.status = JSON.parse(body.toString()).status;
      const keys = { p256dh: one.keys.getPublicKey("base64url"), auth: one.auth.toString("base64url") };
      response.end(JSON.stringify(verb === "received" ? one.received : { keys }));
      return;
    }
    one.received.push(read(one, request, body));
    response.writeHead(one.status).end();
  });
}

function read(device: Device, { headers }: http.IncomingMessage, body: Buffer): PushReceived {
  const text = (name: string) => headers[name]?.toString();
  return {
    text: decrypted(device, body),
    ttl: text("ttl"),
    urgency: text("urgency"),
    topic: text("topic"),
    encoding: text("content-encoding"),
    vapid: vapidOf(headers.authorization ?? ""),
  };
}

function decrypted({ keys, auth }: Device, body: Buffer): string | null {
  try {
    const salt = body.subarray(0, 16);
    const length = body.readUInt8(20);
    const sender = body.subarray(21, 21 + length);
    const sealed = body.subarray(21 + length);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), sender]);
    const material = Buffer.from(hkdfSync("sha256", keys.computeSecret(sender), auth, info, 32));
    const key = Buffer.from(hkdfSync("sha256", material, salt, "Content-Encoding: aes128gcm\0", 16));
    const nonce = Buffer.from(hkdfSync("sha256", material, salt, "Content-Encoding: nonce\0", 12));
    const decipher = createDecipheriv("aes-128-gcm", key, nonce);
    decipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    const end = plain.lastIndexOf(2);
    return end === plain.length - 1 ? plain.subarray(0, end).toString() : null;
  } catch {
    return null;
  }
}

function vapidOf(header: string): PushReceived["vapid"] {
  const [, token = "", publicKey = ""] = /^vapid t=(\S+), k=(\S+)$/.exec(header) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString() || "{}");
  const point = Buffer.from(publicKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  let isValid = false;
  try {
    const key = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
    const { alg, typ } = read(head);
    isValid =
      alg === "ES256" &&
      typ === "JWT" &&
      verify(
        "sha256",
        Buffer.from(`${head}.${claims}`),
        { key, dsaEncoding: "ieee-p1363" },
        Buffer.from(signature, "base64url"),
      );
  } catch {
    // No valid key.
  }
  return { isValid, publicKey, claims: claims ? read(claims) : {} };
}
