const MAPPED_IPV4 = /^(?:0{0,4}:){2,7}ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * What one client can be counted by. An IPv6 subscriber holds a whole /64, so every address of it
 * counts as the same client.
 */
export function clientNetwork(given: string): string {
  const ip = MAPPED_IPV4.exec(given)?.[1] ?? given;
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.toLowerCase().split("::");
  const left = head ? head.split(":") : [];
  const right = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

/** Wrong passwords are counted by network: a /24 of IPv4, in which people often have several addresses, or a /64. */
export function guessNetwork(ip: string): string {
  return clientNetwork(ip).replace(/^(\d+\.\d+\.\d+)\.\d+$/, "$1.0/24");
}
