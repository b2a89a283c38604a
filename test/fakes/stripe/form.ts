export type Form = { [name: string]: string | Form };

/** Reads `line_items[0][price]=…`, the way the provider takes nested values in bodies and queries. */
export function readForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/[^[\]]+/g)].map(([part]) => part);
    const last = path.pop() ?? "";
    let place = form;
    for (const part of path) {
      const next = place[part];
      if (typeof next === "object") place = next;
      else {
        const made: Form = {};
        place[part] = made;
        place = made;
      }
    }
    place[last] = value;
  }
  return form;
}

export function textOf(value: string | Form | undefined): string | null {
  return typeof value === "string" ? value : null;
}

export function partsOf(value: string | Form | undefined): (string | Form)[] {
  return typeof value === "object" ? Object.values(value) : [];
}

/** A flat map of texts, such as metadata. */
export function mapOf(value: string | Form | undefined): Record<string, string> {
  if (typeof value !== "object") return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, text]) => (typeof text === "string" ? [[key, text]] : [])),
  );
}
