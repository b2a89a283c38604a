import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { parseSync } from "vite";

/** A part of a parsed file (ESTree). */
interface Node {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

const WATCHED = /\/src\/(features\/chat\/(?:request|builtin|reader)\/.*\.ts)$/;
const WATCH = fileURLToPath(new URL("watch.ts", import.meta.url));
const MAKERS = new Set(["wordSet", "pairs", "phrases"]);

/**
 * Puts each regular expression and each list of words of the chat without a model into a call of `watch` (watch.ts), with
 * its place and its first words as a name.
 */
export const watchPatterns: Plugin = {
  name: "watch-patterns",
  enforce: "pre",
  transform(code, id) {
    const file = WATCHED.exec(id)?.[1];
    if (!file) return;
    const edits: { at: number; text: string }[] = [];
    const nameOf = ({ start, end }: Node) => {
      const words = code.slice(start, end).replaceAll(/\s+/g, " ").slice(0, 60);
      return JSON.stringify(`${file}:${code.slice(0, start).split("\n").length} ${words}`);
    };
    const { program } = parseSync(id, code);
    visit(program, (node) => {
      if (!isPattern(node)) return;
      edits.push({ at: node.start, text: `__watch(${nameOf(node)}, ` }, { at: node.end, text: ")" });
    });
    for (const list of listsOf(program.body)) {
      const isPairs = list.type === "ArrayExpression" && !(list.elements as Node[]).every(isText);
      const names = isPairs ? (list.elements as Node[]).map(nameOf) : [nameOf(list)];
      edits.push({ at: list.start, text: `__watch([${names.join(", ")}], ` }, { at: list.end, text: ")" });
    }
    if (edits.length === 0) return;
    // From the end, so that places stay as they are.
    const watched = edits
      .sort((a, b) => b.at - a.at)
      .reduce((text, edit) => text.slice(0, edit.at) + edit.text + text.slice(edit.at), code);
    return { code: `import { watch as __watch } from ${JSON.stringify(WATCH)};${watched}`, map: null };
  },
};

function visit(part: unknown, see: (node: Node) => void): void {
  if (typeof part !== "object" || part === null) return;
  if ("type" in part) see(part as Node);
  for (const each of Object.values(part)) visit(each, see);
}

/** A regular expression, or a set or map that is made of texts alone. */
function isPattern(node: Node): boolean {
  if (node.type === "Literal") return Boolean(node.regex);
  const name = (node.callee as { name?: string } | undefined)?.name ?? "";
  const given = (node.arguments ?? []) as Node[];
  if (node.type === "CallExpression") return MAKERS.has(name) && given.every(({ type }) => type === "Literal");
  const [first] = given;
  return node.type === "NewExpression" && (name === "Set" || name === "Map") && first !== undefined && isTexts(first);
}

const isText = ({ type, value }: Node) => type === "Literal" && typeof value === "string";

function isTexts(node: Node): boolean {
  if (node.type === "ArrayExpression") {
    const elements = node.elements as Node[];
    return elements.length > 0 && elements.every((each) => isText(each) || isTexts(each));
  }
  if (node.type === "SpreadElement") return isTexts(node.argument as Node);
  // "a b c".split(" "), and what is made of it.
  const { object } = (node.callee ?? {}) as { object?: Node };
  return node.type === "CallExpression" && object !== undefined && (isText(object) || isTexts(object));
}

/** The lists of texts, or of pairs of texts, that constants of a file are. */
function listsOf(statements: readonly unknown[]): Node[] {
  const constants = statements.flatMap((each) => (each as { declarations?: Node[] }).declarations ?? []);
  return constants.flatMap(({ init }) => (init && isTexts(init as Node) ? [init as Node] : []));
}
