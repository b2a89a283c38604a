import { env } from "cloudflare:workers";
import { type Client, service } from "../harness.ts";

/** Streams as on the first day: no session, count, event, caption or credential, and only the first milestones. */
export async function emptyStream(): Promise<void> {
  const statements = [
    "DELETE FROM stream_sessions",
    "DELETE FROM stream_reports",
    "DELETE FROM stream_channels",
    "DELETE FROM stream_events",
    "DELETE FROM captions",
    "DELETE FROM stream_credentials",
    "DELETE FROM stream_milestones WHERE metric <> 'subscribers' OR threshold NOT IN (100, 500, 1000, 5000, 10000, 50000)",
    `UPDATE stream_milestones SET reached_at = NULL, reached_value = NULL, platform = NULL, session_id = NULL,
       captions_owed_since = NULL, label = NULL, passed_before = 0, version = 1`,
  ];
  await env.DB.batch(statements.map((text) => env.DB.prepare(text)));
}

export interface ReportFields {
  eventId?: string;
  platform?: string;
  state?: string;
  externalId?: string;
  title?: string;
  viewers?: number;
  subscribers?: number;
  scheduledFor?: string;
  at?: string;
}

/** Sends a report, on the platform `custom` unless it says otherwise. */
export function send(fields: ReportFields, client: Client = service()) {
  return client.post("/api/stream/status", { platform: "custom", ...fields });
}

/** Tells the service of a channel that begins with nobody, so that each later count is growth. */
export async function newChannel(platform = "custom"): Promise<void> {
  await send({ platform, subscribers: 0, at: minute(-60) });
}

/** A moment on a day long gone, so many minutes after noon. */
export function minute(minutes: number): string {
  return new Date(Date.UTC(2026, 0, 10, 12, minutes)).toISOString();
}

export async function rows<Row>(text: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(text)
    .bind(...values)
    .all<Row>();
  return results;
}
