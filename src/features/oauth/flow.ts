import type { Context } from "../../context.ts";
import { AGENT_SCOPES, PROPOSAL_RULES } from "../../lib/agent-rules.ts";
import { AppError } from "../../lib/errors.ts";
import { addressOf, allow, decline, signIn, signInWithCode } from "./authorize.ts";
import { OAuthError } from "./errors.ts";
import { arrivalPage, codePage, consentPage, errorPage, type Page, signInPage } from "./page.ts";
import { type AuthorizationRequest, RefusedRequest, readRequest } from "./request.ts";
import { makeTicket, readTicket } from "./ticket.ts";

/** A page to show, or an address to send the person to. */
export type Step = { page: Page } | { location: string };

interface Arrival {
  /** Whoever is signed in to the console in this browser. */
  userId(): Promise<number | null>;
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
    const userId = await arrival.userId();
    return { page: userId === null ? await signInPage({ request }) : await consentOf(ctx, request, userId) };
  });
}

async function consentOf(ctx: Context, request: AuthorizationRequest, userId: number, problem?: string): Promise<Page> {
  const ticket = makeTicket(ctx, request, userId);
  const email = await addressOf(ctx, userId);
  return consentPage({ request, ticket, email, ...(problem && { problem, status: 422 }) });
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
    throw new OAuthError("invalid_request", "The form was not complete.");
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
    return await consentOf(ctx, request, signedIn.userId);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return signInPage({ request, email, problem: error.message, status: error.status });
  }
}

async function withCode(ctx: Context, request: AuthorizationRequest, form: URLSearchParams): Promise<Page> {
  const challenge = form.get("challenge") ?? "";
  try {
    const { userId } = await signInWithCode(ctx, challenge, form.get("code") ?? "");
    return await consentOf(ctx, request, userId);
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
  const problem = "This page was open for too long. Sign in again.";
  if (!ticket) return { page: await signInPage({ request, problem, status: 401 }) };
  if (form.get("decision") === "deny") return { location: await decline(ctx, request, ticket) };
  const chosen = form.getAll("scope");
  const scopes = AGENT_SCOPES.filter((scope) => chosen.includes(scope) && request.scopes.includes(scope));
  const rule = PROPOSAL_RULES.find((each) => each === form.get("proposals"));
  if (form.get("decision") !== "allow" || !rule) throw new OAuthError("invalid_request", "The form was not complete.");
  if (scopes.length === 0) {
    return { page: await consentOf(ctx, request, ticket.userId, "Choose at least one thing that it may do.") };
  }
  try {
    return { location: await allow(ctx, request, ticket, { scopes, rule }) };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { page: await signInPage({ request, problem: error.message, status: error.status }) };
  }
}
