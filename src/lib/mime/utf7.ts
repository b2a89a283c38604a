/** UTF-7 (RFC 2152), which no decoder of the platform knows. `+` begins a run of base64, in which letters are UTF-16. */
export function decodeUtf7(bytes: Uint8Array): string {
  const text = new TextDecoder("windows-1252").decode(bytes);
  return text.replaceAll(/\+([A-Za-z0-9+/]*)-?/g, (whole, run: string) => {
    if (run === "") return whole === "+-" ? "+" : whole;
    const units = utf16Of(run);
    return units ?? whole;
  });
}

/** A run of base64 as the UTF-16 in it; null if it is none. */
export function utf16Of(run: string): string | null {
  try {
    const binary = atob(run.slice(0, run.length - (run.length % 4 === 1 ? 1 : 0)));
    let units = "";
    for (let at = 0; at + 1 < binary.length; at += 2) {
      units += String.fromCharCode((binary.charCodeAt(at) << 8) | binary.charCodeAt(at + 1));
    }
    return units;
  } catch {
    return null;
  }
}
