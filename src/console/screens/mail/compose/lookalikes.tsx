import { useEffect } from "preact/hooks";
import { useGet } from "../../../client/queries.ts";
import { addressesOf, addressIn } from "../../../lib/people.ts";
import { compose as m } from "../../../messages/compose.ts";
import { Button } from "../../../ui/button.tsx";
import { Callout } from "../../../ui/callout.tsx";
import { type Fields, wrongAddress } from "./composition.ts";

/* Somebody who was never written to, and whose address is nearly that of a person one knows. */

/** New address → the known one that it resembles. */
const found = new Map<string, string>();

/** What is known of the recipients by now: nothing waits for it. */
export function lookalikesIn(fields: Fields): { address: string; known: string }[] {
  return recipientsOf(fields).flatMap((address) => {
    const known = found.get(address.toLowerCase());
    return known === undefined ? [] : [{ address, known }];
  });
}

function recipientsOf({ to, cc, bcc }: Fields): string[] {
  const all = addressesOf(`${to},${cc},${bcc}`).filter((each) => wrongAddress(each) === undefined);
  return [...new Set(all.map(addressIn))];
}

interface LookalikesProps {
  fields: Fields;
  onUse(address: string, known: string): void;
}

export function Lookalikes({ fields, onUse }: LookalikesProps) {
  return (
    <>
      {recipientsOf(fields).map((address) => (
        <Lookalike key={address} address={address} onUse={(known) => onUse(address, known)} />
      ))}
    </>
  );
}

const FEW = 50;

function Lookalike({ address, onUse }: { address: string; onUse(known: string): void }) {
  const own = address.toLowerCase();
  const asked = { staleTime: 60_000, retry: false } as const;
  const same = useGet(["contact", "same", own], "/api/contacts", {
    query: { q: own.slice(0, 100), limit: 5 },
    ...asked,
  });
  const isNew = same.data !== undefined && !same.data.data.some(({ addresses }) => addresses.includes(own));
  // A slip is rarely in the first two letters.
  const start = own.slice(0, 2);
  const near = useGet(["contact", "near", start], "/api/contacts", {
    query: { q: start, limit: FEW },
    enabled: isNew && /^[\p{L}\p{N}]{2}$/u.test(start),
    ...asked,
  });
  const known = isNew
    ? near.data?.data.flatMap(({ addresses }) => addresses).find((each) => isNear(own, each.toLowerCase()))
    : undefined;
  useEffect(() => {
    if (known === undefined) found.delete(own);
    else found.set(own, known);
  }, [own, known]);
  if (known === undefined) return null;
  return (
    <Callout tone="warn" role="status" action={<Button onClick={() => onUse(known)}>{m.useKnown}</Button>}>
      {m.resembles(address, known).title}
    </Callout>
  );
}

/** Two slips in a long address, one in a short one. */
function isNear(one: string, other: string): boolean {
  const allowed = Math.min(one.length, other.length) < 12 ? 1 : 2;
  return one !== other && Math.abs(one.length - other.length) <= allowed && slips(one, other) <= allowed;
}

/** Letters that are missing, too many, other ones, or in the wrong order. */
function slips(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
