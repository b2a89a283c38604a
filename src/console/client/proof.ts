import { signal } from "@preact/signals";
import { reasonOf } from "./notices.ts";
import { ApiProblem, Unreachable } from "./problem.ts";

/*
 * Some requests need the password again, and the code with two-factor authentication. The API says so with
 * `reauthentication_required`. The dialog then asks for it, and the request is repeated with the answer: the screen that
 * sent it knows nothing of this.
 */

interface Proof {
  currentPassword: string;
  code?: string;
}

interface ProofRequest {
  needsCode: boolean;
  /** What it is for, such as "Create a webhook". */
  action: string | null;
  /** How long the answer counts; null where the question comes each time. */
  minutes: number | null;
  /** Why the last answer was not accepted. */
  problem: string | null;
  isBusy: boolean;
  answer(proof: Proof): void;
  cancel(): void;
}

/** What the dialog asks for; null while it is closed. */
export const proofRequest = signal<ProofRequest | null>(null);

/** Settles when the dialog is closed. Two requests do not ask at the same time: one answer often serves both. */
let open: Promise<unknown> | null = null;

/** Sends a request, and again with the person's proof if it is refused without one. Cancelling is an `AbortError`. */
export async function withProof<T>(send: (proof: Proof | undefined) => Promise<T>): Promise<T> {
  try {
    return await send(undefined);
  } catch (error) {
    if (!isWanted(error)) throw error;
    if (open) {
      await open.catch(() => {});
      return withProof(send);
    }
    const proving = prove(send, error);
    open = proving;
    return proving;
  }
}

async function prove<T>(send: (proof: Proof) => Promise<T>, refused: ApiProblem): Promise<T> {
  const { action, validMinutes } = refused.document;
  const asked = {
    action: typeof action === "string" ? action : null,
    minutes: typeof validMinutes === "number" ? validMinutes : null,
  };
  let problem: string | null = null;
  let needsCode = asksForCode(refused) ?? false;
  try {
    for (;;) {
      const proof = await ask({ ...asked, needsCode, problem });
      try {
        return await send(proof);
      } catch (error) {
        if (!isOfProof(error)) throw error;
        problem = reasonOf(error);
        needsCode = (isWanted(error) ? asksForCode(error) : null) ?? needsCode;
      }
    }
  } finally {
    open = null;
    proofRequest.value = null;
  }
}

function isWanted(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.code === "reauthentication_required";
}

/** Whether the dialog stays: the proof was wrong, or nobody could look at it. Any other refusal is about the form. */
function isOfProof(error: unknown): boolean {
  if (error instanceof Unreachable || isWanted(error)) return true;
  return error instanceof ApiProblem && (error.status >= 500 || error.status === 429);
}

/** The problem names what is missing; for a proof that was wrong it names nothing. */
function asksForCode({ document: { needs } }: ApiProblem): boolean | null {
  return Array.isArray(needs) ? needs.includes("code") : null;
}

function ask(asked: Pick<ProofRequest, "needsCode" | "action" | "minutes" | "problem">): Promise<Proof> {
  return new Promise((resolve, reject) => {
    proofRequest.value = {
      ...asked,
      isBusy: false,
      answer(proof) {
        const request = proofRequest.peek();
        if (request) proofRequest.value = { ...request, isBusy: true };
        resolve(proof);
      },
      cancel: () => reject(new DOMException("The person did not confirm it.", "AbortError")),
    };
  });
}
