import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { createFakeProvider } from "./bookingsvc/server.ts";
import { type SocialUrls, startSocial } from "./social/start.ts";

/** The outside world of the tests: real HTTP servers on loopback, started once. */
export default async function setup(project: TestProject): Promise<() => void> {
  const provider = createFakeProvider();
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  const { port } = provider.address() as AddressInfo;
  project.provide("bookingProviderUrl", `http://127.0.0.1:${port}`);
  const social = await startSocial();
  project.provide("socialUrls", social.urls);
  return () => {
    social.stop();
    provider.closeAllConnections();
    provider.close();
  };
}

declare module "vitest" {
  interface ProvidedContext {
    bookingProviderUrl: string;
    socialUrls: SocialUrls;
  }
}
