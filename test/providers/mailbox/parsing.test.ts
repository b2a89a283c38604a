import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyPartOf } from "../../../src/providers/mailbox/imap/body-structure.ts";
import { decodeFolderName, encodeFolderName, foldersOf } from "../../../src/providers/mailbox/imap/folder-names.ts";
import { Oversized, type RawResponse, ResponseFramer } from "../../../src/providers/mailbox/imap/framer.ts";
import { readResponse } from "../../../src/providers/mailbox/imap/responses.ts";
import { expandSet, uidSets } from "../../../src/providers/mailbox/imap/uid-sets.ts";
import { wireMessage, wireSize } from "../../../src/providers/mailbox/line-breaks.ts";
import { plainReason, secretsOf } from "../../../src/providers/mailbox/reason.ts";
import { serverProblem } from "../../../src/providers/mailbox/server-address.ts";
import { ReplyReader } from "../../../src/providers/mailbox/smtp/replies.ts";
import { bytes } from "./scripted.ts";

const text = (part: Uint8Array) => String.fromCharCode(...part);

/** In pieces of these sizes, again and again. */
function* pieces(all: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, turn = 0; at < all.length; turn++) {
    const size = sizes[turn % sizes.length] ?? all.length;
    yield all.subarray(at, at + size);
    at += size;
  }
}

const SIZES = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });

function framed(all: Uint8Array, sizes: readonly number[], literalLimit = 1000): RawResponse[] {
  const framer = new ResponseFramer();
  framer.literalLimit = literalLimit;
  return [...pieces(all, sizes)].flatMap((piece) => [...framer.push(piece)]);
}

const dataOf = (line: string, sizes = [1000]) => {
  const [raw] = framed(bytes(line), sizes);
  const response = readResponse(raw ?? { texts: [], literals: [] });
  if (response.type !== "data") throw new Error("no data");
  return response;
};

describe("IMAP responses", () => {
  it("are the same in whatever pieces they come", () => {
    const piece = fc.oneof(
      fc.constantFrom("* OK hi", "A1 OK [UIDNEXT 5] done", "* 3 FETCH (UID 5)", "+ go on", "* OK {5}"),
      fc.uint8Array({ maxLength: 30 }).map((content) => `* X {${content.length}}\r\n${text(content)} (a)`),
      fc.uint8Array({ maxLength: 9 }).map((content) => `* X ~{${content.length}+}\r\n${text(content)}{0}\r\n`),
    );
    fc.assert(
      fc.property(fc.array(piece), SIZES, (lines, sizes) => {
        const all = bytes(lines.map((line) => `${line}\r\n`).join(""));
        expect(framed(all, sizes)).toEqual(framed(all, [all.length || 1]));
        expect(framed(all, sizes)).toHaveLength(lines.length);
      }),
    );
  });

  it("of any bytes end, or are refused", () => {
    const any = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .string({
          unit: fc.constantFrom("*", " ", "(", ")", '"', "\\", "{3}", "\r\n", "[", "]", "A1 OK", "BODY[", "1", "\0"),
        })
        .map(bytes),
    );
    fc.assert(
      fc.property(any, SIZES, (content, sizes) => {
        try {
          for (const raw of framed(content, sizes)) {
            const response = readResponse(raw);
            if (response.type === "data") response.values();
          }
        } catch (error) {
          expect(String(error)).toMatch(/^Error: (?:a|an|it) /);
        }
      }),
    );
  });

  it("have limits: lines, literals, nesting", () => {
    const endless = new ResponseFramer();
    const chunk = new Uint8Array(64 * 1024).fill(65);
    expect(() => {
      for (let count = 0; count < 17; count++) [...endless.push(chunk)];
    }).toThrow("a line is too long");
    expect(() => framed(bytes("* X {99999999999}\r\n"), [50])).toThrow("a literal is too long");
    const [dropped] = framed(bytes(`* X {2000}\r\n${"x".repeat(2000)} y\r\n`), [77]);
    expect(dropped?.literals).toEqual([new Oversized(2000)]);
    const deep = `* X ${"(".repeat(100_000)}a${")".repeat(100_000)} b\r\n`;
    const values = dataOf(deep, [8192]).values();
    expect(values).toHaveLength(2);
    expect(values[1]).toBe("b");
    expect(() => dataOf("* X (a\r\n").values()).toThrow("a list does not end");
    expect(() => dataOf("* X a)\r\n").values()).toThrow("a list ends");
    expect(() => dataOf('* X "a\r\n').values()).toThrow("a quoted string does not end");
    expect(() => dataOf("* X BODY[a\r\n").values()).toThrow("a section does not end");
  });

  it("are read: atoms, strings, sections, NIL", () => {
    const line =
      '* 7 FETCH (UID 5 FLAGS (\\Seen $x) BODY[HEADER.FIELDS (A "B")]<0> {3}\r\na\0b X NIL Y "q\\"\\\\" Z "")\r\n';
    const { kind, number, values } = dataOf(line, [3]);
    expect({ kind, number, values: values() }).toEqual({
      kind: "FETCH",
      number: 7,
      values: [
        [
          "UID",
          "5",
          "FLAGS",
          ["\\Seen", "$x"],
          'BODY[HEADER.FIELDS (A "B")]<0>',
          bytes("a\0b"),
          "X",
          null,
          "Y",
          bytes('q"\\'),
          "Z",
          bytes(""),
        ],
      ],
    });
    const [raw] = framed(bytes("A12 NO [ALERT] Application-specific password required\r\n"), [100]);
    expect(readResponse(raw ?? { texts: [], literals: [] })).toEqual({
      type: "status",
      tag: "A12",
      status: "NO",
      code: "ALERT",
      argument: "",
      text: "Application-specific password required",
    });
  });
});

describe("body structures", () => {
  const of = (structure: string) => bodyPartOf(dataOf(`* X ${structure}\r\n`).values()[0]);

  it("name the sections of nested parts", () => {
    const leaf = '("TEXT" "PLAIN" ("CHARSET" "utf-8") NIL NIL "7BIT" 12 1)';
    const pdf =
      '("APPLICATION" "PDF" ("NAME" "=?utf-8?Q?=C3=84.pdf?=") "<cid@x>" NIL "BASE64" 99 NIL ("ATTACHMENT" ("FILENAME" "../a.pdf")))';
    const attached = `("MESSAGE" "RFC822" NIL NIL NIL "7BIT" 50 ("d" NIL NIL NIL NIL NIL NIL NIL NIL NIL) ${leaf} 3 NIL ("inline" NIL))`;
    const tree = of(`((${leaf}${leaf} "ALTERNATIVE" ("BOUNDARY" "x"))${pdf}${attached} "MIXED" NIL NIL)`);
    const sections: string[] = [];
    const visit = ({ section, parts }: typeof tree) => {
      sections.push(section);
      parts.forEach(visit);
    };
    visit(tree);
    expect(sections).toEqual(["", "1", "1.1", "1.2", "2", "3"]);
    expect(tree.parts[0]).toMatchObject({ type: "multipart/alternative", parameters: { boundary: "x" } });
    expect(tree.parts[1]).toMatchObject({ fileName: "a.pdf", contentId: "<cid@x>", size: 99, encoding: "base64" });
    expect(tree.parts[2]).toMatchObject({ type: "message/rfc822", disposition: "inline", size: 50, parts: [] });
    expect(of(leaf)).toMatchObject({ section: "1", type: "text/plain", parameters: { charset: "utf-8" } });
  });

  it("of nonsense are parts of nothing, and however deep they end", () => {
    expect(of("(NIL NIL)")).toMatchObject({ type: "application/octet-stream", size: 0 });
    expect(of("()")).toMatchObject({ section: "1" });
    expect(() => of("x")).toThrow("no list");
    const deep = of(`${"(".repeat(5000)}"TEXT" "PLAIN"${")".repeat(5000)}`);
    expect(JSON.stringify(deep).length).toBeLessThan(20_000);
  });
});

describe("names of folders", () => {
  it("survive encoding, whatever is in them", () => {
    expect(encodeFolderName("Täglich & 日本語")).toBe("T&AOQ-glich &- &ZeVnLIqe-");
    expect(decodeFolderName("&Jjo-! &broken &AOQ-")).toBe("\u263a! &broken ä");
    expect(decodeFolderName("\u00c3\u00a4")).toBe("ä");
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(encodeFolderName(name)).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeFolderName(encodeFolderName(name))).toBe(name);
      }),
    );
  });

  it("tell a role only where the server does not", () => {
    const folder = (raw: string, ...attributes: string[]) => ({ raw, delimiter: "/", attributes });
    const roles = (...listed: Parameters<typeof foldersOf>[0]) => foldersOf(listed).map(({ role }) => role);
    expect(roles(folder("inbox"), folder("Sent", "\\sent"), folder("Gesendet"), folder("Papierkorb"))).toEqual([
      "inbox",
      "sent",
      null,
      "trash",
    ]);
    expect(roles(folder("INBOX/Archive"), folder("Work/Archive"), folder("Trash", "\\noselect"))).toEqual([
      "archive",
      null,
      null,
    ]);
    expect(roles(folder("Sent Items"), folder("Sent"))).toEqual(["sent", "sent"]);
    expect(roles(folder("[Gmail]/All Mail", "\\all"), folder("[Gmail]", "\\noselect"))).toEqual(["all", null]);
  });
});

describe("sets of UIDs", () => {
  it("name all of them, in lines that a server takes", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 5000 }), { maxLength: 400 }), (uids) => {
        const sets = uidSets(uids, 60);
        expect(sets.every((set) => set.length <= 60)).toBe(true);
        expect(sets.flatMap((set) => expandSet(set) ?? [])).toEqual([...uids].sort((a, b) => a - b));
      }),
    );
    expect(() => uidSets([0])).toThrow(RangeError);
    expect(expandSet("1:4294967295")).toBeNull();
    expect(expandSet("7:5,4294967290:4294967295", { last: 6 })).toEqual([5, 6]);
    for (const wrong of ["", "1:*", "1,", "x", "12345678901"]) expect(() => expandSet(wrong)).toThrow("malformed");
  });
});

describe("messages on the wire", () => {
  const joined = (message: Uint8Array, dots: boolean) => [...wireMessage(message, { dots })].map(text).join("");

  it("have CRLF and no line of one dot", () => {
    const some = fc.string({ unit: fc.constantFrom("a", ".", "\r", "\n"), maxLength: 60 });
    fc.assert(
      fc.property(some, (message) => {
        const lines = message.replaceAll(/\r\n?|\n/g, "\r\n");
        const right = lines === "" || lines.endsWith("\r\n") ? lines : `${lines}\r\n`;
        expect(joined(bytes(message), false)).toBe(right);
        expect(wireSize(bytes(message))).toBe(right.length);
        expect(joined(bytes(message), true)).toBe(right.replaceAll(/(^|\r\n)\./g, "$1.."));
      }),
    );
  });

  it("also where one piece ends and the next begins", () => {
    for (const end of ["\r\n.\r\n", "\n.", "\r.", "\r\n", "\r"]) {
      for (let shift = 0; shift < 4; shift++) {
        const message = bytes(`${"x".repeat(65_536 - shift)}${end}y`);
        const right = text(message).replaceAll(/\r\n?|\n/g, "\r\n");
        expect(joined(message, true)).toBe(`${right.replaceAll("\r\n.", "\r\n..")}\r\n`);
      }
    }
  });
});

describe("SMTP replies", () => {
  it("are the same in whatever pieces they come, and nothing else is one", () => {
    const all = bytes("220 hi\r\n250-mail.test\r\n250-SIZE 5\r\n250 AUTH PLAIN\r\n354\r\n");
    fc.assert(
      fc.property(SIZES, (sizes) => {
        const reader = new ReplyReader();
        expect([...pieces(all, sizes)].flatMap((piece) => [...reader.push(piece)])).toEqual([
          { code: 220, lines: ["hi"] },
          { code: 250, lines: ["mail.test", "SIZE 5", "AUTH PLAIN"] },
          { code: 354, lines: [""] },
        ]);
      }),
    );
    for (const wrong of [
      "hello\r\n",
      "250-a\r\n251 b\r\n",
      "199 x\r\n",
      "\r\n",
      `250 ${"x".repeat(70_000)}`,
      "250-a\r\n".repeat(40_000),
    ]) {
      expect(() => [...new ReplyReader().push(bytes(wrong))]).toThrow(/^a /);
    }
  });
});

describe("what a server says", () => {
  it("is shown as one plain line without a secret", () => {
    const secrets = secretsOf({ kind: "password", username: "ada", password: "geheim" });
    const said = `No:\r\n geheim \u0007 AGFkYQBnZWhlaW0= Z2VoZWlt \u202e${"x".repeat(500)}`;
    const reason = plainReason(said, secrets, "Refused.");
    expect(reason).toMatch(/^No: … … … x{10}/);
    expect(reason.length).toBeLessThanOrEqual(200);
    expect(plainReason("\u0000\r\n", secrets, "Refused.")).toBe("Refused.");
  });
});

describe("addresses of servers", () => {
  it("are public names and ports of mail, unless it is local work", () => {
    const problem = (host: string, port: number, allowPrivateHosts = false) =>
      serverProblem({ host, port, tls: "implicit" }, { allowPrivateHosts });
    for (const port of [993, 143, 465, 587]) expect(problem("imap.example.com", port)).toBeNull();
    for (const port of [25, 80, 0, 1.5, 70_000]) expect(problem("imap.example.com", port)).toMatch(/port/);
    for (const host of ["localhost", "127.0.0.1", "10.0.0.1", "mail.internal", "0x7f.1", "mail"]) {
      expect(problem(host, 993)).toMatch(/host/);
      expect(problem(host, 10_993, true)).toBeNull();
    }
    for (const host of ["", "a b", "a\r\nb", "user@host.example", "a/b", "[::1]"]) {
      expect(problem(host, 993, true)).toMatch(/name of a server/);
    }
  });
});
