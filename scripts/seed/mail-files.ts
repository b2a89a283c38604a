import { deflateSync } from "node:zlib";
import { parseEmail } from "../../src/features/emails/parse-mime.ts";
import { MessageSkim } from "../../src/lib/mime/skim.ts";
import { type MimeFile, mimePieces, streamOf } from "../../src/lib/mime-message.ts";

/** A file of a seeded email. A picture is shown by the HTML. */
export interface SeedFile {
  name: string;
  type: string;
  content: Uint8Array;
  isPicture?: boolean;
}

interface Message {
  messageId: string;
  from: { name: string; email: string };
  to: { name: string; email: string };
  subject: string;
  body: string;
  receivedAt: number;
}

/** A message with files as it would have arrived, and where in it they are. */
export async function rawWithFiles({ receivedAt, body, ...head }: Message, files: readonly SeedFile[]) {
  const contentId = ({ name, isPicture }: SeedFile) => (isPicture ? `${name}@seed.example` : null);
  const pictures = files.flatMap((file) => contentId(file) ?? []).map((id) => `<p><img src="cid:${id}"></p>`);
  const html = pictures.length > 0 ? `<p>${body.replaceAll("\n", "<br>\n")}</p>${pictures.join("")}` : null;
  const attached: MimeFile[] = files.map((file) => ({
    name: file.name,
    type: file.type,
    size: file.content.length,
    contentId: contentId(file),
    read: async () => new Blob([file.content.slice()]).stream(),
  }));
  const pieces = mimePieces({
    ...head,
    date: new Date(receivedAt),
    alternatives: [
      { type: "text/plain; charset=utf-8", content: body },
      ...(html === null ? [] : [{ type: "text/html; charset=utf-8", content: html }]),
    ],
    files: attached,
    boundary: "=_seed",
  });
  const raw = new Uint8Array(await new Response(streamOf(pieces)).arrayBuffer());
  const skim = new MessageSkim();
  skim.push(raw);
  const { attachments } = await parseEmail(skim.end());
  return { raw, html, attachments };
}

const utf8 = new TextEncoder();

/** A page with a few lines of text. */
export function pdf(name: string, lines: readonly string[]): SeedFile {
  const text = lines.map((line) => `(${line.replaceAll(/[()\\]/g, "\\$&")}) Tj 0 -20 Td`).join(" ");
  const page = `BT /F1 12 Tf 72 760 Td ${text} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${page.length} >>\nstream\n${page}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let content = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = content.length;
    content += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${content.length}\n%%EOF\n`;
  return { name, type: "application/pdf", content: utf8.encode(content + table + trailer) };
}

/** A bar chart in two colours. */
export function chart(name: string, heights: readonly number[]): SeedFile {
  const [width, height] = [heights.length * 24, 80];
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isBar = x % 24 < 16 && height - y <= (heights[Math.floor(x / 24)] ?? 0);
      rows[y * (width + 1) + 1 + x] = isBar ? 0 : 1;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each pixel, each the number of a colour.
  header.set([8, 3, 0, 0, 0], 8);
  const parts = [
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from([0x24, 0x56, 0xc7, 0xff, 0xff, 0xff])),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return { name, type: "image/png", content: Buffer.concat(parts), isPicture: true };
}

function chunk(type: string, data: Uint8Array): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(content.length + 8);
  framed.writeUInt32BE(data.length, 0);
  content.copy(framed, 4);
  framed.writeUInt32BE(crc32(content), content.length + 4);
  return framed;
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/** An invitation to an hour on a day. */
export function invitation(name: string, subject: string, organizer: string, start: Date): SeedFile {
  const stamp = (at: Date) => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//seed.example//EN",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    `UID:${name}@seed.example`,
    `DTSTAMP:${stamp(new Date(start.getTime() - 86_400_000))}`,
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(new Date(start.getTime() + 3_600_000))}`,
    `SUMMARY:${subject}`,
    `ORGANIZER:mailto:${organizer}`,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ];
  return { name, type: "text/calendar", content: utf8.encode(lines.join("\r\n")) };
}
