/** Four tables in one, so that four bytes are read at a time. */
const TABLE = makeTable();

function makeTable(): Uint32Array {
  const table = new Uint32Array(4 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    table[byte] = value;
  }
  for (let at = 256; at < table.length; at++) {
    const before = table[at - 256] ?? 0;
    table[at] = (table[before & 255] ?? 0) ^ (before >>> 8);
  }
  return table;
}

/** The CRC-32 of ZIP. Give the result for the bytes before to continue it. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let crc = ~before;
  let at = 0;
  for (const end = bytes.length - 3; at < end; at += 4) {
    crc ^= view.getUint32(at, true);
    crc =
      (TABLE[768 + (crc & 255)] ?? 0) ^
      (TABLE[512 + ((crc >>> 8) & 255)] ?? 0) ^
      (TABLE[256 + ((crc >>> 16) & 255)] ?? 0) ^
      (TABLE[crc >>> 24] ?? 0);
  }
  for (; at < bytes.length; at++) crc = (TABLE[(crc ^ (bytes[at] ?? 0)) & 255] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}
