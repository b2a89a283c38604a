import { signal } from "@preact/signals";
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
  /** Settles when the request was sent with it; rejects with the reason why it was not accepted. */
  answer(proof: Proof): Promise<void>;
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

/** Resolves when the request was accepted with a proof. The dialog stays open until then. */
function prove<T>(send: (proof: Proof) => Promise<T>, refused: ApiProblem): Promise<T> {
  const { action, validMinutes } = refused.document;
  return new Promise<T>((resolve, reject) => {
    const request: ProofRequest = {
      needsCode: asksForCode(refused) ?? false,
      action: typeof action === "string" ? action : null,
      minutes: typeof validMinutes === "number" ? validMinutes : null,
      async answer(proof) {
        try {
          resolve(await send(proof));
        } catch (error) {
          if (!isOfProof(error)) return reject(error);
          const needsCode = isWanted(error) ? asksForCode(error) : null;
          if (needsCode !== null) proofRequest.value = { ...request, needsCode };
          throw error;
        }
      },
      cancel: () => reject(new DOMException("The person did not confirm it.", "AbortError")),
    };
    proofRequest.value = request;
  }).finally(() => {
    open = null;
    proofRequest.value = null;
  });
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
