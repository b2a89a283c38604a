import { close, listen } from "../server.ts";
import { createFakeDiscord } from "./discord.ts";
import { createFakeGraph } from "./graph.ts";
import { createFakeReceiver } from "./webhook.ts";
import { createFakeX } from "./x.ts";

export interface SocialUrls {
  discord: string;
  x: string;
  graph: string;
  receiver: string;
}

/** Every platform captions are posted to, each on a port of its own. */
export async function startSocial(): Promise<{ urls: SocialUrls; stop(): void }> {
  const servers = {
    discord: createFakeDiscord(),
    x: createFakeX(),
    graph: createFakeGraph(),
    receiver: createFakeReceiver(),
  };
  const urls: SocialUrls = { discord: "", x: "", graph: "", receiver: "" };
  for (const name of ["discord", "x", "graph", "receiver"] as const) {
    urls[name] = await listen(servers[name]);
  }
  const stop = () => {
    for (const server of Object.values(servers)) close(server);
  };
  return { urls, stop };
}
