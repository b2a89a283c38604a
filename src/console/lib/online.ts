import { signal } from "@preact/signals";

/** Whether the browser believes to have a network. */
export const isOnline = signal(navigator.onLine);

for (const name of ["online", "offline"]) {
  addEventListener(name, () => {
    isOnline.value = navigator.onLine;
  });
}
