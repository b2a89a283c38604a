import { type RouteConfig, z } from "@hono/zod-openapi";
import { anyone } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { doc, named } from "../../http/schemas.ts";
import { assertType } from "../../lib/cast.ts";
import { resourceMetadata, serverMetadata } from "../../lib/oauth-metadata.ts";

/*
 * What the API reference says about OAuth. These endpoints speak as their standards ask (forms, HTML, errors of their
 * own kind), so they are described here and handled without the validation of the others.
 */

const CLIENT_ID = "Yk3vJ0m7T1uVq2hN5b8xcQ";
const REDIRECT = "http://127.0.0.1:33418/callback";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const text = (description: string, example: string) => doc(z.string(), description, example);

const Failed = named("OAuthError", () => ({
  error: text("Code of RFC 6749, RFC 7591 or RFC 8707.", "invalid_grant"),
  error_description: text("What was wrong with this request.", "The code is wrong, expired or was used before."),
}));

const Registration = named(
  "ClientRegistration",
  () => ({
    client_name: text("Name that the person is shown.", "Desk agent").optional(),
    redirect_uris: doc(z.array(z.string()), "Where it is called back: https, loopback or a program's own scheme.", [
      REDIRECT,
    ]),
  }),
  { example: { client_name: "Desk agent", redirect_uris: [REDIRECT] } },
);

const Registered = named("RegisteredClient", () => ({
  client_id: text("Id of the client.", CLIENT_ID),
  client_id_issued_at: doc(z.int(), "When it was registered, in seconds.", 1_794_821_400),
  client_name: text("Name that the person is shown.", "Desk agent"),
  redirect_uris: doc(z.array(z.string()), "Where it is called back.", [REDIRECT]),
  grant_types: doc(z.array(z.string()), "What it may ask tokens for.", ["authorization_code", "refresh_token"]),
  response_types: doc(z.array(z.string()), "What it gets from the person.", ["code"]),
  token_endpoint_auth_method: text("Clients have no secret.", "none"),
}));

const TokenRequest = named(
  "TokenRequest",
  () => ({
    grant_type: doc(z.enum(["authorization_code", "refresh_token"]), "What is exchanged.", "refresh_token"),
    client_id: text("Id of the client.", CLIENT_ID),
    code: text("With `authorization_code`: the code.", "pT8kV2mXq1uYc7hN4b9xsw").optional(),
    code_verifier: text(
      "With `authorization_code`: what `code_challenge` was made from.",
      "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    ).optional(),
    redirect_uri: text(
      "With `authorization_code`: the same value as in the authorization request.",
      REDIRECT,
    ).optional(),
    refresh_token: text("With `refresh_token`: the latest one.", "poar_…").optional(),
    resource: text("The address of `/mcp`.", "https://assistant.example/mcp").optional(),
  }),
  { example: { grant_type: "refresh_token", client_id: CLIENT_ID, refresh_token: "poar_…" } },
);

const TokenResponse = named("TokenResponse", () => ({
  access_token: text("Access token for `/mcp`, and for nothing else.", "poat_…"),
  token_type: text("How it is sent.", "Bearer"),
  expires_in: doc(z.int(), "Seconds until it expires.", 3600),
  refresh_token: text("Exchanged for the next tokens. Every exchange replaces it.", "poar_…"),
  scope: text("The granted scopes, separated by spaces.", "emails:read tasks:read"),
}));

const Revocation = named(
  "TokenRevocation",
  () => ({
    token: text("A refresh token or an access token.", "poar_…"),
    client_id: text("Id of the client. It must be the one that the token was issued to.", CLIENT_ID).optional(),
  }),
  {
    example: { token: "poar_…", client_id: CLIENT_ID },
  },
);

const AuthorizeQuery = z.object({
  client_id: text("Id of a registered client, or the https address of its own description.", CLIENT_ID),
  redirect_uri: text("One of its addresses; on loopback with any port.", REDIRECT),
  response_type: text("Always `code`.", "code"),
  code_challenge: text("PKCE challenge.", CHALLENGE),
  code_challenge_method: text("Always `S256`.", "S256"),
  scope: text("The requested scopes. Default: all scopes for agents.", "tasks:read tasks:write").optional(),
  state: text("Returned as it is.", "af0ifjsldkj").optional(),
  resource: text("The address of `/mcp`.", "https://assistant.example/mcp").optional(),
});

/** Its members change with the page. */
const Decision = z.record(z.string(), z.string()).openapi("AuthorizationForm", {
  description: "What the page's own forms send: email and password, a code, or the person's decision.",
  example: { step: "password", email: "ada@example.com", password: "correct horse battery staple" },
});

const BASE = "https://assistant.example";

const metadata = (name: string, standard: string, example: Record<string, unknown>) =>
  z.record(z.string(), z.unknown()).openapi(name, { description: `As ${standard} defines it.`, example });

const ResourceMetadata = metadata("ProtectedResourceMetadata", "RFC 9728", resourceMetadata(BASE));
const ServerMetadata = metadata("AuthorizationServerMetadata", "RFC 8414", serverMetadata(BASE));

const page = { type: "text/html", description: "A page for the person." } as const;
const outside = { guard: anyone, fromProvider: true } as const;
const FORM = "application/x-www-form-urlencoded";

const withBody = (type: string, schema: z.ZodType, declared: object) => {
  const { request, ...rest } = assertType<RouteConfig>(declared);
  return { ...rest, request: { ...request, body: { content: { [type]: { schema } }, required: true } } };
};

export const DESCRIBED = [
  route("get", "/.well-known/oauth-protected-resource/mcp", {
    operationId: "getResourceMetadata",
    summary: "Describe the MCP server",
    description: "Protected resource metadata (RFC 9728). Also at `/.well-known/oauth-protected-resource`.",
    ...outside,
    returns: { 200: ResourceMetadata },
  }),
  route("get", "/.well-known/oauth-authorization-server", {
    operationId: "getServerMetadata",
    summary: "Describe the authorization server",
    description: "Authorization server metadata (RFC 8414).",
    ...outside,
    returns: { 200: ServerMetadata },
  }),
  withBody(
    "application/json",
    Registration,
    route("post", "/oauth/register", {
      operationId: "registerClient",
      summary: "Register an agent",
      description:
        "Dynamic client registration (RFC 7591). Clients that publish a Client ID Metadata Document need not " +
        "register. A client that nobody authorizes within a day is deleted.",
      ...outside,
      returns: { 201: Registered, 400: Failed, 429: Failed },
    }),
  ),
  route("get", "/oauth/authorize", {
    operationId: "showAuthorization",
    summary: "Ask a person for permission",
    description: "Opened in a browser by an agent. Asks the person to sign in and to allow or deny access.",
    ...outside,
    query: AuthorizeQuery,
    returns: { 200: page, 303: null, 400: page, 429: page },
  }),
  withBody(
    FORM,
    Decision,
    route("post", "/oauth/authorize", {
      operationId: "decideAuthorization",
      summary: "Send the permission page's form",
      description: "Sent by the permission page. Redirects to the agent with a code or an error.",
      ...outside,
      query: AuthorizeQuery,
      returns: { 200: page, 303: null, 400: page, 401: page, 403: page, 422: page, 429: page },
    }),
  ),
  withBody(
    FORM,
    TokenRequest,
    route("post", "/oauth/token", {
      operationId: "issueTokens",
      summary: "Exchange a code or token",
      description:
        "An access token is valid for an hour, at `/mcp` only. A refresh token is replaced at every use; within 120 " +
        "seconds the previous one returns the same tokens again, and after that it ends the connection.",
      ...outside,
      returns: { 200: TokenResponse, 400: Failed, 401: Failed, 429: Failed },
    }),
  ),
  withBody(
    FORM,
    Revocation,
    route("post", "/oauth/revoke", {
      operationId: "revokeToken",
      summary: "Revoke a token",
      description: "Revoking a refresh token ends the connection (RFC 7009). Unknown tokens also return 200.",
      ...outside,
      returns: { 200: null, 400: Failed, 429: Failed },
    }),
  ),
];
