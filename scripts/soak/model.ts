import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { openai } from "../../test/fakes/llm/wire.ts";
import { bodyOf, close, listen } from "../../test/fakes/server.ts";
import { randomOf } from "../seed/area.ts";
import type { Part, Stage } from "./part.ts";

const ANSWER_MS = 60;
const USAGE = { input: 9, output: 4 };
const ANALYSIS = {
  urgencyScore: 60,
  urgencyReasons: [],
  category: "work",
  sentiment: "neutral",
  summary: "Ann wants the signed contract.",
  insights: [],
  actionItems: [],
  meeting: null,
  replyNeeded: true,
};

/** A language model that analyzes emails and writes captions, and sometimes fails until it is healed. */
export async function openModel({ moments, service }: Stage): Promise<Part> {
  const random = randomOf("model");
  let isHealed = false;
  let captions = 0;
  const calls = { analyses: 0, captions: 0 };
  const server = http.createServer(async (request, response) => {
    const asked = await bodyOf(request);
    const platforms = [...asked.matchAll(/\\"platform\\":\\"(\w+)\\"/g)].map(([, platform]) => platform);
    const isCaption = asked.includes("You write the social media posts");
    if (isCaption) calls.captions += 1;
    else calls.analyses += 1;
    moments.reach(isCaption ? "a model's caption" : "an analysis");
    await sleep(ANSWER_MS);
    if (!isHealed && random() < 0.15) return response.writeHead(500).end("{}");
    // Each text is its own, so that one that is posted twice is noticed.
    const caption = (platform: string | undefined) => ({ platform, text: `Caption ${++captions}.`, hashtags: [] });
    const said = isCaption ? { captions: platforms.map(caption) } : ANALYSIS;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(openai.whole("soak", { text: JSON.stringify(said), usage: USAGE })));
  });
  const base = await listen(server);
  service.set("MODEL_A", "custom/soak");
  return {
    async connect(steady, { headers, password }) {
      const body = { provider: "custom", baseUrl: `${base}/v1`, currentPassword: password };
      const reply = await steady.surely({ method: "POST", path: "/api/api-keys", headers, body });
      steady.expect(reply, [200, 201], "connecting the model");
    },
    // Emails and streams are its load.
    load: async () => {},
    heal() {
      isHealed = true;
    },
    figures: () => [`the model was asked for ${calls.analyses} analyses and ${calls.captions} times for captions`],
    close: () => close(server),
  };
}
