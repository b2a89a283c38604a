import { writeCaption } from "../../src/features/stream/captions/writer.ts";
import { BUILTIN_ENGINE } from "../../src/lib/ai-kinds.ts";
import type { CaptionKind, CaptionPlatform, CaptionStatus, Tone } from "../../src/lib/caption-kinds.ts";
import type { SeedContext } from "./area.ts";

/** Found again by the beginning of their subject. */
const SEED_PREFIX = "seed ";
const MINUTE_MS = 60_000;

const HASHTAGS = ["AnalyticalEngines", "MakersLive"];
const VOICES: Record<CaptionPlatform, { tone: Tone; callToAction: string }> = {
  discord: { tone: "friendly", callToAction: "Questions go into #live-chat." },
  x: { tone: "hype", callToAction: "" },
  instagram: { tone: "hype", callToAction: "" },
  facebook: { tone: "friendly", callToAction: "Follow the page for the next part." },
  webhook: { tone: "professional", callToAction: "" },
};

interface CaptionSeed {
  /** The seed's name of the stream. */
  session: string;
  kind: CaptionKind;
  platform: CaptionPlatform;
  status: CaptionStatus;
  error?: string;
  uncertain?: boolean;
}

const CAPTIONS: readonly CaptionSeed[] = [
  { session: "seed-4", kind: "go_live", platform: "discord", status: "posted" },
  { session: "seed-4", kind: "go_live", platform: "x", status: "posted" },
  { session: "seed-4", kind: "end", platform: "discord", status: "skipped" },
  { session: "seed-6", kind: "go_live", platform: "discord", status: "posted" },
  {
    session: "seed-6",
    kind: "go_live",
    platform: "x",
    status: "failed",
    uncertain: true,
    error: "X did not respond in time. The post may or may not exist: check the platform before you approve it again.",
  },
  { session: "seed-6", kind: "end", platform: "discord", status: "approved" },
  { session: "seed-6", kind: "end", platform: "x", status: "pending" },
  { session: "seed-6", kind: "end", platform: "facebook", status: "pending" },
];

interface Session {
  id: number;
  external_id: string;
  title: string;
  url: string;
  peak_viewers: number;
  started_at: number;
  ended_at: number;
}

/** Captions of the seed's streams in every state a person meets; no platform is connected. */
export async function captions({ db }: SeedContext): Promise<string> {
  const { results } = await db
    .prepare("SELECT id, external_id, title, url, peak_viewers, started_at, ended_at FROM stream_sessions")
    .all<Session>();
  const rows = CAPTIONS.flatMap(({ session: name, kind, platform, status, error, uncertain = false }) => {
    const session = results.find(({ external_id }) => external_id === name);
    if (!session) return [];
    const at = (kind === "end" ? session.ended_at : session.started_at) + MINUTE_MS;
    const facts = {
      title: session.title,
      url: session.url,
      peakViewers: session.peak_viewers,
      durationMs: session.ended_at - session.started_at,
      milestone: null,
    };
    const voice = { ...VOICES[platform], customPrompt: "", hashtags: HASHTAGS };
    return {
      ...writeCaption({ kind, platform, facts, voice, notes: "" }),
      subject: `${SEED_PREFIX}${kind} ${name}`,
      sessionId: session.id,
      kind,
      platform,
      status,
      uncertain: uncertain ? 1 : 0,
      error,
      attempts: status === "posted" || status === "failed" ? 1 : 0,
      postedAt: status === "posted" ? at + MINUTE_MS : null,
      at,
    };
  });
  await db.batch([
    db.prepare("DELETE FROM captions WHERE subject LIKE ?").bind(`${SEED_PREFIX}%`),
    db
      .prepare(
        `INSERT INTO captions (kind, session_id, platform, subject, text, hashtags, status, uncertain, error, attempts,
           engine, posted_at, version, created_at, updated_at)
         SELECT value ->> 'kind', value ->> 'sessionId', value ->> 'platform', value ->> 'subject', value ->> 'text',
           value -> 'hashtags', value ->> 'status', value ->> 'uncertain', value ->> 'error', value ->> 'attempts',
           ?2, value ->> 'postedAt', 1, value ->> 'at', value ->> 'at'
         FROM json_each(?1)`,
      )
      .bind(JSON.stringify(rows), JSON.stringify(BUILTIN_ENGINE)),
    // Only voices that nobody has touched.
    ...Object.entries(VOICES).map(([platform, { callToAction }]) =>
      db
        .prepare("UPDATE stream_voices SET hashtags = ?, call_to_action = ? WHERE platform = ? AND version = 1")
        .bind(JSON.stringify(HASHTAGS), callToAction, platform),
    ),
  ]);
  const waiting = rows.filter(({ status }) => status === "pending").length;
  return `${rows.length} captions, ${waiting} of them waiting for a decision`;
}
