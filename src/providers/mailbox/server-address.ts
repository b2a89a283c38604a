import { outsideAddressProblem } from "../../lib/outside-address.ts";
import type { ServerAddress } from "./types.ts";

/** IMAP and submission, each with TLS from the start and with STARTTLS. Port 25 is for servers among themselves. */
const PORTS = [993, 143, 465, 587];

/** Why the service must not connect to this server, or null if it may. Checked when saved, and again at each connection. */
export function serverProblem({ host, port }: ServerAddress, options: { allowPrivateHosts: boolean }): string | null {
  if (!/^[\p{L}\p{M}\p{N}_.-]{1,253}$/u.test(host)) return "must be the name of a server, such as imap.example.com";
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return "must have a port from 1 to 65535";
  if (options.allowPrivateHosts) return null;
  if (!PORTS.includes(port)) return `must use one of the ports ${PORTS.join(", ")}`;
  return outsideAddressProblem(`https://${host}`, { allowPrivate: false });
}

/** As DNS and certificates know it. */
export function asciiHost(host: string): string {
  const url = `https://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : host;
}
