import type { ComponentType } from "preact";

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
