/** The bearer token, `null` when there is no header, and "" when there is one of another kind. */
export function bearerOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  return /^Bearer +(\S+)$/i.exec(header.trim())?.[1] ?? "";
}
