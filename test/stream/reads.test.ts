import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { service } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { emptyStream, rows, send } from "./reports.ts";
import { api, newCaption } from "./social.ts";

let ids: Record<"session" | "caption" | "milestone", number>;

beforeAll(async () => {
  await emptyStream();
  const { body } = await send({ state: "live", viewers: 12, subscribers: 150 });
  const [milestone] = await rows<{ id: number }>("SELECT id FROM stream_milestones WHERE threshold = 5000");
  ids = { session: body.session.id, caption: await newCaption("webhook"), milestone: milestone?.id ?? 0 };
});

it.each([
  "status",
  "status?platform=custom",
  "sessions?platform=custom&state=live,ended",
  "sessions/{session}",
  "stats",
  "events?after=0",
  "captions?status=pending&platform=webhook",
  "captions/pending",
  "captions/{caption}",
  "credentials",
  "voice",
  "milestones?metric=subscribers&reached=false",
  "milestones/{milestone}",
  "milestones/{milestone}/card.svg",
])("GET /api/stream/%s costs one round trip to the database", async (path) => {
  const counted = countStatements(env.DB);
  const url = path.replace(/\{(\w+)\}/, (_, name: keyof typeof ids) => String(ids[name]));
  const { status } = await service({ DB: counted.db }).get(`/api/stream/${url}`);
  expect({ status, roundTrips: counted.taken().roundTrips }).toEqual({ status: 200, roundTrips: 1 });
});

it("the card of a milestone ahead tells how far it is", async () => {
  expect((await api.get(`/api/stream/milestones/${ids.milestone}/card.svg`)).text).toContain("150 so far");
});
