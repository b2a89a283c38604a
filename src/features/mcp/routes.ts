import type { Context as HonoContext } from "hono";
import type { StatusCode } from "hono/utils/http-status";
import type { Context, Credential } from "../../context.ts";
import { Admission } from "../../http/admission/admission.ts";
import { type AppEnv, contextOf } from "../../http/app-env.ts";
import { bearerOf } from "../../http/bearer.ts";
import { once } from "../../http/idempotency.ts";
import { isJson } from "../../http/media-type.ts";
import { isAllowedOrigin } from "../../http/origin.ts";
import { createRouter } from "../../http/router.ts";
import { AGENT_SCOPES } from "../../lib/agent-rules.ts";
import { API_KEY_PREFIX } from "../../lib/api-key.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError, ERRORS } from "../../lib/errors.ts";
import { apiKeyCredential } from "../api-keys/service.ts";
import { grantCredential } from "../connections/credential.ts";
import { agentToolByName } from "../tools/registry.ts";
import { failure, type Message, RpcError, readMessage, resultOf, success } from "./protocol.ts";
import { callOf, OFFER, type ServedCall } from "./server.ts";

export const routes = createRouter();

/** Not part of the API reference: clients learn what there is from the protocol itself. */
routes.post("/mcp", async (c) => {
  const { body, status, headers } = await answer(c);
  // With the headers of every other response.
  return c.newResponse(body, assertType<StatusCode>(status), Object.fromEntries(headers));
});

async function answer(c: HonoContext<AppEnv>): Promise<Response> {
  const ctx = contextOf(c);
  const origin = c.req.header("origin");
  // Programs send none.
  if (origin !== undefined && !isAllowedOrigin(c, origin)) {
    return failure(new RpcError("invalidRequest", "This origin may not call the server.", { status: 403 }));
  }
  const bearer = bearerOf(c.req.header("authorization"));
  if (!bearer) return unauthorized(ctx);
  let message: Message | undefined;
  try {
    if (!isJson(c))
      throw new RpcError("invalidRequest", "Send JSON with Content-Type: application/json.", { status: 415 });
    message = readMessage(c.req.raw.headers, await c.req.text());
    return await serve(c, bearer, message);
  } catch (error) {
    return refusal(ctx, error, message);
  }
}

async function serve(c: HonoContext<AppEnv>, bearer: string, message: Message): Promise<Response> {
  const ctx = contextOf(c);
  // What a client says without asking for anything needs no answer.
  if (message.id === undefined) return new Response(null, { status: 202 });
  const { id } = message;
  const tool = message.method === "tools/call" ? agentToolByName(message.params.name) : undefined;
  const admission = new Admission(ctx, agentCredential(ctx, bearer), tool?.scopes ?? AGENT_SCOPES, {
    isReplica: false,
  });
  c.set("admission", admission);
  try {
    const result = await admission.run(
      ctx,
      () => resultOf(OFFER, message, servedCall(c)),
      (again) => c.set("context", again),
    );
    return success(id, result);
  } finally {
    admission.fixActorOf(contextOf(c));
  }
}

function servedCall(c: HonoContext<AppEnv>): ServedCall {
  const call = callOf(contextOf(c));
  return Object.assign(call, {
    once: async (requestId: string, request: string, run: () => ReturnType<ServedCall["once"]>) => {
      const response = await once(c, { key: `agent ${requestId}`, request }, async () => {
        const result = await run();
        // A refusal is not kept: the corrected call may use the same id.
        return Response.json(result, { status: result.isError ? 422 : 200 });
      });
      return assertType<Record<string, unknown>>(await response.json());
    },
  });
}

function challenge({ baseUrl }: Context, parameters: Record<string, string>): HeadersInit {
  const all = { ...parameters, resource_metadata: `${baseUrl}/.well-known/oauth-protected-resource/mcp` };
  const text = Object.entries(all).map(([name, value]) => `${name}="${value}"`);
  return { "WWW-Authenticate": `Bearer ${text.join(", ")}` };
}

function unauthorized(ctx: Context, message?: Message, error?: AppError): Response {
  const detail = error?.message ?? "Connect with OAuth, or send an API key as a bearer token.";
  const parameters = { ...(error && { error: "invalid_token" }), scope: AGENT_SCOPES.join(" ") };
  const refused = new RpcError("invalidRequest", detail, {
    status: 401,
    data: { code: error?.code ?? "unauthenticated" },
  });
  return failure(refused, message?.id, challenge(ctx, parameters));
}

/** An error as the protocol says it. Everything unforeseen goes to the app's own handler. */
function refusal(ctx: Context, thrown: unknown, message: Message | undefined): Response {
  const error = thrown instanceof Error && thrown.cause instanceof AppError ? thrown.cause : thrown;
  if (error instanceof RpcError) return failure(error, error.id ?? message?.id);
  if (!(error instanceof AppError)) throw thrown;
  if (error.status === 401) return unauthorized(ctx, message, error);
  const { code } = error;
  // Here is no fence: words that may be other people's are left out.
  const detail = error.mayQuoteOthers ? `${ERRORS[code][1]}.` : error.message;
  const refused = new RpcError("invalidRequest", detail, { status: error.status, data: { code } });
  if (code !== "insufficient_scope") return failure(refused, message?.id, retryAfter(error));
  const named = error.extras.details?.scope;
  const tool = message?.method === "tools/call" ? agentToolByName(message.params.name) : undefined;
  const scope = typeof named === "string" ? named : (tool?.scopes ?? AGENT_SCOPES).join(" ");
  const parameters = { error: "insufficient_scope", error_description: error.message, scope };
  return failure(refused, message?.id, challenge(ctx, parameters));
}

function retryAfter({ extras }: AppError): HeadersInit | undefined {
  return extras.retryAfter === undefined ? undefined : { "Retry-After": String(Math.ceil(extras.retryAfter)) };
}

/** The address that access tokens are made for. */
function resourceOf({ baseUrl }: Pick<Context, "baseUrl">): string {
  return `${baseUrl}/mcp`;
}

/** A connection's access token or an API key. The token of a session is neither: that is for the person's own console. */
function agentCredential(ctx: Context, bearer: string): Credential {
  return bearer.startsWith(API_KEY_PREFIX)
    ? apiKeyCredential(ctx, bearer, { isAgent: true })
    : grantCredential(ctx, bearer, resourceOf(ctx));
}
