import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp, TotpCode } from "../../../http/schemas.ts";

const enabledAt = doc(Timestamp.nullable(), "When two-factor authentication was turned on; null if it is off.");
const backupCodesLeft = doc(z.int(), "Number of unused backup codes.", 10);

/** What the security overview shows too. */
export const TwoFactorSummary = z.object({
  enabled: doc(z.boolean(), "Whether signing in needs a second factor.", true),
  enabledAt,
  backupCodesLeft,
});

export const TwoFactorState = TwoFactorSummary.extend({
  setupStarted: doc(z.boolean(), "Whether a setup was started and waits for its first code.", false),
}).openapi("TwoFactorState");

const ONCE = "Shown once; null when a request is repeated with its `Idempotency-Key`.";
const onceText = (description: string, example: string) =>
  doc(z.string().nullable(), `${description} ${ONCE}`, example);
export const TwoFactorSetup = named("TwoFactorSetup", () => ({
  secret: onceText("Secret to enter into an authenticator app.", "JBSWY3DPEHPK3PXP"),
  otpauthUri: onceText(
    "The secret as a URI for authenticator apps.",
    "otpauth://totp/Personal%20Operations%20Assistant:ada%40example.com?secret=…",
  ),
  qr: onceText("The URI as a QR code, in SVG.", '<svg xmlns="http://www.w3.org/2000/svg" …'),
}));

export const TwoFactorCode = named("TwoFactorCode", () => ({ code: TotpCode }), { example: { code: "287082" } });

const backupCodes = doc(z.array(z.string()).nullable(), `Backup codes. Each works once. ${ONCE}`, [
  "J5XW-6YTB-MFRG-GZDF-N5ZG-K2LT",
]);
export const TwoFactorEnabled = named("TwoFactorEnabled", () => ({
  enabled: doc(z.literal(true), "Always true.", true),
  backupCodes,
}));
export const BackupCodes = named("BackupCodes", () => ({ backupCodes }));
