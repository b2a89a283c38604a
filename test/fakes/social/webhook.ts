import { createPlatform } from "./desk.ts";

/** Somebody's own receiver at `/hook/{account}`. */
export function createFakeReceiver() {
  return createPlatform(
    ({ path }) => /^\/hook\/([\w-]+)$/.exec(path)?.[1] ?? null,
    ({ body }, desk) => {
      const { type, data } = JSON.parse(body);
      if (type === "caption.post") desk.posts.push(data.text);
      return { status: 202, body: {} };
    },
  );
}
