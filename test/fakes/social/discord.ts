import { createPlatform } from "./desk.ts";

/** `/api/webhooks/{id}/{token}`: the token names the account. */
export function createFakeDiscord() {
  return createPlatform(
    ({ path }) => /^\/api\/webhooks\/\d+\/([\w-]+)$/.exec(path)?.[1] ?? null,
    ({ method, path, query, body }, desk) => {
      const id = /^\/api\/webhooks\/(\d+)\/[\w-]+$/.exec(path)?.[1];
      if (!id || desk.state.gone) return { status: 404, body: { message: "Unknown Webhook", code: 10015 } };
      if (method === "GET") {
        return {
          status: 200,
          body: { id, type: 1, name: "Announcements", guild_id: "7001", channel_id: "8001", token: "secret-token" },
        };
      }
      const message = JSON.parse(body);
      const text = message.content ?? message.embeds?.[0]?.description;
      if (!text) return { status: 400, body: { message: "Cannot send an empty message", code: 50006 } };
      if ((message.content ?? "").length > 2000)
        return { status: 400, body: { message: "Invalid Form Body", code: 50035 } };
      desk.posts.push(text);
      if (!query.includes("wait=true")) return { status: 204 };
      return { status: 200, body: { id: String(9000 + desk.posts.length), channel_id: "8001", content: text } };
    },
  );
}
