import type { SeedContext } from "./area.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const DAY_HOURS = 24;

/** Found again by the beginning of their names. */
const SEED_PREFIX = "seed-";

interface StreamSeed {
  title: string;
  state: "ended" | "scheduled" | "cancelled";
  platform?: "youtube" | "twitch";
  /** Hours from the start of today. */
  at: number;
  minutes?: number;
  peak?: number;
}

const STREAMS: readonly StreamSeed[] = [
  { title: "Building a difference engine, part 1", state: "ended", at: -27 * DAY_HOURS + 18, minutes: 94, peak: 41 },
  { title: "Questions about punched cards", state: "ended", at: -20 * DAY_HOURS + 18, minutes: 62, peak: 58 },
  {
    title: "Late-night debugging",
    platform: "twitch",
    state: "ended",
    at: -15 * DAY_HOURS + 21,
    minutes: 135,
    peak: 33,
  },
  { title: "Building a difference engine, part 2", state: "ended", at: -13 * DAY_HOURS + 18, minutes: 110, peak: 87 },
  { title: "Studio tour", state: "cancelled", at: -9 * DAY_HOURS + 17 },
  { title: "Building a difference engine, part 3", state: "ended", at: -6 * DAY_HOURS + 18, minutes: 128, peak: 142 },
  { title: "Building a difference engine, part 4", state: "scheduled", at: 2 * DAY_HOURS + 18 },
];

const SUBSCRIBERS = 731;

/** Past streams on two platforms, the next one planned, and the first two milestones reached. */
export async function stream({ db, now }: SeedContext): Promise<string> {
  const rows = STREAMS.map(({ title, state, platform = "youtube", at, minutes = 0, peak = 0 }, index) => {
    const time = now.getTime() + at * HOUR_MS;
    const isEnded = state === "ended";
    const externalId = `${SEED_PREFIX}${index + 1}`;
    const address = platform === "youtube" ? "https://www.youtube.com/watch?v=" : "https://www.twitch.tv/videos/";
    return {
      platform,
      externalId,
      title,
      url: `${address}${externalId}`,
      state,
      scheduledFor: time,
      startedAt: isEnded ? time : null,
      endedAt: isEnded ? time + minutes * MINUTE_MS : null,
      peak,
      // A plan is made two days ahead.
      stateAt: isEnded ? time + minutes * MINUTE_MS : Math.min(time, now.getTime()) - 2 * DAY_HOURS * HOUR_MS,
    };
  });
  await db.batch([
    db.prepare("DELETE FROM stream_sessions WHERE external_id LIKE ?").bind(`${SEED_PREFIX}%`),
    db
      .prepare(
        `INSERT INTO stream_sessions (platform, external_id, title, url, state, scheduled_for, started_at, ended_at,
           peak_viewers, state_at, reported_at, version, created_at, updated_at)
         SELECT value ->> 'platform', value ->> 'externalId', value ->> 'title', value ->> 'url', value ->> 'state',
           value ->> 'scheduledFor', value ->> 'startedAt', value ->> 'endedAt', value ->> 'peak', value ->> 'stateAt',
           value ->> 'stateAt', 1, value ->> 'stateAt', value ->> 'stateAt'
         FROM json_each(?)`,
      )
      .bind(JSON.stringify(rows)),
    db
      .prepare(
        `INSERT INTO stream_channels (platform, title, subscribers, subscribers_at, last_report_at)
         VALUES ('youtube', 'Analytical Engines Live', ?1, ?2, ?2) ON CONFLICT (platform) DO NOTHING`,
      )
      .bind(SUBSCRIBERS, now.getTime()),
    db
      .prepare(
        `UPDATE stream_milestones SET reached_at = ?1 - (?2 - threshold) * 3600000, reached_value = threshold + 2,
           platform = 'youtube', version = version + 1, updated_at = ?1
         WHERE metric = 'subscribers' AND threshold <= ?2 AND reached_at IS NULL`,
      )
      .bind(now.getTime(), SUBSCRIBERS),
  ]);
  const ended = rows.filter(({ state }) => state === "ended").length;
  return `${rows.length} streams, ${ended} of them over and one planned, and ${SUBSCRIBERS} subscribers`;
}
