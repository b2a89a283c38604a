import { type Context, signedInUser } from "../../context.ts";
import { AGENT_SCOPES, PROPOSAL_RULES } from "../../lib/agent-rules.ts";
import { AppError } from "../../lib/errors.ts";
import { inSession } from "../auth/authenticate.ts";
import { reauthenticate } from "../auth/reauthentication.ts";
import { isReauthenticated } from "../auth/sessions/proofs.ts";
import type { HeldSession } from "../auth/sessions/service.ts";
import { allow, decline, personOf, signIn, signInWithCode } from "./authorize.ts";
import { OAuthError } from "./errors.ts";
import { arrivalPage, type Choices, codePage, consentPage, errorPage, type Page, signInPage } from "./page.ts";
import { type AuthorizationRequest, RefusedRequest, readRequest } from "./request.ts";
import { readTicket, type Ticket, writeTicket } from "./ticket.ts";

/** A page to show, or an address to send the person to. */
export type Step = { page: Page } | { location: string };

interface Arrival {
  /** The console's session in this browser. */
  session(): Promise<HeldSession | null>;
  /** Whether another site led here, which keeps the browser from sending the session's cookie. */
  isFromElsewhere: boolean;
  /** The address of this page. */
  address: string;
}

const ARRIVED = "arrived";

export function arrive(ctx: Context, given: URLSearchParams, arrival: Arrival): Promise<Step> {
  return explained(async () => {
    const hasArrived = given.get(ARRIVED) !== null;
    given.delete(ARRIVED);
    const request = await readRequest(ctx, given);
    if (arrival.isFromElsewhere && !hasArrived) {
      return { page: await arrivalPage(`${arrival.address}&${ARRIVED}=1`) };
    }
    const held = await arrival.session();
    if (held === null) return { page: await signInPage({ request }) };
    const person = await inSession(ctx, held);
    return { page: await consentOf(person, request, newTicket(ctx, held, false)) };
  });
}

function newTicket(ctx: Context, { userId, sessionId }: HeldSession, isOfPage: boolean): Ticket {
  return { userId, sessionId, isOfPage, issuedAt: ctx.now.getTime() };
}

/** The page for a person who has signed in. It asks for the password unless that was confirmed in their session recently. */
function consentOf(
  person: Context,
  request: AuthorizationRequest,
  ticket: Ticket,
  again: { problem?: string; status?: number; choices?: Choices } = {},
): Promise<Page> {
  const { email, twoFactorEnabled } = signedInUser(person);
  const proof = isReauthenticated(person) ? "none" : twoFactorEnabled ? "password and code" : "password";
  return consentPage({ request, ticket: writeTicket(person, request, ticket), email, proof, ...again });
}

async function signedInOnPage(ctx: Context, request: AuthorizationRequest, held: HeldSession): Promise<Page> {
  return consentOf(await inSession(ctx, held), request, newTicket(ctx, held, true));
}

/** The next step after a form was sent. */
export function proceed(ctx: Context, given: URLSearchParams, form: URLSearchParams): Promise<Step> {
  return explained(async () => {
    given.delete(ARRIVED);
    const request = await readRequest(ctx, given);
    const step = form.get("step");
    if (step === "password") return { page: await withPassword(ctx, request, form) };
    if (step === "code") return { page: await withCode(ctx, request, form) };
    if (step === "consent") return decided(ctx, request, form);
    throw new OAuthError("invalid_request", "The form is incomplete.");
  });
}

async function explained(run: () => Promise<Step>): Promise<Step> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RefusedRequest) return { location: error.location };
    if (error instanceof OAuthError) return { page: await errorPage(error.message, 400) };
    throw error;
  }
}

async function withPassword(ctx: Context, request: AuthorizationRequest, form: URLSearchParams): Promise<Page> {
  const email = (form.get("email") ?? "").trim().toLowerCase();
  const password = form.get("password") ?? "";
  try {
    if (email === "" || password === "" || email.length > 254 || password.length > 256) {
      throw new AppError("invalid_credentials", "The email or password is wrong.");
    }
    const signedIn = await signIn(ctx, { email, password });
    if ("challengeToken" in signedIn) return await codePage({ request, challenge: signedIn.challengeToken });
    return await signedInOnPage(ctx, request, signedIn);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return signInPage({ request, email, problem: error.message, status: error.status });
  }
}

async function withCode(ctx: Context, request: AuthorizationRequest, form: URLSearchParams): Promise<Page> {
  const challenge = form.get("challenge") ?? "";
  try {
    return await signedInOnPage(ctx, request, await signInWithCode(ctx, challenge, form.get("code") ?? ""));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const shown = { request, problem: error.message, status: error.status };
    return error.code === "challenge_expired" ? signInPage(shown) : codePage({ ...shown, challenge });
  }
}

/** Wrong, locked or over: the person reads why, and tries again. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && (error.status === 401 || error.status === 429 || error.status === 422);
}

async function decided(ctx: Context, request: AuthorizationRequest, form: URLSearchParams): Promise<Step> {
  const ticket = readTicket(ctx, request, form.get("ticket") ?? "");
  const problem = "This page has expired. Sign in again.";
  if (!ticket) return { page: await signInPage({ request, problem, status: 401 }) };
  if (form.get("decision") === "deny") return { location: await decline(ctx, request, ticket) };
  const chosen = form.getAll("scope");
  const scopes = AGENT_SCOPES.filter((scope) => chosen.includes(scope) && request.scopes.includes(scope));
  const rule = PROPOSAL_RULES.find((each) => each === form.get("proposals"));
  if (form.get("decision") !== "allow" || !rule) throw new OAuthError("invalid_request", "The form is incomplete.");
  const choices = { scopes, rule };
  try {
    const person = await personOf(ctx, ticket);
    const problem = scopes.length === 0 ? NOTHING_CHOSEN : await proofProblem(person, form);
    if (problem) return { page: await consentOf(person, request, ticket, { ...problem, choices }) };
    return { location: await allow(ctx, request, ticket, choices) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { page: await signInPage({ request, problem: error.message, status: error.status }) };
  }
}

const NOTHING_CHOSEN = { problem: "Choose at least one permission.", status: 422 };

/** Checks the password, and the code, if the session has to confirm them. Says what is wrong with them, or null. */
async function proofProblem(
  person: Context,
  form: URLSearchParams,
): Promise<{ problem: string; status: number } | null> {
  const given = (name: string) => form.get(name) || undefined;
  const proof = { currentPassword: given("password"), code: given("code")?.replaceAll(/\s/g, "") };
  try {
    await reauthenticate(person, proof, { always: false });
    return null;
  } catch (error) {
    const isRefused = error instanceof AppError && (error.status === 403 || error.status === 429);
    if (!isRefused) throw error;
    const needs = error.extras.details?.needs;
    const isMissing = Array.isArray(needs);
    const problem = isMissing ? `Enter your password${needs.includes("code") ? " and a code" : ""}.` : error.message;
    return { problem, status: error.status };
  }
}
