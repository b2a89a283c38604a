import { contextOf } from "../../../http/app-env.ts";
import { ifMatch, withETag } from "../../../http/etag.ts";
import { data } from "../../../http/guards.ts";
import { withoutProof } from "../../../http/reauth.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { testCredential } from "./connection-test.ts";
import {
  Credential,
  CredentialChanges,
  CredentialList,
  CredentialParams,
  CredentialTest,
  NewCredential,
  Voice,
  VoiceChanges,
  VoiceList,
  VoiceParams,
} from "./schemas.ts";
import {
  changeCredential,
  checkNamedAddresses,
  deleteCredential,
  listCredentials,
  namesNoAddress,
  saveCredential,
} from "./service.ts";
import { changeVoice, listVoices } from "./voice.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/stream/credentials", {
    operationId: "listStreamCredentials",
    summary: "List platform credentials",
    description: "Returns every platform with the status of its credential, never a secret.",
    guard: data("stream:read"),
    returns: { 200: CredentialList },
  }),
  async (c) => c.json(await listCredentials(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/stream/credentials", {
    operationId: "saveStreamCredential",
    summary: "Save a platform's credential",
    description:
      "Replaces an existing credential (200). It is encrypted at rest and never shown again. Use `test` to check " +
      "whether the platform accepts it. In a session, only an address (`url`, `webhookUrl`) needs the password; you " +
      "are notified by email.",
    guard: data("stream:write"),
    reauth: { rule: "recent", unless: namesNoAddress, check: checkNamedAddresses },
    body: NewCredential,
    returns: { 200: Credential, 201: Credential },
    errors: ["conflict", "misconfigured"],
  }),
  async (c) => {
    const { created, credential } = await saveCredential(contextOf(c), withoutProof(c.req.valid("json")));
    return created ? c.json(credential, 201) : c.json(credential, 200);
  },
);

routes.openapi(
  route("patch", "/api/stream/credentials/{platform}", {
    operationId: "changeStreamCredential",
    summary: "Update a platform's credential",
    description:
      "Changes only the given fields. The credential is `unverified` afterwards. In a session, only a new address " +
      "(`url`, `webhookUrl`) needs the password; you are notified by email.",
    guard: data("stream:write"),
    reauth: { rule: "recent", unless: namesNoAddress, check: checkNamedAddresses },
    params: CredentialParams,
    body: CredentialChanges,
    returns: { 200: Credential },
    errors: ["not_found", "nothing_to_update", "conflict", "misconfigured"],
  }),
  async (c) => {
    const changes = withoutProof(c.req.valid("json"));
    return c.json(await changeCredential(contextOf(c), c.req.valid("param").platform, changes), 200);
  },
);

routes.openapi(
  route("delete", "/api/stream/credentials/{platform}", {
    operationId: "deleteStreamCredential",
    summary: "Delete a platform's credential",
    description: "Captions for this platform stay, but can no longer be posted.",
    guard: data("stream:write"),
    params: CredentialParams,
    returns: { 204: null },
    errors: ["not_found"],
  }),
  async (c) => noContent(c, await deleteCredential(contextOf(c), c.req.valid("param").platform)),
);

routes.openapi(
  route("post", "/api/stream/credentials/{platform}/test", {
    operationId: "testStreamCredential",
    summary: "Test a platform's credential",
    description:
      "Makes a harmless call: reads the channel, webhook, account or page, or sends a signed `ping` to your own webhook. If the platform is not available, the status stays unchanged.",
    guard: data("stream:write"),
    rateLimit: "expensive",
    params: CredentialParams,
    returns: { 200: CredentialTest },
    errors: ["not_found", "misconfigured"],
  }),
  async (c) => c.json(await testCredential(contextOf(c), c.req.valid("param").platform), 200),
);

routes.openapi(
  route("get", "/api/stream/voice", {
    operationId: "listStreamVoices",
    summary: "List caption voices",
    description: "Returns how captions are worded on each platform.",
    guard: data("stream:read"),
    returns: { 200: VoiceList },
  }),
  async (c) => c.json(await listVoices(contextOf(c)), 200),
);

routes.openapi(
  route("patch", "/api/stream/voice/{platform}", {
    operationId: "changeStreamVoice",
    summary: "Update a platform's caption voice",
    description: "Applies to captions written from now on.",
    guard: data("stream:write"),
    params: VoiceParams,
    body: VoiceChanges,
    returns: { 200: Voice },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => {
    const { platform } = c.req.valid("param");
    return c.json(withETag(c, await changeVoice(contextOf(c), platform, c.req.valid("json"), ifMatch(c))), 200);
  },
);
