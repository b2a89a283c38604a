/**
 * A Content-Disposition header for a file of any name. Old programs read `filename`, which has only ASCII letters; all
 * others read `filename*`. No character of the name can end the header or add another.
 */
export function contentDisposition(kind: "attachment" | "inline", name: string): string {
  // Half of a character cannot be encoded.
  const whole = name.replaceAll(/\p{Surrogate}/gu, "_");
  const simple = whole
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^ -~]|["\\%;]/g, "_");
  if (simple === whole) return `${kind}; filename="${simple}"`;
  const extended = encodeURIComponent(whole).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${simple}"; filename*=UTF-8''${extended}`;
}
