import { createPlatform } from "./desk.ts";

/** The one call that shows whether a key works; the key is `{account}-key`. */
export function createFakeChannels() {
  return createPlatform(
    ({ headers }) => /^([\w-]+)-key$/.exec(headers["x-goog-api-key"] ?? "")?.[1] ?? null,
    ({ path, query, headers }) => {
      if (!/-key$/.test(headers["x-goog-api-key"] ?? "")) {
        const message = "API key not valid. Please pass a valid API key.";
        return { status: 400, body: { error: { code: 400, message, errors: [{ reason: "badRequest" }] } } };
      }
      const id = new URLSearchParams(query).get("id");
      if (path !== "/channels") return { status: 404, body: {} };
      const items = id === "UCknown" ? [{ id, snippet: { title: "Ada codes" } }] : [];
      return { status: 200, body: { kind: "youtube#channelListResponse", items } };
    },
  );
}
