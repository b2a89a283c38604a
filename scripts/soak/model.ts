import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { openai } from "../../test/fakes/llm/wire.ts";
import { bodyOf, close, listen } from "../../test/fakes/server.ts";
import type { Moments } from "./moments.ts";

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

export type Model = Awaited<ReturnType<typeof openModel>>;

/** A language model that analyzes emails and writes captions, and sometimes fails until it is healed. */
export async function openModel(random: () => number, moments: Moments) {
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
  return {
    baseUrl: `${base}/v1`,
    calls,
    heal(): void {
      isHealed = true;
    },
    close: () => close(server),
  };
}
