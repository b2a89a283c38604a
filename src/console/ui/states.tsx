import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { reasonOf } from "../client/notices.ts";
import { ApiProblem, Unreachable } from "../client/problem.ts";
import { knock, useUntilBack } from "../client/reach.ts";
import { shell } from "../messages/shell.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

/** The shape of what comes, for waits over 200 ms. */
export function Skeleton({ rows = 5, form = "rows" }: { rows?: number; form?: "rows" | "text" | "block" }) {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), 200);
    return () => clearTimeout(timer);
  }, []);
  if (!isLong) return <div class="skeleton-wait" />;
  return (
    <div class={`skeleton stack gap-4 ${form}`} role="status">
      <span class="visually-hidden">{shell.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="skeleton-row line gap-12" aria-hidden="true">
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

interface EmptyProps {
  icon: string;
  title: string;
  text?: ComponentChildren;
  action?: ComponentChildren;
}

/** Says that there is nothing here, and what to do next. */
export function Empty({ icon, title, text, action }: EmptyProps) {
  return (
    <div class="empty stack gap-4">
      <span class="empty-icon center">
        <Icon name={icon} size={24} />
      </span>
      <strong>{title}</strong>
      {text && <p class="muted">{text}</p>}
      {action}
    </div>
  );
}

/** In place of what could not be read. It is read again as soon as the service can be reached. */
export function LoadFailure({ error, retry }: { error: unknown; retry(): void }) {
  const unclear = error instanceof ApiProblem ? error.fieldMessage("q") : undefined;
  const isUnreachable = error instanceof Unreachable;
  const isOffline = isUnreachable && !navigator.onLine;
  // A try of the whole would show the shape of what comes instead of this, each time.
  useUntilBack(isUnreachable, () => knock().then(retry));
  return (
    <div role="alert">
      {unclear === undefined ? (
        <Empty
          icon={isOffline ? "offline" : "alert"}
          title={isOffline ? shell.offlineBadge : shell.notLoaded}
          text={reasonOf(error)}
          action={<Button onClick={retry}>{shell.tryAgain}</Button>}
        />
      ) : (
        <Empty icon="search" title={shell.searchUnclear} text={shell.sentence(unclear)} />
      )}
    </div>
  );
}

/** What is read, by `useQuery`, `useList` or `useRecord`. */
interface Read {
  error: unknown;
  retry?(): void;
  refetch?(): unknown;
}

interface PendingProps {
  of: Read;
  /** How many rows the shape of what comes has, and of which form. */
  rows?: number;
  form?: "rows" | "text" | "block";
}

/** In place of what is not there yet: the shape of what comes, or why it does not. */
export function Pending({ of: read, ...shape }: PendingProps) {
  const { error } = read;
  if (!error) return <Skeleton {...shape} />;
  return <LoadFailure error={error} retry={() => void (read.retry ?? read.refetch)?.()} />;
}
