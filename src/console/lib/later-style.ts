import screens from "../styles/later.css?url";

const loading = new Map<string, Promise<void>>();

/** Loads styles that nobody sees first. */
function loadStyle(address: string): Promise<void> {
  const known = loading.get(address);
  if (known) return known;
  const loaded = new Promise<void>((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = () => resolve();
    // The screen can be used without; the next one tries again.
    link.onerror = () => {
      link.remove();
      loading.delete(address);
      resolve();
    };
    document.head.append(link);
  });
  loading.set(address, loaded);
  return loaded;
}

/** The code of a screen, or of a part of one, and its styles, at the same time. */
export async function withStyle<T>(code: Promise<T>, address = screens): Promise<T> {
  await loadStyle(address);
  return code;
}
