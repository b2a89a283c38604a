import { expect, it } from "vitest";
import { declarationsOf } from "../declared.ts";
import { service, sharedApp } from "../harness.ts";

/*
 * Whoever finds a session open must not be able to make it last: to let somebody else in, or to lead data from now on to
 * a place of their choice. Every operation that could asks for the password; what does not is listed here with the
 * reason. A new operation, or a new member that names a place, is in neither and fails.
 */

/** Writes of the account and the owner. Deletions only take away, and need no reason; that of the account asks. */
const ACCOUNT: Record<string, string> = {
  logout: "Ends the session.",
  changePassword: "Always takes the current password, in its own way.",
  enableTwoFactor: "Takes a code of the secret that its set-up returned, which asks. Wrong codes lock.",
  requestEmailVerification: "Sends to the address of the account.",
  confirmEmail: "Takes a token that was sent to the address; requesting a new address asks.",
  updateApiKey: "Takes scopes away, and changes the name.",
  testWebhook: "Sends an example to an address that was confirmed.",
  retryWebhookDelivery: "Sends an event again to an address that was confirmed.",
  updateProfile: "Says who and where the person is. Nothing is sent by it.",
  setAvatar: "A picture to show. Its address gets nothing but the request for the picture.",
  setWorkingHours: "Nobody gets in, and nothing is sent.",
  updateNotificationPreferences:
    "Notices go to the person's own address and devices. Security alerts cannot be turned off.",
  updateEmailRetention: "Deletes sooner or later. Nothing is sent.",
  startCheckout: "Leads to the payment provider.",
  openBillingPortal: "Leads to the payment provider.",
  purchaseTokens: "Leads to the payment provider.",
  setTokenBudget: "Limits what models may cost.",
  createTokenAlert: "Notices go to the person's own address.",
  updateTokenAlert: "Notices go to the person's own address.",
  startExport: "Only a session of the person can download it.",
  startUpload: "A file that only the person's import reads.",
  uploadPart: "A file that only the person's import reads.",
  importData: "Only into an empty service. An archive has no access for anybody, and its webhooks are off.",
  findLocalServers: "Asks three fixed addresses of the computer itself. Nothing is stored, and no text is sent.",
  testMailbox: "Logs in to the named servers with the password that is given with them. Nothing is stored or sent.",
  syncMailbox: "Reads and changes a mailbox whose connection was confirmed.",
  updateMailboxFolders: "Which folders of a mailbox are read whose connection was confirmed.",
  recount: "Counts again.",
  rotateSecrets: "Encrypts again what is stored.",
};

/** Other writes with a member that could name a place or an access. */
const DATA: Record<string, string> = {
  createEmailRule: "`forwardTo` is the id of a webhook of the person, whose address was confirmed.",
  updateEmailRule: "`forwardTo` is the id of a webhook of the person, whose address was confirmed.",
  sendEmail: "One email, which is listed among those that were sent.",
  replyToEmail: "One email, which is listed among those that were sent.",
  forwardEmail: "One email, which is listed among those that were sent.",
  createDraft: "Nothing is sent before the draft is.",
  updateDraft: "Nothing is sent before the draft is.",
  createEmail: "Stores an email. Nothing is sent.",
  createTask: "`emailId` names a stored email.",
  createEvent: "Invites nobody: attendees are stored and get nothing.",
  updateEvent: "Invites nobody: attendees are stored and get nothing.",
  updateEventByBooking: "Invites nobody: attendees are stored and get nothing.",
  createEventFromEmail: "Invites nobody: attendees are stored and get nothing.",
  blockSenderOfEmail: "`scope` says whether less gets in from an address or from its domain.",
  updateEmail: "`replyNeeded` is a mark on a stored email.",
  updateMatchingEmails: "`replyNeeded` is a mark on stored emails.",
  updateEmails: "`replyNeeded` is a mark on stored emails.",
  changeStreamVoice: "`callToAction` is a text in captions.",
  planTasks: "`to` is a time.",
  emailIntelligence: "Reads the text that it is given, with the model that the owner has chosen.",
  writeEmailResponse: "Writes a text with the model that the owner has chosen. Nothing is sent.",
  digitalAudit: "Reads a public website. It gets nothing but the request.",
  reportStreamStatus: "Addresses for captions to name. Nothing is sent there.",
};

/** Operations that nobody is signed in for. */
const PUBLIC: Record<string, string> = {
  register: "Makes an account of its own; the owner's needs the setup token.",
  login: "Signs in.",
  completeLogin: "Signs in.",
  refreshToken: "Takes the refresh token.",
  beginConsoleSession: "Signs in.",
  completeConsoleSession: "Signs in.",
  forgotPassword: "Sends to the address of the account.",
  resetPassword: "Takes a token that was sent to the address.",
  registerClient: "May do nothing before a person allows it.",
  issueTokens: "Takes the code that a person's permission has issued.",
  revokeToken: "Takes access away.",
  decideAuthorization: "Asks for the password in its own way: test/mcp/consent.test.ts.",
};

const PLACE = new Set(
  ["url", "uri", "uris", "endpoint", "address", "website", "host", "domain", "webhook", "redirect", "forward"].concat(
    ["to", "cc", "bcc", "email", "emails", "recipients", "attendees", "organizer", "reply"],
    ["key", "secret", "token", "password", "scope", "scopes", "role", "owner", "proposals", "members", "share"],
  ),
);

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  format?: string;
  description?: string;
}

const { body: document } = await service().get("/api-docs");

/** The members of a body, however deep, that could name a place or an access. */
function places(schema: Schema | undefined): string[] {
  if (!schema) return [];
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const named = schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : undefined;
  const inner = [...parts, named, schema.items].flatMap(places);
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    if (name === "currentPassword") return [];
    const isPlace = name.split(/_|(?=[A-Z])/).some((word) => PLACE.has(word.toLowerCase()));
    const isAddress = ["email", "uri"].includes(member.format ?? "") || /\bhttps\b/.test(member.description ?? "");
    return isPlace || isAddress ? [name] : places(member);
  });
  return [...inner, ...own];
}

const writes = declarationsOf(sharedApp).filter(({ method }) => method !== "get" && method !== "delete");
const asking = writes.filter((declared) => declared["x-error-codes"].includes("reauthentication_required"));
const silent = writes.filter((declared) => !asking.includes(declared) || declared.operationId === "changePassword");
const isOf = (...kinds: string[]) => silent.filter((declared) => kinds.includes(declared["x-guard"]));

function couldLeadAway({ method, path }: (typeof writes)[number]): boolean {
  const contents: { schema: Schema }[] = Object.values(document.paths[path][method].requestBody?.content ?? {});
  return contents.some(({ schema }) => places(schema).length > 0);
}

const names = (declared: typeof writes) => declared.map(({ operationId }) => operationId).sort();

it("what could let others in, or lead data away, asks for the password, or is listed with the reason why not", () => {
  expect(names(isOf("user", "owner"))).toEqual(Object.keys(ACCOUNT).sort());
  expect(names(isOf("data").filter(couldLeadAway))).toEqual(Object.keys(DATA).sort());
  expect(names(isOf("public").filter((declared) => couldLeadAway(declared)))).toEqual(
    Object.keys(PUBLIC)
      .filter((name) => name !== "decideAuthorization")
      .sort(),
  );
});

it("the words of its rule know the members of the operations that ask", () => {
  const bodies = asking.filter(({ request }) => request.body?.required).filter((declared) => !couldLeadAway(declared));
  // It has no other members than the password.
  expect(names(bodies)).toEqual(["confirmPassword"]);
});
