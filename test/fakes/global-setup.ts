import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { createFakeProvider } from "./bookingsvc/server.ts";
import { createFakeStripe } from "./stripe/server.ts";

/** The outside world of the tests: real HTTP servers on loopback, started once. */
export default async function setup(project: TestProject): Promise<() => void> {
  const provider = createFakeProvider();
  const stripe = createFakeStripe();
  project.provide("bookingProviderUrl", await listen(provider));
  project.provide("stripeUrl", await listen(stripe));
  return () => {
    for (const server of [provider, stripe]) {
      server.closeAllConnections();
      server.close();
    }
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

declare module "vitest" {
  interface ProvidedContext {
    bookingProviderUrl: string;
    fuzz: { seed: number; runs: number };
    stripeUrl: string;
  }
}
