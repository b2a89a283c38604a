import { wordSet } from "./words.ts";

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
/** As domain names are written. Anything else could end a directive of a policy that names the host. */
const HOST = /^(?:[a-z0-9.-]+|\[::1\])$/;
/**
 * Schemes of installed programs. One of a program's own begins with a domain of its maker, backwards (RFC 8252, 7.1);
 * others belong to browsers and systems, where an address may act instead of leading somewhere. Known agents use
 * shorter ones.
 */
const OWN_SCHEME = /^(?:[a-z]{2,}|xn--[a-z0-9-]+)(?:\.[a-z0-9-]+)+:$/;
const AGENT_SCHEMES = wordSet(
  "claude: cursor: goose: kiro: raycast: trae: vscode: vscode-insiders: vscodium: warp: windsurf: zed:",
);
const MAX_CHARACTERS = 1000;

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && LOOPBACK_HOSTS.includes(hostname);
}

/** Why a client may not be sent to this address, or null. */
export function redirectProblem(uri: string): string | null {
  if (uri.length > MAX_CHARACTERS) return `must have at most ${MAX_CHARACTERS} characters`;
  if (/[\s\\]/.test(uri) || !URL.canParse(uri)) return "must be a URL";
  const url = new URL(uri);
  if (uri.includes("#")) return "must have no fragment";
  if (url.username || url.password) return "must have no user name or password";
  if (url.protocol === "https:")
    return HOST.test(url.hostname) ? null : "must have a host of letters, digits, dots and dashes";
  if (isLoopback(url) || AGENT_SCHEMES.has(url.protocol) || OWN_SCHEME.test(url.protocol)) return null;
  return "must be https, a loopback address, or a program's own scheme, such as com.example.app:";
}

/** Whether a client may be sent there: to exactly one of its addresses, on loopback with any port. */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (redirectProblem(uri) !== null) return false;
  if (registered.includes(uri)) return true;
  const given = new URL(uri);
  return isLoopback(given) && registered.some((each) => isLoopback(new URL(each)) && samePlace(given, new URL(each)));
}

function samePlace(a: URL, b: URL): boolean {
  return a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search;
}

/** The source of a content security policy that lets a form lead there. */
export function formTarget(uri: string): string {
  const { protocol, hostname, origin } = new URL(uri);
  // Browsers match no host that is an IPv6 address.
  if (hostname.startsWith("[") || (protocol !== "https:" && protocol !== "http:")) return protocol;
  return origin;
}

/** The form shown to a person. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === "https:" || protocol === "http:" ? host : protocol.slice(0, -1);
}
