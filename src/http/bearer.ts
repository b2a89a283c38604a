/** The bearer token, `null` without a header, and "" for another authentication scheme. */
export function bearerOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  return /^Bearer +(\S+)$/i.exec(header.trim())?.[1] ?? "";
}
