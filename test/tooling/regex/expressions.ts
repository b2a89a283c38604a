import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { root, sourceFiles } from "../repository.ts";

export interface Expression {
  file: string;
  line: number;
  source: string;
  flags: string;
}

interface Built {
  file: string;
  line: number;
  /** As it is written, with a word where something is filled in that is only known when it runs. */
  source: string;
  flags: string;
}

/** Every regular expression of `src`: literals, and what is built by `RegExp`. */
export function expressionsOfSource(): Expression[] {
  const files = sourceFiles("src").map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  const literals: Expression[] = [];
  const calls: Built[] = [];
  for (const { file, text } of files) {
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const lineOf = (node: ts.Node) => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf("/");
        literals.push({ file, line: lineOf(node), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      }
      if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp") {
        const [source, flags] = node.arguments ?? [];
        const given = flags && ts.isStringLiteralLike(flags) ? flags.text : "";
        calls.push({ file, line: lineOf(node), source: source ? textOf(source, tree) : "", flags: given });
      }
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  const run = builtBy([...new Set(calls.map(({ file }) => file))]);
  const hasRun = new Set(run.map(({ file, line }) => `${file}:${line}`));
  return [...literals, ...run, ...calls.filter(({ file, line }) => !hasRun.has(`${file}:${line}`))];
}

/** What is filled in later is a word: a name, escaped, or one of a list. */
const FILLED_IN = "word";

/** The text of an expression, as far as it can be told without running it. */
function textOf(node: ts.Expression, tree: ts.SourceFile): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node)) return rawTextOf(node.template, tree);
  if (ts.isTemplateExpression(node))
    return (
      node.head.text + node.templateSpans.map((span) => textOf(span.expression, tree) + span.literal.text).join("")
    );
  if (ts.isIdentifier(node)) {
    const constant = tree.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => [...declarationList.declarations])
      .find(({ name }) => name.getText() === node.text)?.initializer;
    return constant ? textOf(constant, tree) : FILLED_IN;
  }
  return FILLED_IN;
}

function rawTextOf(template: ts.TemplateLiteral, tree: ts.SourceFile): string {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.rawText ?? template.text;
  const spans = template.templateSpans.map(
    ({ expression, literal }) => textOf(expression, tree) + (literal.rawText ?? literal.text),
  );
  return (template.head.rawText ?? template.head.text) + spans.join("");
}

function builtBy(files: readonly string[]): Expression[] {
  const run = spawnSync(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      join(root, "test/tooling/regex/load.ts"),
      ...files.map((file) => join(root, file)),
    ],
    { encoding: "utf8", maxBuffer: 100_000_000 },
  );
  if (run.status !== 0) throw new Error(run.stderr);
  const found: Expression[] = JSON.parse(run.stdout);
  return found.map(({ file, ...rest }) => ({ ...rest, file: file.slice(file.lastIndexOf("/src/") + 1) }));
}
