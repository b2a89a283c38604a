import { type RouteConfig, z } from "@hono/zod-openapi";
import { anyone } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { doc, named } from "../../http/schemas.ts";
import { AGENT_SCOPES, PROPOSAL_RULES } from "../../lib/agent-rules.ts";
import { assertType } from "../../lib/cast.ts";

/*
 * What the API reference says about OAuth. These endpoints speak as their standards ask (forms, HTML, errors of their
 * own kind), so they are described here and handled without the validation of the others.
 */

const CLIENT_ID = "Yk3vJ0m7T1uVq2hN5b8xcQ";
const REDIRECT = "http://127.0.0.1:33418/callback";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const text = (description: string, example: string) => doc(z.string(), description, example);

const Failed = named("OAuthError", {
  error: text("Code of RFC 6749, RFC 7591 or RFC 8707.", "invalid_grant"),
  error_description: text("What was wrong with this request.", "The code is wrong, expired or was used before."),
});

const Registration = named(
  "ClientRegistration",
  {
    client_name: text("Name that the person is shown.", "Desk agent").optional(),
    redirect_uris: doc(z.array(z.string()), "Where it is called back: https, loopback or a program's own scheme.", [
      REDIRECT,
    ]),
  },
  { example: { client_name: "Desk agent", redirect_uris: [REDIRECT] } },
);

const Registered = named("RegisteredClient", {
  client_id: text("Id of the client.", CLIENT_ID),
  client_id_issued_at: doc(z.int(), "When it was registered, in seconds.", 1_794_821_400),
  client_name: text("Name that the person is shown.", "Desk agent"),
  redirect_uris: doc(z.array(z.string()), "Where it is called back.", [REDIRECT]),
  grant_types: doc(z.array(z.string()), "What it may ask tokens for.", ["authorization_code", "refresh_token"]),
  response_types: doc(z.array(z.string()), "What it gets from the person.", ["code"]),
  token_endpoint_auth_method: text("Clients have no secret.", "none"),
});

const TokenRequest = named(
  "TokenRequest",
  {
    grant_type: doc(z.enum(["authorization_code", "refresh_token"]), "What is exchanged.", "refresh_token"),
    client_id: text("Id of the client.", CLIENT_ID),
    code: text("With `authorization_code`: the code.", "pT8kV2mXq1uYc7hN4b9xsw").optional(),
    code_verifier: text(
      "With `authorization_code`: what `code_challenge` was made from.",
      "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    ).optional(),
    redirect_uri: text("With `authorization_code`: the same as before.", REDIRECT).optional(),
    refresh_token: text("With `refresh_token`: the latest one.", "poar_…").optional(),
    resource: text("The address of `/mcp`.", "https://assistant.example/mcp").optional(),
  },
  { example: { grant_type: "refresh_token", client_id: CLIENT_ID, refresh_token: "poar_…" } },
);

const TokenResponse = named("TokenResponse", {
  access_token: text("Access token for `/mcp`, and for nothing else.", "poat_…"),
  token_type: text("How it is sent.", "Bearer"),
  expires_in: doc(z.int(), "Seconds until it expires.", 3600),
  refresh_token: text("Exchanged for the next tokens. Every exchange replaces it.", "poar_…"),
  scope: text("What the person has allowed, with spaces between.", "emails:read tasks:read"),
});

const Revocation = named(
  "TokenRevocation",
  { token: text("A refresh token or an access token.", "poar_…") },
  {
    example: { token: "poar_…" },
  },
);

const AuthorizeQuery = z.object({
  client_id: text("Id of a registered client, or the https address of its own description.", CLIENT_ID),
  redirect_uri: text("One of its addresses; on loopback with any port.", REDIRECT),
  response_type: text("Always `code`.", "code"),
  code_challenge: text("PKCE challenge.", CHALLENGE),
  code_challenge_method: text("Always `S256`.", "S256"),
  scope: text("What it asks for. Default: everything that agents can do.", "tasks:read tasks:write").optional(),
  state: text("Returned as it is.", "af0ifjsldkj").optional(),
  resource: text("The address of `/mcp`.", "https://assistant.example/mcp").optional(),
});

const Decision = named(
  "AuthorizationForm",
  {
    step: doc(z.enum(["password", "code", "consent"]), "Which of the page's forms it is.", "password"),
    email: text("Email address of the account.", "ada@example.com").optional(),
    password: text("Password.", "correct horse battery staple").optional(),
    challenge: text("Of the page that asks for the second factor.", "…").optional(),
    code: text("Code of the authenticator app, or a backup code.", "123456").optional(),
    ticket: text("Of the page that asks for consent.", "…").optional(),
    decision: doc(z.enum(["allow", "deny"]), "The person's decision.", "allow").optional(),
    scope: doc(z.enum(AGENT_SCOPES).optional(), "What is allowed; once for each.", "tasks:read"),
    proposals: doc(z.enum(PROPOSAL_RULES).optional(), "When changes wait for the person.", "every_write"),
  },
  { example: { step: "password", email: "ada@example.com", password: "correct horse battery staple" } },
);

const list = (description: string, example: string[]) => doc(z.array(z.string()), description, example);
const BASE = "https://assistant.example";

const ResourceMetadata = named("ProtectedResourceMetadata", {
  resource: text("The address of the MCP server.", `${BASE}/mcp`),
  resource_name: text("Its name.", "Personal Operations Assistant"),
  authorization_servers: list("Who issues tokens for it.", [BASE]),
  scopes_supported: list("What can be allowed.", [...AGENT_SCOPES]),
  bearer_methods_supported: list("How tokens are sent.", ["header"]),
  resource_documentation: text("Where it is described.", `${BASE}/docs`),
});

const ServerMetadata = named("AuthorizationServerMetadata", {
  issuer: text("Who issues tokens.", BASE),
  authorization_endpoint: text("Where a person decides.", `${BASE}/oauth/authorize`),
  token_endpoint: text("Where codes and refresh tokens are exchanged.", `${BASE}/oauth/token`),
  registration_endpoint: text("Where clients register.", `${BASE}/oauth/register`),
  revocation_endpoint: text("Where tokens are given back.", `${BASE}/oauth/revoke`),
  scopes_supported: list("What can be allowed.", [...AGENT_SCOPES]),
  response_types_supported: list("Always a code.", ["code"]),
  response_modes_supported: list("Codes come in the query.", ["query"]),
  grant_types_supported: list("What can be exchanged.", ["authorization_code", "refresh_token"]),
  code_challenge_methods_supported: list("PKCE is required.", ["S256"]),
  token_endpoint_auth_methods_supported: list("Clients have no secret.", ["none"]),
  revocation_endpoint_auth_methods_supported: list("Clients have no secret.", ["none"]),
  authorization_response_iss_parameter_supported: doc(z.boolean(), "Whether answers name the issuer.", true),
  client_id_metadata_document_supported: doc(z.boolean(), "Whether a client's id may be an address.", true),
  service_documentation: text("Where it is described.", `${BASE}/docs`),
});

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
        "Dynamic client registration (RFC 7591). Clients that publish a Client ID Metadata Document need none. A client " +
        "that nobody has allowed anything within a day is forgotten.",
      ...outside,
      returns: { 201: Registered, 400: Failed, 429: Failed },
    }),
  ),
  route("get", "/oauth/authorize", {
    operationId: "showAuthorization",
    summary: "Ask a person for permission",
    description: "Opened in a browser by an agent. Asks the person to sign in and to decide.",
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
      description: "Sent by the page itself. Leads back to the agent with a code, or with an error.",
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
      summary: "Give a token back",
      description: "A refresh token ends the connection (RFC 7009). Unknown tokens are accepted, too.",
      ...outside,
      returns: { 200: null, 400: Failed, 429: Failed },
    }),
  ),
];
