import { signal } from "@preact/signals";
import { keepScroll, restoreScroll } from "./scroll.ts";

/*
 * Where the person is. Links are plain `<a href="/app/…">`: the Navigation API, or a click handler where a browser lacks
 * it, keeps them inside the page. The screens stand in `screens.ts`.
 */

interface Place {
  path: string;
  query: URLSearchParams;
  /** Grows with every navigation; 0 for the address that the page was opened with. */
  count: number;
  /** Whether the screen moves the focus itself. Otherwise the heading gets it. */
  keepsFocus: boolean;
  /** Whether the person went back or forward to it. The page is then scrolled to where it was. */
  isReturn: boolean;
}

const BASE = "/app";

export const place = signal<Place>({ ...placeOf(location.href), count: 0, keepsFocus: false, isReturn: false });

/** Of the navigation that is under way. */
let keepsFocus = false;

function placeOf(href: string): Pick<Place, "path" | "query"> {
  const { pathname, searchParams } = new URL(href);
  return { path: pathname.replace(/(?<=[^/])\/+$/, ""), query: searchParams };
}

/** `returnTo`: the entry of the history that the person went back or forward to. */
function arrive(href: string, returnTo: string | null = null): void {
  place.value = { ...placeOf(href), count: place.peek().count + 1, keepsFocus, isReturn: returnTo !== null };
  keepsFocus = false;
  if (returnTo !== null) restoreScroll(returnTo);
}

/** Whether an address is a screen of the console, and not a file, the API or another origin. */
function isScreen(href: string): boolean {
  const { origin, pathname } = new URL(href, location.href);
  if (origin !== location.origin) return false;
  return (pathname === BASE || pathname.startsWith(`${BASE}/`)) && !/^\/app\/(?:assets\/|[^/]+\.\w+$)/.test(pathname);
}

export function navigate(to: string, options: { replace?: boolean; keepsFocus?: boolean } = {}): void {
  const { replace = false } = options;
  keepsFocus = options.keepsFocus ?? false;
  if (window.navigation) {
    // The listener below draws. What the browser cannot do (a navigation that is overtaken by another) needs no notice.
    const { committed, finished } = window.navigation.navigate(to, { history: replace ? "replace" : "auto" });
    committed?.catch(() => {});
    finished?.catch(() => {});
    return;
  }
  history[replace ? "replaceState" : "pushState"](null, "", to);
  arrive(location.href);
}

/** The address with other parameters; empty ones are left out. */
export function withQuery(changes: Record<string, string | null>, path = place.value.path): string {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

export function startRouter(): void {
  if (window.navigation) {
    window.navigation.addEventListener("navigate", (event) => {
      const { canIntercept, hashChange, downloadRequest, formData, destination, navigationType } = event;
      if (!canIntercept || hashChange || downloadRequest !== null || formData || !isScreen(destination.url)) return;
      // Whoever calls `location.reload()` wants the files anew.
      if (navigationType === "reload") return;
      if (window.navigation?.currentEntry) keepScroll(window.navigation.currentEntry.key);
      const isReturn = navigationType === "traverse";
      event.intercept({
        focusReset: "manual",
        scroll: "manual",
        handler: async () => arrive(destination.url, isReturn ? destination.key : null),
      });
    });
    return;
  }
  addEventListener("popstate", () => arrive(location.href));
  document.addEventListener("click", (event) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || !isPlain || event.defaultPrevented || link.target || link.download || !isScreen(link.href)) return;
    event.preventDefault();
    navigate(link.href);
  });
}

/** The parameters of a pattern such as `/app/tasks/:id`, or null if the path is another. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = decode(value);
    else if (part !== value) return null;
  }
  return params;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A path of ours to return to after signing in; anything else would let a link send people elsewhere. */
export function safeNext(next: string | null): string {
  if (!next?.startsWith("/") || /^\/[/\\]/.test(next)) return BASE;
  const url = new URL(next, location.origin);
  return isScreen(url.href) ? url.pathname + url.search : BASE;
}
