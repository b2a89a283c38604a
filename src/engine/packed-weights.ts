const HASH_BITS = 22;

/** FNV-1a with a final mix, because its low bits alone are poorly distributed. */
export function hashOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) {
    hash ^= feature.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca77);
  return (hash ^ (hash >>> 13)) >>> (32 - HASH_BITS);
}

export function packWeights(weights: ReadonlyMap<number, number>): string {
  const bytes: number[] = [];
  let last = 0;
  for (const [hash, weight] of [...weights].sort(([a], [b]) => a - b)) {
    let gap = hash - last;
    last = hash;
    while (gap >= 128) {
      bytes.push((gap & 127) | 128);
      gap >>>= 7;
    }
    bytes.push(gap, weight & 255);
  }
  return btoa(String.fromCharCode(...bytes));
}

export function unpackWeights(table: string): Map<number, number> {
  const text = atob(table);
  const weights = new Map<number, number>();
  let at = 0;
  let hash = 0;
  while (at < text.length) {
    let shift = 0;
    let byte = 128;
    let gap = 0;
    while (byte >= 128) {
      byte = text.charCodeAt(at);
      at += 1;
      gap |= (byte & 127) << shift;
      shift += 7;
    }
    hash += gap;
    const weight = text.charCodeAt(at);
    at += 1;
    weights.set(hash, weight > 127 ? weight - 256 : weight);
  }
  return weights;
}
