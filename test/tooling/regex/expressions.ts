import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
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

/** A part of a parsed file (ESTree). */
interface Node {
  type: string;
  start: number;
  [member: string]: unknown;
}

/** Every regular expression of `src`: literals, and what is built by `RegExp`. */
export function expressionsOfSource(): Expression[] {
  const literals: Expression[] = [];
  const calls: Built[] = [];
  for (const file of sourceFiles("src")) {
    const text = readFileSync(join(root, file), "utf8");
    const { program } = parseSync(file, text);
    const lineOf = ({ start }: Node) => text.slice(0, start).split("\n").length;
    visit(program, (node) => {
      if (node.type === "Literal" && node.regex) {
        const { pattern, flags } = node.regex as { pattern: string; flags: string };
        literals.push({ file, line: lineOf(node), source: pattern, flags });
      }
      if ((node.type === "NewExpression" || node.type === "CallExpression") && nameOf(node.callee) === "RegExp") {
        const [source, flags] = node.arguments as Node[];
        const given = typeof flags?.value === "string" ? flags.value : "";
        calls.push({ file, line: lineOf(node), source: source ? textOf(source, program.body) : "", flags: given });
      }
    });
  }
  const run = builtBy([...new Set(calls.map(({ file }) => file))]);
  const hasRun = new Set(run.map(({ file, line }) => `${file}:${line}`));
  return [...literals, ...run, ...calls.filter(({ file, line }) => !hasRun.has(`${file}:${line}`))];
}

function visit(part: unknown, see: (node: Node) => void): void {
  if (typeof part !== "object" || part === null) return;
  if ("type" in part) see(part as Node);
  for (const each of Object.values(part)) visit(each, see);
}

const nameOf = (node: unknown) => (node as { name?: string }).name;

/** What is filled in later is a word: a name, escaped, or one of a list. */
const FILLED_IN = "word";

/** The text of an expression, as far as it can be told without running it. */
function textOf(node: Node, statements: readonly unknown[]): string {
  if (typeof node.value === "string") return node.value;
  if (node.type === "TaggedTemplateExpression") return filledIn(node.quasi as Node, "raw", statements);
  if (node.type === "TemplateLiteral") return filledIn(node, "cooked", statements);
  if (node.type !== "Identifier") return FILLED_IN;
  const constants = statements.flatMap((each) => {
    const { declarations, declaration } = each as { declarations?: Node[]; declaration?: { declarations?: Node[] } };
    return declarations ?? declaration?.declarations ?? [];
  });
  const constant = constants.find(({ id }) => nameOf(id) === node.name)?.init as Node | null | undefined;
  return constant ? textOf(constant, statements) : FILLED_IN;
}

function filledIn(template: Node, kind: "raw" | "cooked", statements: readonly unknown[]): string {
  const expressions = template.expressions as Node[];
  return (template.quasis as { value: Record<"raw" | "cooked", string> }[])
    .map(({ value }, index) => value[kind] + (expressions[index] ? textOf(expressions[index], statements) : ""))
    .join("");
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
