// Leaves out parts of libraries that nothing here uses and that the bundler cannot know to be unused: a new isolate
// compiles everything that is uploaded. Plain JavaScript, as everything `npm run dev` needs.
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fasterBcrypt } from "./faster-bcrypt.mjs";

/** What is used of zod by its files, here and in other libraries. `test/tooling/lazy.test.ts` compares. */
export const ZOD_MEMBERS = {
  schemas: [
    "any",
    "array",
    "boolean",
    "custom",
    "discriminatedUnion",
    "email",
    "enum",
    "instanceof",
    "int",
    "json",
    "lazy",
    "literal",
    "looseObject",
    "never",
    "null",
    "number",
    "object",
    "partialRecord",
    "record",
    "strictObject",
    "string",
    "tuple",
    "union",
    "unknown",
    "url",
    "uuid",
    "ZodNumber",
    "ZodNumberFormat",
    "ZodObject",
    "ZodType",
  ],
  checks: [],
  parse: ["safeParseAsync"],
  compat: [],
};

/** The resources of Stripe's API that are called. Of the others, only the names are kept. */
export const STRIPE_RESOURCES = [
  "BillingPortal/Sessions",
  "Charges",
  "Checkout/Sessions",
  "Customers",
  "Invoices",
  "Prices",
  "Subscriptions",
];

/**
 * After an update of a library that moves these parts, the build fails.
 * @type {{ file: RegExp, shorten: (text: string, path: string) => string }[]}
 */
const SHORTENED = [
  {
    // `z` is used as a value, so all that it has would be kept: 60 languages, a compiler, fifty kinds of schemas.
    file: /[\\/]zod[\\/]v4[\\/]classic[\\/]external\.js$/,
    shorten: (text) =>
      without(onlyUsed(text), [
        'export * as core from "../core/index.js";',
        'export * as locales from "../locales/index.js";',
        'export { fromJSONSchema } from "./from-json-schema.js";',
        'export { deepPartial } from "./deep-partial.js";',
        'export { input, output } from "./in-out.js";',
        "memoizer, ",
        "regexes, treeifyError, prettifyError, formatError, flattenError, ",
        "util, ",
        "toZod, compile, withParser, ZodCompileAsyncError, ZodCompileUnsupportedError, getDiscriminatedOption, ",
      ]),
  },
  {
    // Formats as methods of `z.string()`, each of which brings its schema. Used here: `z.email()` and the like.
    file: /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/,
    shorten: (text) => withoutPart(text, "export const ZodString = ", ", {\n    email(", ");\nexport function string("),
  },
  {
    // Streams for React and the like: the last methods of the result of a stream.
    file: /[\\/]node_modules[\\/]ai[\\/]dist[\\/]index\.js$/,
    shorten: (text) =>
      pruned(withoutPart(text, "var DefaultStreamTextResult = class", "\n\ttoUIMessageStream(", "\n};")),
  },
  {
    // For runtimes without Web Crypto. Importing it would start all that Node's crypto needs, with the first request.
    file: /[\\/]bcryptjs[\\/]index\.js$/,
    shorten: (text) => fasterBcrypt(without(text, ['import nodeCrypto from "crypto";'])),
  },
  { file: /[\\/]stripe[\\/]esm[\\/]StripeEventNotificationHandler\.js$/, shorten: onlyNames },
  {
    file: /[\\/]stripe[\\/]esm[\\/]resources[\\/].+\.js$/,
    shorten: (text, path) => {
      const [, name = ""] = path.replaceAll("\\", "/").split("/resources/");
      const isUsed = STRIPE_RESOURCES.some((used) => name === `${used}.js` || name === `${dirname(used)}/index.js`);
      return isUsed ? text : onlyNames(text);
    },
  },
];

/** Of zod, only what is used of each file. */
function onlyUsed(/** @type {string} */ text) {
  return Object.entries(ZOD_MEMBERS).reduce((rest, [file, names]) => {
    const all = `export * from "./${file}.js";`;
    if (!rest.includes(all)) throw new Error(`The library no longer has: ${all}`);
    return rest.replace(all, names.length > 0 ? `export { ${names.join(", ")} } from "./${file}.js";` : "");
  }, text);
}

/** The text without what is between two places, of which the first comes after `behind`. */
function withoutPart(
  /** @type {string} */ text,
  /** @type {string} */ behind,
  /** @type {string} */ from,
  /** @type {string} */ to,
) {
  const start = text.indexOf(from, text.indexOf(behind));
  const end = text.indexOf(to, start);
  if (!text.includes(behind) || start < 0 || end < 0 || end - start > 5000) {
    throw new Error(`The library no longer has: ${from.trim()} behind ${behind}`);
  }
  return `${text.slice(0, start)}${text.slice(end)}`;
}

function without(/** @type {string} */ text, /** @type {string[]} */ parts) {
  return parts.reduce((rest, part) => {
    if (!rest.includes(part)) throw new Error(`The library no longer has: ${part}`);
    return rest.replace(part, "");
  }, text);
}

function onlyNames(/** @type {string} */ text) {
  const names = [...text.matchAll(/^export class (\w+)/gm)].map(([, name]) => name);
  if (names.length === 0) throw new Error("The library no longer has a class here.");
  return names.map((name) => `export class ${name} {}`).join("\n");
}

/** @type {import("esbuild").Plugin} */
export const shortenLibraries = {
  name: "shorten-libraries",
  setup(builder) {
    const used = new Set();
    for (const { file, shorten } of SHORTENED) {
      builder.onLoad({ filter: file }, ({ path }) => {
        used.add(file);
        return { contents: shorten(readFileSync(path, "utf8"), path), resolveDir: dirname(path) };
      });
    }
    builder.onEnd(() => {
      const unused = SHORTENED.filter(({ file }) => !used.has(file));
      return { errors: unused.map(({ file }) => ({ text: `No file of a library is like ${file}.` })) };
    });
  },
};

/*
 * In a library of one file, the bundler keeps each value that a call makes, such as a schema, and each class with a
 * computed static member, because making them could do something else. In these libraries it does not.
 */

/** Libraries whose files only declare values, each at the start of a line. */
const DECLARING =
  /[\\/]node_modules[\\/](?:ai|@ai-sdk|workers-ai-provider|drizzle-orm)[\\/](?:[\w-]+[\\/])*[\w.-]+\.m?js$/;

const VALUE = /^((?:export )?(?:const|let|var) [\w$]+ = )(?!\(|async|function|\d|"|'|`|\/\/|\/\*|new Map|new Set)/;
const CLASS = /^(export )?(class ([\w$]+))\b(?=.*\{$)/;

/** @type {import("esbuild").Plugin} */
export const pruneLibraries = {
  name: "prune-libraries",
  setup(builder) {
    builder.onLoad({ filter: DECLARING }, ({ path }) => ({
      contents: pruned(readFileSync(path, "utf8")),
      loader: "js",
    }));
  },
};

/** Each value is made by a function of its own, whose call is marked as free of side effects. */
export function pruned(/** @type {string} */ text) {
  const lines = text.split("\n");
  for (let line = 0; line < lines.length; line++) {
    const first = lines[line] ?? "";
    const isClass = CLASS.test(first);
    if (!isClass && !VALUE.test(first)) continue;
    const last = isClass ? lines.indexOf("}", line) : endOfValue(lines, line);
    if (last < 0) continue;
    lines[line] = isClass
      ? first.replace(CLASS, "$1let $3 = /* @__PURE__ */ (() => $2")
      : first.replace(VALUE, "$1/* @__PURE__ */ (() => (");
    lines[last] = isClass ? "})();" : (lines[last] ?? "").replace(/;$/, "))();");
    line = last;
  }
  return lines.join("\n");
}

/** The line of the semicolon. Lines of a value are indented, except its last. */
function endOfValue(/** @type {string[]} */ lines, /** @type {number} */ start) {
  if (lines[start]?.endsWith(";")) return start;
  for (let line = start + 1; line < lines.length; line++) {
    const text = lines[line] ?? "";
    if (/^[\]})]/.test(text)) return text.endsWith(";") ? line : -1;
    if (text !== "" && !/^\s/.test(text)) return -1;
  }
  return -1;
}
