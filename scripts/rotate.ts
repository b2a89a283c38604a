// npm run rotate [-- --url https://…]: encrypts what was encrypted with ENCRYPTION_KEY_PREVIOUS again, through
// POST /api/service/rotate, since only the Worker has the secrets. POA_API_KEY is an owner's API key with the scope
// `admin`. Then says which of the previous secrets are no longer needed.
import { parseArgs } from "node:util";

interface Counts {
  resealed: number;
  alreadyCurrent: number;
  waiting: number;
  unreadable: number;
}

interface Part {
  values: (Counts & { kind: string })[];
  passwords: { current: number; previous: number; unknown: number };
  next: string | null;
}

/** What is changed while a pass runs is found by the next one. */
const MAX_PASSES = 3;

const { values: flags } = parseArgs({ options: { url: { type: "string", default: "http://localhost:8787" } } });
const key = process.env.POA_API_KEY ?? "";

try {
  if (!key) throw new Error("Set POA_API_KEY to an API key of the owner with the scope `admin`.");
  await rotate();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function rotate(): Promise<void> {
  let resealed = 0;
  let last = await pass();
  for (let passes = 1; sum(last.kinds, "resealed") > 0 && passes < MAX_PASSES; passes++) {
    resealed += sum(last.kinds, "resealed");
    last = await pass();
  }
  resealed += sum(last.kinds, "resealed");
  console.log(`Encrypted again: ${count(resealed, "value")}. Already current: ${sum(last.kinds, "alreadyCurrent")}.`);
  report(last);
}

function report({ kinds, passwords }: Pass): void {
  for (const [kind, { unreadable }] of kinds) {
    if (unreadable > 0) {
      console.log(
        `${kind}: neither key decrypts ${count(unreadable, "value")}. Set the key that they were encrypted with as ` +
          "ENCRYPTION_KEY_PREVIOUS, or save them again.",
      );
    }
  }
  if (passwords.unknown > 0) {
    console.log(
      `The pepper of ${count(passwords.unknown, "password")} is not configured. Set it as PASSWORD_PEPPER_PREVIOUS, or ` +
        "their owners have to reset them.",
    );
  }
  const left = sum(kinds, "waiting") + sum(kinds, "resealed");
  console.log(
    left > 0
      ? `ENCRYPTION_KEY_PREVIOUS: still needed. ${count(left, "value")} changed a moment ago: run this again in two minutes.`
      : "ENCRYPTION_KEY_PREVIOUS: no longer needed.",
  );
  console.log(
    passwords.previous > 0
      ? `PASSWORD_PEPPER_PREVIOUS: still needed for ${count(passwords.previous, "password")}, until their owners sign in.`
      : "PASSWORD_PEPPER_PREVIOUS: no longer needed.",
  );
  console.log("JWT_SECRET_PREVIOUS: needed for 30 days after the change. Without it, people sign in again.");
  if (left > 0 || sum(kinds, "unreadable") > 0) process.exitCode = 1;
}

interface Pass {
  kinds: Map<string, Counts>;
  passwords: Part["passwords"];
}

async function pass(): Promise<Pass> {
  const kinds = new Map<string, Counts>();
  let after: string | undefined;
  for (;;) {
    const part = await call(after);
    for (const { kind, ...counts } of part.values) {
      const known = kinds.get(kind);
      kinds.set(kind, known ? add(known, counts) : counts);
    }
    if (part.next === null) return { kinds, passwords: part.passwords };
    after = part.next;
  }
}

async function call(after: string | undefined): Promise<Part> {
  const response = await fetch(new URL("/api/service/rotate", flags.url), {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ after }),
    // A redirect would take the key elsewhere.
    redirect: "error",
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${flags.url} responded ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

function add(one: Counts, other: Counts): Counts {
  return {
    resealed: one.resealed + other.resealed,
    alreadyCurrent: one.alreadyCurrent + other.alreadyCurrent,
    waiting: one.waiting + other.waiting,
    unreadable: one.unreadable + other.unreadable,
  };
}

function sum(kinds: ReadonlyMap<string, Counts>, name: keyof Counts): number {
  return [...kinds.values()].reduce((total, counts) => total + counts[name], 0);
}

function count(number: number, name: string): string {
  return `${number} ${name}${number === 1 ? "" : "s"}`;
}
