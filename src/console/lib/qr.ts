import { encode } from "uqr";

/** A QR code as one path of unit squares, with the quiet zone of 4 modules that readers need. */
export interface QrCode {
  /** Width and height, quiet zone included. */
  size: number;
  path: string;
}

const QUIET = 4;

/** Error correction M: readable from a screen with glare, and still small. */
export function qrCode(text: string): QrCode {
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  return { size, path: data.map((row, y) => runs(row, y)).join("") };
}

/** The dark modules of a row: neighbours are drawn as one, so that no seam shows between them. */
function runs(row: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    path += `M${start} ${y}h${x + 1 - start}v1h-${x + 1 - start}z`;
  }
  return path;
}
