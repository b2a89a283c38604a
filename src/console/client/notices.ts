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
  notices.value = [...notices.peek(), { id, ...notice }];
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
  notices.value = notices.peek().filter((notice) => notice.id !== id);
  if (!waiting) return;
  clearTimeout(waiting.timer);
  waiting.over();
}

/** Returns the id of the notice, for `dismiss`. */
export function reminderToast(notice: Pick<Notice, "text" | "detail" | "href" | "action" | "second">): number {
  return show({ tone: "reminder", ...notice }, null);
}

export function toast(text: string, action?: Notice["action"], topic?: string): void {
  show({ tone: "done", text, action, topic }, READ_MS);
}

/** Why a request failed, in plain words. */
export function reasonOf(error: unknown): string {
  if (error instanceof Unreachable) return navigator.onLine ? shell.unreachable : shell.offline;
  if (error instanceof ApiProblem) {
    if (error.code === "version_conflict") return shell.changedElsewhere;
    return error.retryAfter === null ? error.message : `${error.message} ${shell.retryAfter(error.retryAfter)}`;
  }
  if (error instanceof Failure) return error.message;
  return isCancelled(error) ? shell.notConfirmed : shell.somethingBroke;
}

/** The person closed the dialog that asked for the password: nothing went wrong. */
export function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

/** Another try of what failed. */
export interface Retry {
  topic: string;
  run?(): void;
}

/** What went wrong without a failed request, such as a test of a key: the text says it all. */
export class Failure extends Error {
  readonly detail: string | undefined;

  constructor(text: string, detail?: string | null) {
    super(text);
    this.detail = detail ?? undefined;
  }
}

/** The next try takes it away: call `dismissAbout` first, or use `attempt`. */
export function failureToast(failed: string, error: unknown, { topic, run }: Retry = { topic: failed }): void {
  if (isCancelled(error)) return;
  const [text, detail] = error instanceof Failure ? [error.message, error.detail] : [failed, reasonOf(error)];
  failureNotice({ text, detail, topic, action: run && { label: shell.tryAgain, run } });
}

export function failureNotice(notice: Pick<Notice, "text" | "detail" | "topic" | "action">): void {
  show({ tone: "failure", ...notice }, null);
}

/** What was said of it is no longer so. */
export function dismissAbout(topic: string): void {
  for (const notice of notices.peek()) if (notice.topic === topic) dismiss(notice.id);
}

/**
 * Does what a person asked for, and says why if it fails, until the next try. With a topic, the notice offers that try.
 * Resolves to whether it was done.
 */
export async function attempt(failed: string, act: () => Promise<unknown>, topic?: string): Promise<boolean> {
  dismissAbout(topic ?? failed);
  try {
    await act();
    return true;
  } catch (error) {
    failureToast(failed, error, topic ? { topic, run: () => void attempt(failed, act, topic) } : undefined);
    return false;
  }
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
