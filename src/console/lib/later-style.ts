import address from "../styles/later.css?url";

let loading: Promise<void> | undefined;

/** Loads the styles of the screens that nobody sees first, before one of them is drawn. */
function laterStyle(): Promise<void> {
  loading ??= new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = () => resolve();
    // The screen can be used without; the next one tries again.
    link.onerror = () => {
      link.remove();
      loading = undefined;
      resolve();
    };
    document.head.append(link);
  });
  return loading;
}

/** The code of a screen and its styles, at the same time. */
export async function withStyle<T>(screen: Promise<T>): Promise<T> {
  await laterStyle();
  return screen;
}
