import { describe, expect, it } from "vitest";
import { parseEmail } from "../../../src/features/emails/parse-mime.ts";
import { MessageSkim } from "../../../src/lib/mime/skim.ts";
import { decodeBytes } from "../../../src/lib/mime/transfer-encoding.ts";
import type { Sample } from "./build.ts";
import { large, SAMPLES } from "./messages.ts";
import { expectBody, expectRoundTrip } from "./round-trip.ts";

/** Reads a message as it is read on its way into the file store. */
async function expectRead({ raw, says, files = [] }: Sample): Promise<void> {
  const skim = new MessageSkim();
  skim.push(raw);
  const { body, attachments } = await parseEmail(skim.end());
  expectBody(body, says);
  expect(attachments.map(({ name, size }) => [name, size])).toEqual(
    files.map(({ name, bytes }) => [name, bytes.length]),
  );
  for (const [index, { offset = 0, length = raw.length, encoding = "binary" }] of attachments.entries()) {
    const bytes = decodeBytes(raw.slice(offset, offset + length), encoding);
    expect(indexOfDifference(bytes, files[index]?.bytes ?? raw), `byte of attachment ${index + 1}`).toBeNull();
  }
}

/** Said in one number: arrays of a megabyte take long to compare by `toEqual`. */
function indexOfDifference(one: Uint8Array, other: Uint8Array): number | null {
  const at = one.findIndex((byte, index) => byte !== other[index]);
  return at >= 0 ? at : one.length === other.length ? null : one.length;
}

const named = (samples: readonly Sample[]) => samples.map((sample) => [sample.about, sample] as const);

describe("a message is read, byte by byte:", () => {
  it("there are more than 45 of them", () => expect(SAMPLES.length).toBeGreaterThan(45));

  it.each(named(SAMPLES))("%s", (_, sample) => expectRead(sample));
});

describe("a message comes back as it was sent, byte by byte:", () => {
  /** Every sixth, and those that say more of the email than its text and files. The rare tier sends all of them. */
  it.each(named(SAMPLES.filter(({ has }, index) => has || index % 6 === 0)))("%s", (_, sample) =>
    expectRoundTrip(sample),
  );

  it("1 MB", () => expectRoundTrip(large(370_000)));
});
