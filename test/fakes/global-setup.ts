import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { createFakeProvider } from "./bookingsvc/server.ts";
import { createFakeModels } from "./llm/server.ts";

/** The outside world of the tests: real HTTP servers on loopback, started once. */
export default async function setup(project: TestProject): Promise<() => void> {
  const servers = { bookingProviderUrl: createFakeProvider(), modelsUrl: createFakeModels() };
  project.provide("bookingProviderUrl", await listen(servers.bookingProviderUrl));
  project.provide("modelsUrl", await listen(servers.modelsUrl));
  return () => {
    for (const server of Object.values(servers)) {
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
    modelsUrl: string;
  }
}
