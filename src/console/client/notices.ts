import { signal } from "@preact/signals";
import { shell } from "../messages/shell.ts";
import { ApiProblem, Unreachable } from "./problem.ts";

interface Action {
  label: string;
  run(): void;
}

export interface Notice {
  id: number;
  /** Failures are read out at once. They and reminders stay until they are closed. */
  tone: "done" | "failure" | "reminder";
  text: string;
  detail?: string | undefined;
  /** Where the text leads. */
  href?: string | undefined;
  action?: Action | undefined;
  second?: Action | undefined;
  isUndo?: boolean;
  /** What it is about, for `dismissAbout`. */
  topic?: string | undefined;
}

export const notices = signal<readonly Notice[]>([]);

const UNDO_MS = 8000;
const READ_MS = 5000;
let lastId = 0;
const timers = new Map<number, { over: () => void; timer: ReturnType<typeof setTimeout> }>();

function show(notice: Omit<Notice, "id">, ms: number | null, over: () => void = () => {}): number {
  lastId += 1;
  const id = lastId;
  // A new undo does not end the earlier ones; only the newest three are drawn.
  notices.value = [...notices.value, { id, ...notice }];
  if (ms !== null) {
    const timer = setTimeout(() => dismiss(id), ms);
    timers.set(id, { over, timer });
  }
  return id;
}

/** Takes a notice away. What could be undone no longer can. */
export function dismiss(id: number): void {
  const waiting = timers.get(id);
  timers.delete(id);
  notices.value = notices.value.filter((notice) => notice.id !== id);
  if (!waiting) return;
  clearTimeout(waiting.timer);
  waiting.over();
}

/** Returns the id of the notice, for `dismiss`. */
export function reminderToast(notice: Pick<Notice, "text" | "detail" | "href" | "action" | "second">): number {
  return show({ tone: "reminder", ...notice }, null);
}

export function toast(text: string, action?: Notice["action"]): void {
  show({ tone: "done", text, action }, READ_MS);
}

/** Why a request failed, in plain words. */
export function reasonOf(error: unknown): string {
  if (error instanceof Unreachable) return navigator.onLine ? shell.unreachable : shell.offline;
  if (error instanceof ApiProblem) {
    if (error.code === "version_conflict") return shell.changedElsewhere;
    return error.retryAfter === null ? error.message : `${error.message} ${shell.retryAfter(error.retryAfter)}`;
  }
  return shell.somethingBroke;
}

/** Without an error, the text says it all. */
export function failureToast(text: string, error: unknown, retry?: Retry): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  const action = retry && { label: shell.tryAgain, run: retry.run };
  const detail = error === null ? undefined : reasonOf(error);
  show({ tone: "failure", text, detail, action, topic: retry?.topic }, null);
}

/** Another try: what was said of the one before is no longer so. */
export interface Retry {
  topic: string;
  run(): void;
}

export function dismissAbout(topic: string): void {
  for (const notice of notices.value) if (notice.topic === topic) dismiss(notice.id);
}

/** For what failed without a failed request, such as a test of a key. Returns its id, for `dismiss`. */
export function failureNotice(text: string, detail?: string, action?: Action): number {
  return show({ tone: "failure", text, detail, action }, null);
}

interface Undoable {
  isOver(): void;
  undo(): void;
}

/** Returns how to take it away without an end: neither over nor undone. */
export function undoToast(text: string, { isOver, undo }: Undoable): () => void {
  const id = show({ tone: "done", text, isUndo: true, action: { label: shell.undo, run } }, UNDO_MS, isOver);
  function takeAway(): boolean {
    const waiting = timers.get(id);
    clearTimeout(waiting?.timer);
    timers.delete(id);
    dismiss(id);
    return waiting !== undefined;
  }
  function run() {
    if (takeAway()) undo();
  }
  return takeAway;
}

/** Undoes the last thing that still can be, for the key `z`. */
export function undoLast(): void {
  notices.value.findLast((notice) => notice.isUndo)?.action?.run();
}
