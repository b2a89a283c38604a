import { env } from "cloudflare:workers";
import type { Env } from "../../src/config.ts";

/** The file store, some of whose members fail. */
export function failingFiles(...names: (keyof R2Bucket)[]): Pick<Env, "FILES"> {
  const fail = () => Promise.reject(new Error("the store is down"));
  const FILES = new Proxy(env.FILES, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (names.some((each) => each === name)) return fail;
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return { FILES };
}
