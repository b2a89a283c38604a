import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { joinBytes, toBytes } from "../../src/lib/encoding.ts";
import { isSeparator, type MboxMessage, splitMbox } from "../../src/lib/mbox.ts";

const FROM = "From ann@example.org Mon Nov 16 09:30:00 2026";

/** In chunks of this size, as a store may give them. */
function chunks(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = toBytes(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}

async function split(text: string, { size = 7, base = 0, maxBytes = 1e6 } = {}): Promise<MboxMessage[]> {
  const messages: MboxMessage[] = [];
  for await (const message of splitMbox(chunks(text, size), { base, maxBytes })) messages.push(message);
  return messages;
}

const texts = (messages: MboxMessage[]) => messages.map(({ bytes }) => bytes && new TextDecoder().decode(bytes));

describe("an mbox file", () => {
  it.each(["\n", "\r\n"])("is split into its messages, whatever ends its lines (%j)", async (end) => {
    const lines = [FROM, "Subject: a", "", "one", "", FROM, "Subject: b", "", ">From here on", ">>From there", ""];
    expect(texts(await split(lines.join(end)))).toEqual([
      ["Subject: a", "", "one", ""].join(end),
      ["Subject: b", "", "From here on", ">From there", ""].join(end),
    ]);
  });

  it("has messages only where a line with a date follows a blank one", async () => {
    const lines = [FROM, "Subject: a", "", "no blank line before", FROM, "", "From my point of view", "it is text", ""];
    expect(await split(lines.join("\n"))).toHaveLength(1);
  });

  it("can be continued at the start of any message", async () => {
    const text = Array.from({ length: 5 }, (_, n) => `${FROM}\nSubject: ${n}\n\nbody\n`).join("\n");
    const all = await split(text);
    expect(all).toHaveLength(5);
    for (const [index, { start }] of all.entries()) {
      const rest = await split(text.slice(start), { base: start });
      expect(rest).toEqual(all.slice(index));
    }
    expect(all.at(-1)?.end).toBe(text.length);
  });

  it("loses nothing of a message, however the file is cut into chunks and lines are quoted", async () => {
    const line = fc.constantFrom("", "text", "From x", ">From x", ">>From me", "From a Mon 9:30", "naïve", "\r");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(line), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        async (bodies, size) => {
          const messages = bodies.map((body) => ["Subject: s", "", ...body].join("\n"));
          const quoted = messages.map((message) => `${FROM}\n${message.replaceAll(/^(>*From )/gm, ">$1")}\n\n`);
          expect(texts(await split(quoted.join(""), { size }))).toEqual(messages.map((message) => `${message}\n`));
        },
      ),
    );
  });

  it("skips a message that is too large without holding it, and goes on", async () => {
    const text = [FROM, "Subject: a", "", "x".repeat(5000), "", FROM, "Subject: b", "", "small", ""].join("\n");
    expect(texts(await split(text, { maxBytes: 1000, size: 100 }))).toEqual([null, "Subject: b\n\nsmall\n"]);
  });

  it("copies a line that never ends a few times at most, and reads on after one that does", async () => {
    const long = "x".repeat(2_000_000);
    const text = [FROM, "Subject: a", "", long, "", FROM, "Subject: b", "", `From ${long}`, ""].join("\n");
    const set = vi.spyOn(Uint8Array.prototype, "set");
    const found = await split(text, { size: 4096, maxBytes: 1e7 });
    const copied = set.mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0);
    set.mockRestore();
    expect(texts(found)).toEqual([`Subject: a\n\n${long}\n`, `Subject: b\n\nFrom ${long}\n`]);
    expect(copied).toBeLessThan(20 * text.length);
  });

  it("is told from a single message, and of something else nothing is made", async () => {
    expect(isSeparator(toBytes(`${FROM}\nSubject: a`))).toBe(true);
    expect(isSeparator(toBytes("From: ann@example.org\nSubject: 9:30"))).toBe(false);
    expect(isSeparator(joinBytes([]))).toBe(false);
    expect(await split("Subject: a\n\nhello\n")).toEqual([]);
  });
});
