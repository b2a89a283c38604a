import type { paths } from "#api";
import { nothing } from "../lib/cast.ts";
import { ApiProblem } from "./problem.ts";
import { withProof } from "./proof.ts";
import { accessToken, refresh } from "./session.ts";
import { transmit } from "./transport.ts";

/*
 * The typed client. `api.get("/api/tasks", { query: { limit: 50 } })` knows its parameters and its answer from the
 * OpenAPI document. Every request that was refused because its token is old is repeated once with a new one.
 */

type Method = "get" | "post" | "put" | "patch" | "delete";
type Operation<P extends keyof paths, M extends Method> = paths[P][M];
export type PathsWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [K in M]: object } ? P : never;
}[keyof paths];

type Content<T> = T extends { content: { "application/json": infer Json } } ? Json : undefined;
type Answer<Op> = Op extends { responses: infer R }
  ? { [S in keyof R & (200 | 201 | 202 | 204)]: Content<R[S]> }[keyof R & (200 | 201 | 202 | 204)]
  : never;
type QueryOf<Op> = Op extends { parameters: { query?: infer Q } } ? Q : never;
type ParamsOf<Op> = Op extends { parameters: { path: infer P } } ? P : undefined;
type BodyOf<Op> = Op extends { requestBody?: { content: { "application/json": infer B } } }
  ? Proofless<B>
  : Op extends { requestBody: { content: { "application/json": infer B } } }
    ? Proofless<B>
    : undefined;
/** Without the password and the code, which the dialog adds where they are needed: see `proof.ts`. */
type Proofless<B> = B extends { currentPassword: string }
  ? Omit<B, "currentPassword" | "code"> & { currentPassword?: string }
  : B;

interface Common {
  signal?: AbortSignal | undefined;
  /** The version of the record that the change was made on. */
  version?: number | undefined;
  /**
   * Sent again with a repeated request, so that nothing is made twice. Without one, each call gets its own; null for a
   * POST that only reads.
   */
  key?: string | null | undefined;
  keepalive?: boolean | undefined;
}

export type Options<Op> = Common & {
  query?: QueryOf<Op>;
  params?: ParamsOf<Op>;
  body?: BodyOf<Op>;
};

/** What a reading operation is asked with. */
export type Asked<P extends PathsWith<"get">> = Pick<Options<Operation<P, "get">>, "params" | "query">;

/** What an operation returns: `Returned<"/api/tasks", "get">`. */
export type Returned<P extends keyof paths, M extends Method> = Answer<Operation<P, M>>;

type Query = Record<string, string | number | boolean | readonly string[] | undefined | null>;

interface Request extends Common {
  query?: object | undefined;
  params?: object | undefined;
  body?: unknown;
}

export const api = {
  get: <P extends PathsWith<"get">>(path: P, options: Options<Operation<P, "get">> = {}) =>
    send<Answer<Operation<P, "get">>>("GET", path, options),
  post: <P extends PathsWith<"post">>(path: P, options: Options<Operation<P, "post">> = {}) =>
    send<Answer<Operation<P, "post">>>("POST", path, options),
  put: <P extends PathsWith<"put">>(path: P, options: Options<Operation<P, "put">> = {}) =>
    send<Answer<Operation<P, "put">>>("PUT", path, options),
  patch: <P extends PathsWith<"patch">>(path: P, options: Options<Operation<P, "patch">> = {}) =>
    send<Answer<Operation<P, "patch">>>("PATCH", path, options),
  delete: <P extends PathsWith<"delete">>(path: P, options: Options<Operation<P, "delete">> = {}) =>
    send<Answer<Operation<P, "delete">>>("DELETE", path, options),
};

async function send<T>(method: string, path: string, options: Request): Promise<T> {
  const { body } = options;
  const address = addressOf(path, options);
  if (body instanceof Blob) return contentOf<T>(await request({ ...options, method, path: address }));
  // The same for a request that is repeated with the person's proof: it is one wish.
  const key = options.key === undefined ? crypto.randomUUID() : options.key;
  const attempt = (given: unknown) =>
    request({
      ...options,
      key,
      method,
      path: address,
      headers: given === undefined ? {} : { "Content-Type": "application/json" },
      body: given === undefined ? undefined : JSON.stringify(given),
    });
  // A form that has a field for the password shows by itself that it was wrong.
  if (isObject(body) && "currentPassword" in body) return contentOf<T>(await attempt(body));
  return contentOf<T>(await withProof((proof) => attempt(proof ? { ...(isObject(body) && body), ...proof } : body)));
}

async function contentOf<T>(response: Response): Promise<T> {
  return response.status === 204 ? nothing<T>() : response.json();
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

interface Raw extends Common {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: BodyInit | undefined | unknown;
}

/** A request with our credential, for answers that are no JSON: files and event streams. */
export async function request({ method, path, headers = {}, body, version, key, ...rest }: Raw): Promise<Response> {
  const complete: Record<string, string> = { Accept: "application/json", ...headers };
  if (version !== undefined) complete["If-Match"] = `"${version}"`;
  // A stream cannot be answered twice, so it takes no key.
  const isStream = complete.Accept === "text/event-stream";
  if (method === "POST" && !isStream && key !== null) complete["Idempotency-Key"] = key ?? crypto.randomUUID();
  const sent = { method, path, body: bodyOf(body), ...rest };
  const token = await accessToken();
  try {
    return await transmit({ ...sent, headers: withToken(complete, token) });
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status !== 401 || !isOfToken(error)) throw error;
    await refresh(token);
    return transmit({ ...sent, headers: withToken(complete, await accessToken()) });
  }
}

function bodyOf(body: unknown): BodyInit | undefined {
  return typeof body === "string" || body instanceof Blob ? body : undefined;
}

function withToken(headers: Record<string, string>, token: string | null): Record<string, string> {
  return token === null ? headers : { ...headers, Authorization: `Bearer ${token}` };
}

/** A wrong code or password is also a 401, and no reason for a new token. */
function isOfToken({ code }: ApiProblem): boolean {
  return ["unauthenticated", "token_expired", "session_revoked"].includes(code);
}

function addressOf(path: string, { query, params }: Request): string {
  let address = path;
  for (const [name, value] of Object.entries(params ?? {})) {
    address = address.replace(`{${name}}`, encodeURIComponent(String(value)));
  }
  const search = new URLSearchParams();
  const given: Query = { ...query };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `${address}?${text}` : address;
}
