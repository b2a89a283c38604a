import type { IncomingMessage, Server } from "node:http";

/** Starts a server on a free port of this machine and gives its address. */
export async function listen(server: Server): Promise<string> {
  // A connection that is closed for being idle just when it is used again looks like a lost answer: no test is that slow.
  server.keepAliveTimeout = 3_600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Ends a server, whoever is still connected. */
export function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}

/** Does not end if the client is gone before it has sent all of it: nobody waits for a response then. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return new Promise(() => {});
  }
  return Buffer.concat(chunks).toString();
}
