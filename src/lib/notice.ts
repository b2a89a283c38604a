import { escapeMarkup } from "./text.ts";

/*
 * An email of the service to a person: written once, rendered as text and as HTML. The HTML has inline styles only and
 * loads nothing. It sets no colour for text and background, so that each mail program shows it in light or dark.
 */

export type Block =
  /** A paragraph. */
  | string
  /** Names and values, such as the time and the IP address of a sign-in. */
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { title: string; items: readonly string[] }
  /** The one thing to do. */
  | { button: string; url: string };

interface Notice {
  subject: string;
  /** Who is greeted. */
  name: string;
  blocks: readonly Block[];
  /** Why the person gets this, and what to do if they should not. */
  footer: string;
}

export interface RenderedNotice {
  subject: string;
  text: string;
  html: string;
}

export function renderNotice({ subject, name, blocks, footer }: Notice): RenderedNotice {
  const whole = [greeting(name), ...blocks];
  return {
    subject,
    text: `${textOf(whole)}\n\n--\n${footer}\n`,
    html: page(subject, whole.map(blockHtml).join("\n"), footer),
  };
}

/** Anybody can register somebody else's address with a link as the name, so only what can be a name is repeated. */
function greeting(name: string): string {
  return /[/@:<>]|\.\S/.test(name) ? "Hello," : `Hello ${name},`;
}

/** The blocks as plain text, with an empty line between them. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.map(blockText).join("\n\n");
}

function blockText(block: Block): string {
  if (typeof block === "string") return block;
  if ("facts" in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
  if ("items" in block) return [block.title, ...block.items.map((item) => `- ${item}`)].join("\n");
  return `${block.button}:\n${block.url}`;
}

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
/** Visible on white and on black. */
const LINE = "1px solid rgba(128,128,128,0.4)";

function blockHtml(block: Block): string {
  if (typeof block === "string") return paragraph(block);
  if ("facts" in block) {
    const rows = block.facts.map(
      ([name, value]) =>
        `<tr><td style="padding:6px 16px 6px 0;border-top:${LINE};vertical-align:top;white-space:nowrap;opacity:0.75">${escapeMarkup(name)}</td>` +
        `<td style="padding:6px 0;border-top:${LINE};vertical-align:top;overflow-wrap:anywhere">${escapeMarkup(value)}</td></tr>`,
    );
    return `<table role="presentation" style="width:100%;border-collapse:collapse;border-bottom:${LINE};margin:0 0 20px;font-size:15px">${rows.join("")}</table>`;
  }
  if ("items" in block) {
    const items = block.items.map(
      (item) => `<li style="margin:0 0 6px;overflow-wrap:anywhere">${escapeMarkup(item)}</li>`,
    );
    return `<p style="margin:0 0 8px;font-weight:600">${escapeMarkup(block.title)}</p><ul style="margin:0 0 20px;padding:0 0 0 20px">${items.join("")}</ul>`;
  }
  const url = escapeMarkup(block.url);
  return (
    `<p style="margin:4px 0 12px"><a href="${url}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#2456c7;color:#ffffff;font-weight:600;text-decoration:none">${escapeMarkup(block.button)}</a></p>` +
    `<p style="margin:0 0 20px;font-size:13px;opacity:0.75;overflow-wrap:anywhere">Or open this link: ${url}</p>`
  );
}

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px;overflow-wrap:anywhere">${escapeMarkup(text).replaceAll("\n", "<br>")}</p>`;
}

function page(subject: string, content: string, footer: string): string {
  return `<!doctype html>
<html lang="en" style="color-scheme:light dark">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeMarkup(subject)}</title>
</head>
<body style="margin:0;padding:24px 16px;${FONT};font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto">
<h1 style="margin:0 0 20px;font-size:20px;line-height:1.3;overflow-wrap:anywhere">${escapeMarkup(subject)}</h1>
${content}
<p style="margin:28px 0 0;padding:16px 0 0;border-top:${LINE};font-size:13px;line-height:1.5;opacity:0.75">${escapeMarkup(footer).replaceAll("\n", "<br>")}</p>
</div>
</body>
</html>
`;
}
