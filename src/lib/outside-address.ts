import { words } from "./words.ts";

/** Names that resolve only inside a machine or a private network. */
const PRIVATE_ZONES = words("localhost local internal localdomain lan home corp intranet home.arpa");
/**
 * Public names that resolve to the address written in them, or to the local machine. Nobody knows all of them: on
 * Cloudflare none leads inside, and elsewhere the network has to keep the service out.
 */
const ECHOING_ZONES = words(
  "nip.io sslip.io xip.io traefik.me localtest.me lvh.me vcap.me lacolhost.com ip.addr.tools rbndr.us 1u.ms local.gd localho.st fuf.me backname.io",
);
const MAX_URL_CHARACTERS = 2000;

/**
 * Why the service must not call this address, or null if it may. Only `https` to a public name is allowed: an IP address
 * could be this machine or its network. `allowPrivate` (the setting `ALLOW_PRIVATE_HOSTS`) is for local work.
 */
export function outsideAddressProblem(url: string, options: { allowPrivate: boolean }): string | null {
  if (url.length > MAX_URL_CHARACTERS) return `must have at most ${MAX_URL_CHARACTERS} characters`;
  if (/[\s\\]/.test(url)) return "must be a URL without spaces and backslashes";
  if (!URL.canParse(url)) return "must be a URL, such as https://api.example.com/v1";
  const { protocol, username, password, hostname } = new URL(url);
  if (protocol !== "https:" && !(options.allowPrivate && protocol === "http:")) return "must start with https://";
  if (username || password) return "must not contain a user name or password";
  return options.allowPrivate ? null : hostProblem(hostname);
}

/** `URL` has already normalised octal, hexadecimal and single-number IPv4 addresses. */
function hostProblem(hostname: string): string | null {
  const host = hostname.toLowerCase().replace(/(?<!\.)\.+$/, "");
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return "must name a host, not an IP address";
  const isIn = (zone: string) => host === zone || host.endsWith(`.${zone}`);
  const isPrivate = !host.includes(".") || PRIVATE_ZONES.some(isIn) || ECHOING_ZONES.some(isIn);
  return isPrivate ? "must name a public host" : null;
}
