import { data } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
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

routes.endpoint("get", "/api/stream/credentials", {
  operationId: "listStreamCredentials",
  summary: "List platform credentials",
  description: "Returns every platform with the status of its credential, never a secret.",
  guard: data("stream:read"),
  returns: { 200: CredentialList },
  handle: ({ ctx }) => listCredentials(ctx),
});

routes.endpoint("post", "/api/stream/credentials", {
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
  handle: async ({ c, ctx, body }) => {
    const { created, credential } = await saveCredential(ctx, body);
    return c.json(credential, created ? 201 : 200);
  },
});

routes.endpoint("patch", "/api/stream/credentials/{platform}", {
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
  errors: ["nothing_to_update", "conflict", "misconfigured"],
  handle: ({ ctx, params, body }) => changeCredential(ctx, params.platform, body),
});

routes.endpoint("delete", "/api/stream/credentials/{platform}", {
  operationId: "deleteStreamCredential",
  summary: "Delete a platform's credential",
  description: "Captions for this platform stay, but can no longer be posted.",
  guard: data("stream:write"),
  params: CredentialParams,
  returns: { 204: null },
  handle: ({ ctx, params }) => deleteCredential(ctx, params.platform),
});

routes.endpoint("post", "/api/stream/credentials/{platform}/test", {
  operationId: "testStreamCredential",
  summary: "Test a platform's credential",
  description:
    "Makes a harmless call: reads the channel, webhook, account or page, or sends a signed `ping` to your own webhook. If the platform is not available, the status stays unchanged.",
  guard: data("stream:write"),
  rateLimit: "expensive",
  params: CredentialParams,
  returns: { 200: CredentialTest },
  errors: ["misconfigured"],
  handle: ({ ctx, params }) => testCredential(ctx, params.platform),
});

routes.endpoint("get", "/api/stream/voice", {
  operationId: "listStreamVoices",
  summary: "List caption voices",
  description: "Returns how captions are worded on each platform.",
  guard: data("stream:read"),
  returns: { 200: VoiceList },
  handle: ({ ctx }) => listVoices(ctx),
});

routes.endpoint("patch", "/api/stream/voice/{platform}", {
  operationId: "changeStreamVoice",
  summary: "Update a platform's caption voice",
  description: "Applies to captions written from now on.",
  guard: data("stream:write"),
  params: VoiceParams,
  body: VoiceChanges,
  returns: { 200: Voice },
  errors: ["nothing_to_update"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => changeVoice(ctx, params.platform, body, ifMatch),
});
