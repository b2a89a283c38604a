import { z } from "@hono/zod-openapi";
import { doc, Id, listOf, named, Timestamp } from "../../http/schemas.ts";

export const ClientIp = doc(z.string(), "IP address of the client.", "203.0.113.7");
export const UserAgent = doc(
  z.string().nullable(),
  "`User-Agent` header of the client.",
  "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0",
);

export const LoginRecord = named("LoginRecord", () => ({
  id: doc(Id, "Id of the sign-in attempt."),
  result: doc(z.enum(["succeeded", "failed"]), "Whether the attempt succeeded.", "succeeded"),
  method: doc(
    z.string(),
    "`password`, `totp` or `backup_code`; `second_factor` if the second factor was wrong.",
    "password",
  ),
  ip: ClientIp,
  userAgent: UserAgent,
  at: doc(Timestamp, "Time of the attempt."),
}));
export const LoginHistory = listOf(LoginRecord, "LoginHistory");

const AuditEntry = named("AuditEntry", () => ({
  id: doc(Id, "Id of the entry."),
  action: doc(z.string(), "What was done.", "api_key.created"),
  actor: doc(z.string(), "Who did it: `user:<id>`, `api_key:<id>`, `system` or `anonymous`.", "user:1"),
  ip: ClientIp,
  userAgent: UserAgent,
  details: doc(
    z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    "Further facts that depend on the action.",
    { keyId: 3 },
  ),
  at: doc(Timestamp, "Time of the action."),
}));
export const AuditLog = listOf(AuditEntry, "AuditLog");
