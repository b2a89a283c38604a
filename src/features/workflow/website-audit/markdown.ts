import { collapseSpace } from "../../../lib/text.ts";
import type { Report } from "../schemas.ts";

/** Text from a page or a model is escaped, so that it becomes neither markup nor a link. */
export function toMarkdown({ title, summary, score, sections, nextSteps }: Report): string {
  const blocks = [`# ${escapeMarkdown(title)}`, `**Score: ${score} of 100**`, escapeMarkdown(summary)];
  for (const { heading, findings, recommendations } of sections) {
    const found = findings.map(
      (each) => `- **${each.severity}** ${withNote(each.text, escapeMarkdown(each.evidence))}`,
    );
    blocks.push(`## ${escapeMarkdown(heading)}`, found.join("\n"));
    if (recommendations.length === 0) continue;
    const advice = recommendations.map(
      ({ text, impact, effort }) => `- ${withNote(text, `impact ${impact}, effort ${effort}`)}`,
    );
    blocks.push("### Recommendations", advice.join("\n"));
  }
  blocks.push("## Next steps", nextSteps.map((step, at) => `${at + 1}. ${escapeMarkdown(step)}`).join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

function withNote(text: string, note: string): string {
  return `${escapeMarkdown(text)} (${note})`;
}

/** Escapes markup and addresses that renderers turn into links. */
export function escapeMarkdown(text: string): string {
  return collapseSpace(text)
    .replace(/[\\`*_{}[\]<>()#|!~&@$]/g, "\\$&")
    .replace(/:\/\//g, ":\\/\\/")
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}\\.`)
    .replace(/^(\d{1,9})([.)])/, "$1\\$2")
    .replace(/^[-+=]/, "\\$&");
}
