import { broken, encodings } from "./broken.ts";
import {
  base64,
  bytesOf,
  type File,
  filePart,
  fromHex,
  head,
  join,
  mixed,
  noise,
  PDF,
  part,
  quotedPrintable,
  type Sample,
  TEXT,
} from "./build.ts";
import { CHARSETS } from "./charsets.ts";

/* Messages as they come in real life. */

const PNG: File = { name: "logo.png", bytes: join(fromHex("89504e470d0a1a0a"), noise(500, 2)) };
const ICS = (method = "REQUEST") => `BEGIN:VCALENDAR
VERSION:2.0
METHOD:${method}
BEGIN:VEVENT
UID:corpus-invitation-${method}@example.com
DTSTAMP:20261101T090000Z
DTSTART:20270201T090000Z
DTEND:20270201T100000Z
SUMMARY:Frühstück
ORGANIZER:mailto:ann@example.com
ATTENDEE:mailto:hello@example.com
END:VEVENT
END:VCALENDAR
`;

const inner = `From: Bob <bob@example.com>\nSubject: The original\nContent-Type: multipart/mixed; boundary=inner\n\n--inner\n${TEXT}\n\nInner text\n--inner\nContent-Type: application/pdf\n\nnot touched\n--inner--\n`;

const everyday: Sample[] = [
  { about: "plain text", raw: join(head("Plain"), `${TEXT}\n\nJust a line.\n`), says: ["Just a line."] },
  {
    about: "a newsletter of text and HTML",
    raw: join(
      head("News", "List-Unsubscribe: <https://example.com/u>\nContent-Type: multipart/alternative; boundary=b\n"),
      "\n",
      part(TEXT, "The news of the week"),
      part(
        "Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable",
        quotedPrintable(bytesOf(`<h1>Näws</h1>${"<p>Story</p>".repeat(3000)}`)),
      ),
      "--b--\n",
    ),
    says: ["The news of the week"],
    has: { html: expectHtml("<h1>Näws</h1>") },
  },
  {
    about: "HTML with a picture inside",
    raw: join(
      head("Picture", "Content-Type: multipart/related; boundary=b\n"),
      "\n",
      part("Content-Type: text/html", '<p>See <img src="cid:logo@example"></p>'),
      part(
        "Content-Type: image/png; name=logo.png\nContent-ID: <logo@example>\nContent-Transfer-Encoding: base64",
        base64(PNG.bytes),
      ),
      "--b--\n",
    ),
    says: ["See"],
    files: [PNG],
    has: { attachments: [{ inline: true, contentId: "logo@example", type: "image/png" }] },
  },
  {
    about: "text and a PDF",
    raw: mixed("Invoice", part(TEXT, "Attached."), filePart(PDF, "application/pdf")),
    says: ["Attached."],
    files: [PDF],
  },
  {
    about: "a reply that quotes",
    raw: join(
      head("Re: Plan", "In-Reply-To: <plan@example.com>\nReferences: <plan@example.com>\n"),
      `${TEXT}; format=flowed\n\nYes, \nlet us do it.\n\n> Shall we?\n`,
    ),
    says: ["Yes, let us do it.", "> Shall we?"],
  },
  {
    about: "nested multiparts",
    raw: mixed(
      "Nested",
      join(
        "--b\nContent-Type: multipart/related; boundary=r\n\n",
        "--r\nContent-Type: multipart/alternative; boundary=a\n\n",
        part(TEXT, "Deep text", "a"),
        part("Content-Type: text/html", "<b>Deep</b> <img src='cid:x'>", "a"),
        "--a--\n",
        part("Content-Type: image/png\nContent-ID: <x>\nContent-Transfer-Encoding: base64", base64(PNG.bytes), "r"),
        "--r--\n",
      ),
      filePart(PDF),
    ),
    says: ["Deep text"],
    files: [{ ...PNG, name: "attachment-1.png" }, PDF],
  },
  {
    about: "an attached message",
    raw: mixed("Fwd", part(TEXT, "See below"), part("Content-Type: message/rfc822", inner)),
    says: ["See below"],
    files: [{ name: "attachment-1.eml", bytes: bytesOf(inner) }],
  },
  {
    about: "a bounce with its original",
    raw: join(
      head("Undelivered", 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n'),
      "\n",
      part(TEXT, "Your message could not be delivered."),
      part(
        "Content-Type: message/delivery-status",
        "Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; bob@example.com\nAction: failed",
      ),
      part("Content-Type: message/rfc822", inner),
      "--b--\n",
    ),
    says: ["could not be delivered"],
    files: [
      {
        name: "attachment-1.txt",
        bytes: bytesOf(
          "Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; bob@example.com\nAction: failed",
        ),
      },
      { name: "attachment-2.eml", bytes: bytesOf(inner) },
    ],
    has: { kind: "bounce" },
  },
  {
    about: "an encrypted message",
    raw: join(
      head("Secret", 'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b\n'),
      "\n",
      part("Content-Type: application/pgp-encrypted", "Version: 1"),
      part(
        'Content-Type: application/octet-stream; name="encrypted.asc"',
        "-----BEGIN PGP MESSAGE-----\n\nhQEMA+rubbish\n-----END PGP MESSAGE-----",
      ),
      "--b--\n",
    ),
    says: ["This message is encrypted"],
    files: [
      { name: "attachment-1.txt", bytes: bytesOf("Version: 1") },
      {
        name: "encrypted.asc",
        bytes: bytesOf("-----BEGIN PGP MESSAGE-----\n\nhQEMA+rubbish\n-----END PGP MESSAGE-----"),
      },
    ],
  },
  {
    about: "an S/MIME encrypted message",
    raw: join(
      head(
        "Sealed",
        "Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m\nContent-Transfer-Encoding: base64\n",
      ),
      `\n${base64(PDF.bytes)}\n`,
    ),
    says: ["This message is encrypted"],
    files: [{ name: "smime.p7m", bytes: PDF.bytes }],
  },
  {
    about: "an S/MIME signed message",
    raw: join(
      head(
        "Signed",
        'Content-Type: multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary=b\n',
      ),
      "\n",
      part(TEXT, "I sign this."),
      part(
        'Content-Type: application/pkcs7-signature; name="smime.p7s"\nContent-Transfer-Encoding: base64',
        base64(PNG.bytes),
      ),
      "--b--\n",
    ),
    says: ["I sign this."],
    files: [{ name: "smime.p7s", bytes: PNG.bytes }],
  },
  {
    about: "winmail.dat of Outlook",
    raw: mixed(
      "TNEF",
      part(TEXT, "Rich"),
      part("Content-Type: application/ms-tnef\nContent-Transfer-Encoding: base64", base64(noise(700, 5))),
    ),
    says: ["Rich"],
    files: [{ name: "winmail.dat", bytes: noise(700, 5) }],
  },
  {
    about: "an invitation",
    raw: join(
      head("Invite", "Content-Type: multipart/alternative; boundary=b\n"),
      "\n",
      part(TEXT, "You are invited."),
      part("Content-Type: text/calendar; method=REQUEST; charset=utf-8", ICS()),
      "--b--\n",
    ),
    says: ["You are invited."],
    files: [{ name: "attachment-1.ics", bytes: bytesOf(ICS()) }],
    has: { kind: "invitation" },
  },
  {
    about: "an invitation as application/octet-stream",
    raw: mixed("Invite file", part(TEXT, "See the file."), filePart({ name: "invite.ics", bytes: bytesOf(ICS()) })),
    says: ["See the file."],
    files: [{ name: "invite.ics", bytes: bytesOf(ICS()) }],
    has: { kind: "invitation" },
  },
  {
    about: "only a PDF",
    raw: join(
      head("Scan", "Content-Type: application/pdf; name=scan.pdf\nContent-Transfer-Encoding: base64\n"),
      `\n${base64(PDF.bytes)}\n`,
    ),
    says: [],
    files: [{ name: "scan.pdf", bytes: PDF.bytes }],
  },
  {
    about: "a digest",
    raw: join(
      head("Digest", "Content-Type: multipart/digest; boundary=b\n"),
      "\n--b\n\nFrom: a@x.org\nSubject: One\n\nFirst\n--b--\n",
    ),
    says: [],
    files: [{ name: "attachment-1.eml", bytes: bytesOf("From: a@x.org\nSubject: One\n\nFirst") }],
  },
  {
    about: "markdown",
    raw: join(head("Notes"), "Content-Type: text/markdown; charset=utf-8\n\n# Nötes\n"),
    says: ["# Nötes"],
  },
];

const names: Sample[] = [
  ["a name in encoded words", 'filename="=?utf-8?B?w5xiZXJzaWNodC5wZGY=?="', "Übersicht.pdf"],
  ["a name of RFC 2231", "filename*=UTF-8''%C3%9Cbersicht%204711.pdf", "Übersicht 4711.pdf"],
  ["a name in pieces", "filename*0*=utf-8''%C3%9Cber; filename*1=sicht; filename*2=.pdf", "Übersicht.pdf"],
  ["a name with quotes", 'filename="a \\"quoted\\" name.pdf"', 'a "quoted" name.pdf'],
  ["a name with a folder", 'filename="../../etc/passwd"', "passwd"],
  ["a name of raw UTF-8", 'filename="Größe.pdf"', "Größe.pdf"],
].map(([about = "", disposition, name = ""]) => ({
  about,
  raw: mixed(
    about,
    part(TEXT, "Named"),
    part(
      `Content-Type: application/pdf\nContent-Disposition: attachment; ${disposition}\nContent-Transfer-Encoding: base64`,
      base64(PDF.bytes),
    ),
  ),
  says: ["Named"],
  files: [{ name, bytes: PDF.bytes }],
}));

const charsets: Sample[] = CHARSETS.map(([label, text, hex]) => ({
  about: `text in ${label}`,
  raw: join(
    head(`In ${label}`, `Content-Type: text/plain; charset="${label}"\nContent-Transfer-Encoding: base64\n`),
    `\n${base64(fromHex(hex))}\n`,
  ),
  says: [text],
}));

/** 20 MB of files, which only pass by. */
/** Two files of this many bytes. */
export function large(size: number): Sample {
  const files = [1, 2].map((seed) => ({ name: `part-${seed}.bin`, bytes: noise(size, seed) }));
  return {
    about: "large files",
    raw: mixed("Large", part(TEXT, "Two large files"), ...files.map((file) => filePart(file))),
    says: ["Two large files"],
    files,
  };
}

function expectHtml(part: string) {
  return { asymmetricMatch: (html: unknown) => typeof html === "string" && html.includes(part) };
}

export const SAMPLES: readonly Sample[] = [...everyday, ...names, ...encodings, ...broken, ...charsets];
