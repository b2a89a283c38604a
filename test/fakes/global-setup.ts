import type { Server } from "node:http";
import type { TestProject } from "vitest/node";
import { createFakeProvider } from "./bookingsvc/server.ts";
import { createFakeModels } from "./llm/server.ts";
import { createFakePushService } from "./push/server.ts";
import { close, listen } from "./server.ts";
import { createFakeSite } from "./site/server.ts";
import { startSocial } from "./social/start.ts";
import { createFakeYouTube } from "./social/youtube.ts";
import { createFakeStripe } from "./stripe/server.ts";
import { createFakeReceiver } from "./webhooks/server.ts";

/** The outside world of the tests: real HTTP servers on loopback, started once. */
export default async function setup(project: TestProject): Promise<() => void> {
  const servers: Server[] = [];
  const start = (server: Server) => {
    servers.push(server);
    return listen(server);
  };
  project.provide("bookingProviderUrl", await start(createFakeProvider()));
  project.provide("modelsUrl", await start(createFakeModels()));
  project.provide("siteUrl", await start(createFakeSite()));
  project.provide("youtubeUrl", await start(createFakeYouTube()));
  project.provide("stripeUrl", await start(createFakeStripe()));
  project.provide("pushServiceUrl", await start(createFakePushService()));
  project.provide("webhookReceiverUrl", await start(createFakeReceiver()));
  const social = await startSocial();
  project.provide("socialUrls", social.urls);
  return () => {
    social.stop();
    for (const server of servers) close(server);
  };
}
