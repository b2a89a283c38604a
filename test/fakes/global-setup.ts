import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { createFakeProvider } from "./bookingsvc/server.ts";
import { createFakeModels } from "./llm/server.ts";
import { createFakeSite } from "./site/server.ts";
import { type SocialUrls, startSocial } from "./social/start.ts";
import { createFakeYouTube } from "./social/youtube.ts";
import { createFakeStripe } from "./stripe/server.ts";
import { createFakeReceiver } from "./webhooks/server.ts";

/** The outside world of the tests: real HTTP servers on loopback, started once. */
export default async function setup(project: TestProject): Promise<() => void> {
  const servers: Server[] = [];
  const start = async (server: Server) => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  project.provide("bookingProviderUrl", await start(createFakeProvider()));
  project.provide("modelsUrl", await start(createFakeModels()));
  project.provide("siteUrl", await start(createFakeSite()));
  project.provide("youtubeUrl", await start(createFakeYouTube()));
  project.provide("stripeUrl", await start(createFakeStripe()));
  project.provide("webhookReceiverUrl", await start(createFakeReceiver()));
  const social = await startSocial();
  project.provide("socialUrls", social.urls);
  return () => {
    social.stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  };
}

declare module "vitest" {
  interface ProvidedContext {
    bookingProviderUrl: string;
    modelsUrl: string;
    siteUrl: string;
    youtubeUrl: string;
    stripeUrl: string;
    webhookReceiverUrl: string;
    socialUrls: SocialUrls;
    fuzz: { seed: number; runs: number };
  }
}
