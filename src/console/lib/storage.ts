/** Small choices of this browser. Never tokens, never data: a browser that forbids storage loses nothing but comfort. */
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`poa-${name}`);
  } catch {
    return null;
  }
}

export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`poa-${name}`);
    else localStorage.setItem(`poa-${name}`, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
