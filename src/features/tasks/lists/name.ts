/** A list's name as it is compared: "Shopping" and "shopping" are one. */
export function listNameKey(name: string): string {
  return name.trim().normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
}
