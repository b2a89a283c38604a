import { createPlatform, type Desk } from "./desk.ts";

/** The Graph API of both Facebook and Instagram; the access token `{account}.token` names the account. */
export function createFakeGraph() {
  return createPlatform(
    ({ headers }) => /^Bearer ([\w-]+)\.token$/.exec(headers.authorization ?? "")?.[1] ?? null,
    ({ method, path, query, headers, body }, desk) => {
      const parts = path.split("/").filter(Boolean);
      const [version, node = "", edge] = parts;
      const params = new URLSearchParams(query);
      if (!/^v\d+\.\d$/.test(version ?? "")) return failure(400, 2500, "Unknown path components");
      if (!/^Bearer [\w-]+\.token$/.test(headers.authorization ?? "") || desk.state.revoked) {
        return failure(400, 190, "Error validating access token: Session has expired");
      }
      if (method === "GET") return read(node, params.get("fields") ?? "", desk);
      const form = new URLSearchParams(body);
      if (edge === "feed") {
        const message = form.get("message");
        if (!message) return failure(400, 100, "Invalid parameter");
        desk.posts.push(message);
        return { status: 200, body: { id: `${node}_${500 + desk.posts.length}` } };
      }
      if (edge === "media") return container(form, desk);
      if (edge === "media_publish") return publish(form, desk);
      return failure(400, 100, "Unsupported post request");
    },
  );
}

interface Containers {
  containers?: Record<string, { caption: string; looks: number; published?: boolean }>;
  /** How many looks a container takes to become ready. */
  slow?: number;
  broken?: boolean;
  /** A container does not yet say that it has been published. */
  behind?: boolean;
}

function container(form: URLSearchParams, desk: Desk) {
  const state: Containers = desk.state;
  if (!form.get("image_url")) return failure(400, 100, "The parameter image_url is required");
  state.containers ??= {};
  const id = `c${Object.keys(state.containers).length + 1}`;
  state.containers[id] = { caption: form.get("caption") ?? "", looks: 0 };
  return { status: 200, body: { id } };
}

function publish(form: URLSearchParams, desk: Desk) {
  const state: Containers = desk.state;
  const made = state.containers?.[form.get("creation_id") ?? ""];
  if (!made || made.published) return failure(400, 9007, "Media ID is not available");
  if (made.looks <= (state.slow ?? 0)) return failure(400, 9007, "The media is not ready for publishing");
  made.published = true;
  desk.posts.push(made.caption);
  return { status: 200, body: { id: `m${desk.posts.length}` } };
}

function read(node: string, fields: string, desk: Desk) {
  const state: Containers = desk.state;
  if (fields === "status_code") {
    const made = state.containers?.[node];
    if (!made) return failure(400, 100, "Unsupported get request");
    made.looks += 1;
    if (made.published && !state.behind) return { status: 200, body: { status_code: "PUBLISHED", id: node } };
    const status = state.broken ? "ERROR" : made.looks > (state.slow ?? 0) ? "FINISHED" : "IN_PROGRESS";
    return { status: 200, body: { status_code: status, id: node } };
  }
  if (fields === "permalink")
    return { status: 200, body: { permalink: `https://www.instagram.com/p/${node}/`, id: node } };
  if (fields === "name") return { status: 200, body: { name: "Ada Live", id: node } };
  if (fields === "username") return { status: 200, body: { username: "ada.live", id: node } };
  return failure(400, 100, "Unsupported get request");
}

function failure(status: number, code: number, message: string) {
  return { status, body: { error: { message, type: "OAuthException", code, fbtrace_id: "A1b2" } } };
}
