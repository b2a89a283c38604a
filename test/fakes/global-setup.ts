import type http from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { createFakeProvider } from "./bookingsvc/server.ts";
import { type SocialUrls, startSocial } from "./social/start.ts";
import { createFakeYouTube } from "./social/youtube.ts";

/** The outside world of the tests: real HTTP servers on loopback, started once. */
export default async function setup(project: TestProject): Promise<() => void> {
  const provider = createFakeProvider();
  const youtube = createFakeYouTube();
  project.provide("bookingProviderUrl", await listen(provider));
  project.provide("youtubeUrl", await listen(youtube));
  const social = await startSocial();
  project.provide("socialUrls", social.urls);
  return () => {
    social.stop();
    for (const server of [provider, youtube]) {
      server.closeAllConnections();
      server.close();
    }
  };
}

async function listen(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

declare module "vitest" {
  interface ProvidedContext {
    bookingProviderUrl: string;
    socialUrls: SocialUrls;
    youtubeUrl: string;
  }
}
