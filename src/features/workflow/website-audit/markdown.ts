import { collapseSpace } from "../../../lib/text.ts";
import type { Report } from "./report.ts";

/** Renders the report. Whatever came from a page or a model is text here, never markup or a link. */
export function toMarkdown({ title, summary, score, sections, nextSteps }: Report): string {
  const blocks = [`# ${plain(title)}`, `**Score: ${score} of 100**`, plain(summary)];
  for (const { heading, findings, recommendations } of sections) {
    blocks.push(`## ${plain(heading)}`);
    blocks.push(
      findings
        .map(({ severity, text, evidence }) => `- **${severity}** ${plain(text)} (${plain(evidence)})`)
        .join("\n"),
    );
    if (recommendations.length === 0) continue;
    blocks.push("### Recommendations");
    blocks.push(
      recommendations
        .map(({ text, impact, effort }) => `- ${plain(text)} (impact ${impact}, effort ${effort})`)
        .join("\n"),
    );
  }
  blocks.push("## Next steps", nextSteps.map((step, at) => `${at + 1}. ${plain(step)}`).join("\n"));
  return `${blocks.join("\n\n")}\n`;
}

/** Escapes what would be markup, and breaks what a renderer would make a link by itself. */
export function plain(text: string): string {
  return collapseSpace(text)
    .replace(/[\\`*_{}[\]<>()#|!~&@$]/g, "\\$&")
    .replace(/:\/\//g, ":\\/\\/")
    .replace(/\bwww\./gi, (www) => `${www.slice(0, 3)}\\.`)
    .replace(/^(\d{1,9})([.)])/, "$1\\$2")
    .replace(/^[-+=]/, "\\$&");
}
