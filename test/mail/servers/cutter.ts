import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** When a connection is cut: after so many bytes, counted on the side that sends them. */
export interface Cut {
  side: "server" | "client";
  min: number;
  max: number;
  /** Instead of closing it, nothing is passed on any more. */
  isSilent?: boolean;
}

export interface Cutter {
  port: number;
  /** For the connections from now on; null: never. */
  cut: Cut | null;
  stop(): void;
}

/** Passes bytes on to a port of this machine, until it does not. */
export async function startCutter(target: number): Promise<Cutter> {
  const sockets = new Set<Socket>();
  const cutter: Cutter = { port: 0, cut: null, stop };
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    const { cut } = cutter;
    let left = cut ? cut.min + Math.floor(Math.random() * (cut.max - cut.min + 1)) : Number.POSITIVE_INFINITY;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    const pass = (from: Socket, to: Socket, side: Cut["side"]) =>
      from.on("data", (bytes) => {
        const piece = cut?.side === side ? bytes.subarray(0, Math.max(0, left)) : bytes;
        if (cut?.side === side) left -= bytes.length;
        if (piece.length > 0) to.write(piece);
        if (left < 0 && !cut?.isSilent) to.end(end);
      });
    pass(client, upstream, "client");
    pass(upstream, client, "server");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  cutter.port = typeof address === "object" && address ? address.port : 0;
  function stop() {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
  return cutter;
}
