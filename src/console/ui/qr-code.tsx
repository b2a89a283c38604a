import { useMemo } from "preact/hooks";
import { qrCode } from "../lib/qr.ts";

/** A QR code, dark on white in both themes, because many readers know nothing else. Its text belongs beside it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrCode(text), [text]);
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
