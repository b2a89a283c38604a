import { connect } from "cloudflare:sockets";
import { Connection, Silence, tlsFailure, within } from "./connection.ts";
import { asciiHost, serverProblem } from "./server-address.ts";
import { type ConnectionOptions, MailboxError, type ServerAddress } from "./types.ts";

/** Connects, with TLS if it comes first. */
export async function openConnection(server: ServerAddress, options: ConnectionOptions): Promise<Connection> {
  const problem = serverProblem(server, options);
  if (problem) throw new MailboxError("mailbox_unreachable", "address", `The server ${problem}.`);
  const { silenceMs = 20_000 } = options;
  const address = { hostname: asciiHost(server.host), port: server.port };
  const secureTransport = server.tls === "implicit" ? "on" : "starttls";
  const outcome = await opened(address, secureTransport, silenceMs);
  if (outcome instanceof Connection) return outcome;
  // Every failure reads the same. If the port opens without TLS, the server is there.
  const plain = server.tls === "implicit" ? await opened(address, "off", silenceMs) : outcome;
  if (plain instanceof Connection) {
    plain.close();
    throw tlsFailure("The server's certificate was not accepted, or the port does not begin with TLS.");
  }
  const reason =
    outcome instanceof Silence
      ? `${server.host}:${server.port} does not respond.`
      : `${server.host}:${server.port} cannot be reached: there is no such server, or nothing listens on the port.`;
  throw new MailboxError("mailbox_unreachable", "connect", reason);
}

/** Returns the error instead of throwing it. */
async function opened(
  address: SocketAddress,
  secureTransport: "on" | "off" | "starttls",
  silenceMs: number,
): Promise<Connection | unknown> {
  let socket: Socket | undefined;
  try {
    socket = connect(address, { secureTransport, allowHalfOpen: false });
    socket.closed.catch(() => undefined);
    await within(silenceMs, socket.opened);
    return new Connection(socket, silenceMs);
  } catch (error) {
    void socket?.close().catch(() => undefined);
    return error;
  }
}
