import {
  base64,
  bytesOf,
  filePart,
  fromHex,
  head,
  join,
  latin,
  mixed,
  noise,
  PDF,
  part,
  quotedPrintable,
  type Sample,
  TEXT,
} from "./build.ts";

/* Messages that were encoded strangely, and messages that are broken. */

export const encodings: Sample[] = [
  {
    about: "a quoted-printable file",
    raw: mixed(
      "QP",
      part(TEXT, "QP"),
      part(
        "Content-Type: application/octet-stream; name=a.bin\nContent-Transfer-Encoding: quoted-printable",
        quotedPrintable(noise(2000, 7)),
      ),
    ),
    says: ["QP"],
    files: [{ name: "a.bin", bytes: noise(2000, 7) }],
  },
  {
    about: "a binary file",
    raw: mixed(
      "Binary",
      part(TEXT, "Binary"),
      part(
        "Content-Type: application/octet-stream; name=a.bin\nContent-Transfer-Encoding: binary",
        join(noise(5000, 9), "\n\n"),
      ),
    ),
    says: ["Binary"],
    files: [{ name: "a.bin", bytes: join(noise(5000, 9), "\n\n") }],
  },
  {
    about: "base64 with rubbish between",
    raw: mixed(
      "Rubbish",
      part(TEXT, "Rubbish"),
      part(
        "Content-Type: application/octet-stream; name=a.bin\nContent-Transfer-Encoding: base64",
        base64(PDF.bytes, 60).replaceAll("\r\n", " !\u0007\r\n\r\n"),
      ),
    ),
    says: ["Rubbish"],
    files: [{ name: "a.bin", bytes: PDF.bytes }],
  },
  {
    about: "base64 on one line of 300 KB",
    raw: mixed(
      "One line",
      part(TEXT, "One line"),
      part(
        "Content-Type: application/octet-stream; name=a.bin\nContent-Transfer-Encoding: BASE64",
        base64(noise(225_000, 4), 1_000_000),
      ),
    ),
    says: ["One line"],
    files: [{ name: "a.bin", bytes: noise(225_000, 4) }],
  },
  {
    about: "an unknown transfer encoding",
    raw: mixed(
      "x-uuencode",
      part(TEXT, "uu"),
      part(
        "Content-Type: application/octet-stream; name=a.uu\nContent-Transfer-Encoding: x-uuencode",
        "begin 644 a\n#86)C\n`\nend",
      ),
    ),
    says: ["uu"],
    files: [{ name: "a.uu", bytes: bytesOf("begin 644 a\n#86)C\n`\nend") }],
  },
];

export const broken: Sample[] = [
  {
    about: "without its last boundary",
    raw: join(
      head("Open", "Content-Type: multipart/mixed; boundary=b\n"),
      "\n",
      part(TEXT, "Still here"),
      filePart(PDF),
    ),
    says: ["Still here"],
    files: [PDF],
  },
  {
    about: "UTF-8 with a damaged byte",
    raw: join(
      head("Damaged", "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n"),
      "\n",
      bytesOf("会議は三時からです。"),
      fromHex("e4"),
      bytesOf(" Grüße, 5 €"),
    ),
    says: ["会議は三時からです。", "Grüße, 5 €"],
  },
  {
    about: "without a blank line after the headers",
    raw: join(head("No blank"), "Hello without a blank line\n\nSecond paragraph\n"),
    says: ["Hello without a blank line", "Second paragraph"],
  },
  {
    about: "a part without a blank line",
    raw: mixed("Part", join("--b\nContent-Type: text/plain\nText at once\nand more\n"), filePart(PDF)),
    says: ["Text at once", "and more"],
    files: [PDF],
  },
  {
    about: "bare line feeds",
    raw: latin(
      `From: a@example.com\nSubject: LF\nMessage-ID: <lf@example.com>\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nOnly LF\n--b\nContent-Type: application/octet-stream; name=a\n\nx\ny\n--b--\n`,
    ),
    says: ["Only LF"],
    files: [{ name: "a", bytes: latin("x\ny") }],
  },
  {
    about: "no Content-Type",
    raw: join(head("Untyped"), "\nNo type at all: Grüße\n"),
    says: ["No type at all: Grüße"],
  },
  { about: "a type that is none", raw: join(head("Odd", "Content-Type: text\n"), "\nOld mail\n"), says: ["Old mail"] },
  {
    about: "headers twice",
    raw: join(
      head("Twice", "Content-Type: text/plain\nContent-Type: text/html\nSubject: Other\n"),
      "\n<b>kept as text</b>\n",
    ),
    says: ["<b>kept as text</b>"],
    has: { subject: "Twice" },
  },
  {
    about: "the boundary of its parent again",
    raw: mixed(
      "Reused",
      join("--b\nContent-Type: multipart/alternative; boundary=b\n\n", part(TEXT, "Inside"), "--b--\n"),
      filePart(PDF),
    ),
    says: ["Inside"],
    files: [PDF],
  },
  {
    about: "a boundary that never comes",
    raw: join(
      head("Lost", "Content-Type: multipart/mixed; boundary=never\n"),
      `\n--other\n${TEXT}\n\nAll is here\n--other--\n`,
    ),
    says: ["could not be parsed", "All is here"],
  },
  {
    about: "a multipart without a boundary",
    raw: join(head("None", "Content-Type: multipart/mixed\n"), "\nText without parts\n"),
    says: ["Text without parts"],
  },
  {
    about: "a header of 100 KB",
    raw: join(head("Long header", `X-Long: ${"word ".repeat(20_000)}\n`), `${TEXT}\n\nAfter the header\n`),
    says: ["After the header"],
  },
  {
    about: "1,000 parts",
    raw: mixed(
      "Many",
      part(TEXT, "Many parts"),
      ...Array.from({ length: 1000 }, (_, n) => part(`Content-Type: application/octet-stream; name=f${n}`, String(n))),
    ),
    says: ["Many parts"],
    files: Array.from({ length: 1000 }, (_, n) => ({ name: `f${n}`, bytes: latin(String(n)) })),
  },
  {
    about: "60 levels",
    raw: join(
      head("Deep"),
      ...Array.from({ length: 60 }, (_, n) => `Content-Type: multipart/mixed; boundary=l${n}\n\n--l${n}\n`),
      `${TEXT}\n\nAt the bottom\n`,
    ),
    says: ["At the bottom"],
  },
  {
    about: "a line of mailboxes on top",
    raw: join("From ann@example.com Mon Jan  1 00:00:00 2027\n", head("Mbox"), `${TEXT}\n\nFrom a mailbox\n`),
    says: ["From a mailbox"],
    has: { subject: "Mbox" },
  },
  {
    about: "an epilogue and a preamble",
    raw: join(
      head("Around", "Content-Type: multipart/mixed; boundary=b\n"),
      "\nThis is a MIME message.\n",
      part(TEXT, "The text"),
      filePart(PDF),
      "--b--\nGoodbye\n",
    ),
    says: ["The text"],
    files: [PDF],
  },
  {
    about: "a subject in raw Latin-1",
    raw: join(
      latin(
        "From: a@example.com\r\nMessage-ID: <latin@example.com>\r\nSubject: Gr\xfc\xdfe\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe\r\n",
      ),
    ),
    says: ["Grüße"],
    has: { subject: "Grüße" },
  },
  {
    about: "an unknown charset",
    raw: join(head("Unknown"), "Content-Type: text/plain; charset=x-klingon\n\nGrüße anyway\n"),
    says: ["Grüße anyway"],
  },
  {
    about: "UTF-8 that is called ASCII",
    raw: join(head("Wrong"), "Content-Type: text/plain; charset=us-ascii\n\nGrüße\n"),
    says: ["Grüße"],
  },
  {
    about: "a charset in single quotes",
    raw: join(head("Quoted"), "Content-Type: text/plain; charset='utf-8'\n\nGrüße in quotes\n"),
    says: ["Grüße in quotes"],
  },
  { about: "no headers at all", raw: bytesOf("\nOnly a text\nof two lines\n"), says: ["Only a text", "of two lines"] },
  {
    about: "no sender",
    raw: bytesOf(`Subject: From nobody\nMessage-ID: <nobody@example.com>\n${TEXT}\n\nWho wrote this?\n`),
    says: ["Who wrote this?"],
    has: { subject: "From nobody" },
  },
  {
    about: "NUL bytes",
    raw: join(head("Nothing\u0000here"), `${TEXT}\n\nBefore\u0000after\n`),
    says: ["Before", "after"],
  },
  { about: "an empty body", raw: join(head("Empty"), `${TEXT}\n\n`), says: [], has: { body: "" } },
];
