import { createElement, render } from "preact";
import { afterEach, describe, expect, it, vi } from "vitest";
import { until } from "../until.ts";

// The runtime of these tests has none, and one tab needs none.
vi.stubGlobal("BroadcastChannel", class {});
const { api } = await import("../../src/console/client/api.ts");
const { queryClient, useList, useQuery } = await import("../../src/console/client/queries.ts");

/** A place in a page for components that draw nothing: what is counted is how often they are asked to. */
const place = () => ({ nodeType: 1, childNodes: [], firstChild: null, ownerDocument: {} }) as unknown as Element;

let unmount = () => {};
afterEach(() => {
  unmount();
  vi.restoreAllMocks();
});

/** Draws a component with this hook, and returns what it saw each time. */
function draw<T>(hook: () => T): T[] {
  const seen: T[] = [];
  const parent = place();
  const Component = () => {
    seen.push(hook());
    return null;
  };
  render(createElement(Component, null), parent);
  unmount = () => render(null, parent);
  return seen;
}

/** A source whose responses come when the test says so. */
function source<T>() {
  const waiting: ((value: T) => void)[] = [];
  return {
    read: () => new Promise<T>((resolve) => waiting.push(resolve)),
    /** Responds to the next read. */
    async respond(value: T) {
      await until(() => expect(waiting).not.toEqual([]));
      waiting.shift()?.(value);
    },
  };
}

const idle = () => until(() => expect(queryClient.isFetching()).toBe(0));

describe("a component that reads a query", () => {
  it("is drawn for the members that it reads, and not when another one changes", async () => {
    const { read, respond } = source<string>();
    const seen = draw(() => useQuery({ queryKey: ["task", "drawn"], queryFn: read }).data);
    await respond("one");
    await until(() => expect(seen.at(-1)).toBe("one"));
    const draws = seen.length;
    // A second read that brings the same: `isFetching`, `fetchStatus` and `dataUpdatedAt` change, the data does not.
    void queryClient.invalidateQueries({ queryKey: ["task", "drawn"] });
    await respond("one");
    await idle();
    void queryClient.invalidateQueries({ queryKey: ["task", "drawn"] });
    await respond("two");
    await until(() => expect(seen.at(-1)).toBe("two"));
    expect(seen.slice(draws)).toEqual(["two"]);
  });

  it("is drawn while it is read again, if it shows that", async () => {
    const { read, respond } = source<string>();
    const seen = draw(() => useQuery({ queryKey: ["task", "shown"], queryFn: read }).isFetching);
    await respond("one");
    await until(() => expect(seen.at(-1)).toBe(false));
    void queryClient.invalidateQueries({ queryKey: ["task", "shown"] });
    await until(() => expect(seen.at(-1)).toBe(true));
    await respond("one");
    await until(() => expect(seen.at(-1)).toBe(false));
  });

  it("is drawn for the records of a list, and not while they are read again", async () => {
    const { read, respond } = source<{ data: string[]; nextCursor: null }>();
    vi.spyOn(api, "get").mockImplementation(read as never);
    const seen = draw(() => useList(["task", "listed"], "/api/tasks").records?.join());
    const again = async (...data: string[]) => {
      await respond({ data, nextCursor: null });
      await idle();
    };
    await again("one");
    await until(() => expect(seen.at(-1)).toBe("one"));
    const draws = seen.length;
    void queryClient.invalidateQueries({ queryKey: ["task", "listed"] });
    await again("one");
    void queryClient.invalidateQueries({ queryKey: ["task", "listed"] });
    await again("one", "two");
    await until(() => expect(seen.at(-1)).toBe("one,two"));
    expect(seen.slice(draws)).toEqual(["one,two"]);
  });
});
