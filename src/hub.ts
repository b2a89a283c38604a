import { DurableObject } from "cloudflare:workers";

/**
 * Wakes live clients: whoever has a socket here gets a message when something was written, and then reads the database.
 * It knows nothing and stores nothing, so it may be lost at any time: clients also look on their own every half minute.
 *
 * The sockets hibernate: the object is in memory, and billed, only while it passes on a message. A timer would keep it
 * there, so it has none.
 */
export class Hub extends DurableObject {
  override fetch(request: Request): Response {
    if (request.method === "POST") return this.wakeAll();
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  private wakeAll(): Response {
    for (const socket of this.ctx.getWebSockets()) {
      try {
        socket.send("");
      } catch {
        // It is being closed.
      }
    }
    return new Response(null, { status: 204 });
  }
}
