import { useEffect, useState } from "preact/hooks";
import type { QrCode as Code } from "../lib/qr.ts";

/**
 * A QR code, dark on white in both themes, because many readers know nothing else. Its text belongs beside it. What
 * draws it is loaded when one is wanted, and takes its place beforehand.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [code, setCode] = useState<Code | null>(null);
  useEffect(() => {
    let isShown = true;
    import("../lib/qr.ts").then(
      ({ qrCode }) => {
        if (isShown) setCode(qrCode(text));
      },
      () => {},
    );
    return () => {
      isShown = false;
    };
  }, [text]);
  if (!code) return <div class="qr-code" />;
  const { size, path } = code;
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
