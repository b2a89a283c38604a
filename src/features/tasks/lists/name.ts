/** A list's name as it is compared: "Shopping", "shopping" and "Shopping list" are one. */
export function listNameKey(name: string): string {
  const key = name.trim().normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
  return key.replace(/ list$/, "");
}
