import type { ComponentType } from "preact";
import type { Dialogs } from "./overlays.tsx";

export interface ScreenProps {
  /** The parts of the address: `{ id: "12" }` for `/app/tasks/:id`. */
  params: Record<string, string>;
  query: URLSearchParams;
}

export interface Screen {
  /** The addresses of the screen. Going from one to the other keeps it, and what is typed in it. */
  patterns: readonly string[];
  load(): Promise<{ default: ComponentType<ScreenProps> }>;
  /** Shown to people who are not signed in; those who are go on to the console. */
  isPublic?: boolean;
  /** A public screen that is also for people who are signed in. */
  isForAll?: boolean;
}

export interface Found {
  screen: Screen;
  params: Record<string, string>;
}

/** What the shell uses of the screens, which lie above it: given to it by whoever starts the console. */
export interface Screens {
  find(path: string): Found | null;
  dialogs: Dialogs;
  /** Opens the window for a new email. */
  startEmail(): Promise<void>;
  /** Stores the emails that a window which was closed has left on this device. */
  storeLeftEmails(): Promise<void>;
}
