// Puts the modules of the Worker into three files: `index.js`, the entry; `early.js` with all that it starts at once; and
// `late.js` with what is loaded on demand, each in a function that runs when the module is first imported. A new isolate compiles every file it gets. It only skims the bodies of functions, but compiles at once
// what stands outside of them, such as schemas and routes, and it takes long to link hundreds of files by thousands of
// names. Plain JavaScript, as everything `npm run dev` needs.

import { build } from "esbuild";

/**
 * A file that the bundler made.
 * @typedef {{ name: string, text: string }} File
 * @typedef {{ imports: { path: string, kind: string, external?: boolean }[], exports: string[] }} Output
 */

const EARLY = "early.js";
const LATE = "late.js";

/** What the bundler writes: imports of its own files first, exports last, then licenses and the name of the source map. */
const HEAD = /^(?:import(?:\{[^{}]*\}from|\*as [\w$]+ from)?"\.\/[^"]+";)*/;
const IMPORT = /import(?:\{([^{}]*)\}from)?"\.\/([^"]+)";/g;
const TAIL = /export\{([^{}]*)\};?(\s*(?:\/\*![\s\S]*\*\/\s*)?(?:\/\/# sourceMappingURL=\S+\s*)?)$/;
const PLATFORM_IMPORT = /(?<=[;}])import[^;'"]{1,200}?from"([^."][^"]*)";/g;
/** Names of our own, which nothing in the modules has. */
const OWN_NAME = /\b__(?:(?:start|made)\d|early\b|load\()/;
const LOAD = `function __load(n){return import("./${LATE}").then(m=>m["__start"+n]())}`;

/**
 * The same Worker in three files. The files of the bundler never import each other in a circle, so a module starts once
 * all that it imports has, as it would in files of their own. What a module exports must not change later, because
 * others get its value: `test/tooling/lazy.test.ts` looks for that.
 * @param {readonly File[]} files
 * @param {Record<string, Output>} outputs of the bundler's metafile
 * @param {string} entry
 * @returns {Promise<File[]>}
 */
export async function startLate(files, outputs, entry) {
  const modules = new Map(Object.entries(outputs).map(([path, output]) => [fileName(path), output]));
  const early = startedWith(entry, modules);
  const late = [...modules.keys()].filter((name) => name.endsWith(".js") && !early.has(name));
  const textOf = new Map(files.map(({ name, text }) => [name, text]));
  const numberOf = new Map(late.map((name, number) => [name, number]));
  /** What the late file takes of each early one, and the end of its name there. */
  const taken = new Map([...early].map((name, number) => [name, { suffix: `$${number}`, names: new Set() }]));
  // As long as what it replaces, so that source maps still fit.
  const loading = (/** @type {string} */ text) =>
    text.replaceAll(/\bimport\("\.\/([^"]+)"\)/g, (load, name) =>
      numberOf.has(name) ? `__load(${numberOf.get(name)})`.padEnd(load.length) : load,
    );
  const withLoad = (/** @type {string} */ text) => text.replace(/(?=\/\/# sourceMappingURL=\S+\s*$)/, `${LOAD}\n`);

  const lines = [`import*as __early from"./${EARLY}";${LOAD}`];
  const sections = [];
  for (const [number, name] of late.entries()) {
    const text = textOf.get(name) ?? "";
    const { platform, start, body, end, cut } = parts(name, text, modules.get(name), (path, names) => {
      const members = names.map(([theirs, ours]) => `${theirs}:${ours}`);
      if (numberOf.has(path)) return taking(members, `__start${numberOf.get(path)}()`);
      const source = taken.get(path);
      for (const [theirs] of names) source?.names.add(theirs);
      return (
        source &&
        taking(
          names.map(([theirs, ours]) => `${theirs}${source.suffix}:${ours}`),
          "__early",
        )
      );
    });
    lines[0] += platform;
    lines.push(
      `var __made${number};export function __start${number}(){if(__made${number})return __made${number};${start}`,
    );
    sections.push({ offset: { line: lines.length, column: 0 }, map: shifted(textOf.get(`${name}.map`) ?? "", cut) });
    lines.push(...`${loading(body)}\n;return __made${number}={${end}}}`.split("\n"));
  }
  const exported = modules.get(entry)?.exports ?? [];
  const shared = [...taken].flatMap(([name, { suffix, names }]) =>
    names.size > 0 ? [`export{${[...names].map((each) => `${each} as ${each}${suffix}`)}}from"./${name}";`] : [],
  );
  const merged = await mergeFiles(
    `export{${exported}}from"./${entry}";${shared.join("")}`,
    new Map(
      [...early].map((name) => [name, withMap(withLoad(loading(textOf.get(name) ?? "")), textOf.get(`${name}.map`))]),
    ),
  );
  return [
    { name: entry, text: `export{${exported}}from"./${EARLY}";\n` },
    ...merged,
    { name: LATE, text: `${lines.join("\n")}\n//# sourceMappingURL=${LATE}.map\n` },
    { name: `${LATE}.map`, text: JSON.stringify({ version: 3, sections }) },
  ];
}

/** Of an object, these members as variables; nothing if there are none, unless making the object does something. */
function taking(/** @type {string[]} */ members, /** @type {string} */ source) {
  if (members.length > 0) return `let{${members}}=${source};`;
  return source.endsWith(")") ? `${source};` : "";
}

/** With its map inside, where the bundler finds it. */
function withMap(/** @type {string} */ text, /** @type {string | undefined} */ map) {
  const address = `data:application/json;base64,${Buffer.from(map ?? "").toString("base64")}`;
  return text.replace(/(?<=\/\/# sourceMappingURL=)\S+(?=\s*$)/, address);
}

/**
 * One file of those that start at once. It takes long to link many.
 * @param {string} start what it exports
 * @param {ReadonlyMap<string, string>} texts
 * @returns {Promise<File[]>}
 */
async function mergeFiles(start, texts) {
  const { outputFiles } = await build({
    stdin: { contents: start, sourcefile: EARLY, resolveDir: "/" },
    outfile: `/${EARLY}`,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2024",
    charset: "ascii",
    sourcemap: "linked",
    sourcesContent: false,
    write: false,
    logLevel: "error",
    plugins: [
      {
        name: "in-memory",
        setup(builder) {
          builder.onResolve({ filter: /.*/ }, ({ path }) => {
            const name = fileName(path);
            return texts.has(name) ? { path: name, namespace: "early" } : { path, external: true };
          });
          builder.onLoad({ filter: /.*/, namespace: "early" }, ({ path }) => ({ contents: texts.get(path) ?? "" }));
        },
      },
    ],
  });
  return outputFiles.map(({ path, text }) => ({ name: fileName(path), text }));
}

/** The entry and all that it imports at once. */
function startedWith(/** @type {string} */ entry, /** @type {Map<string, Output>} */ modules) {
  const started = new Set([entry]);
  for (const name of started) {
    for (const { path, kind, external } of modules.get(name)?.imports ?? []) {
      if (kind === "import-statement" && !external) started.add(fileName(path));
    }
  }
  return started;
}

/**
 * A module as parts of a function: what gets the values that it imports, and the members of what it exports.
 * @param {string} name
 * @param {string} text
 * @param {Output | undefined} output
 * @param {(path: string, names: string[][]) => string | undefined} take
 */
function parts(name, text, output = { imports: [], exports: [] }, take) {
  const [head] = HEAD.exec(text) ?? [""];
  const tail = TAIL.exec(text);
  const imports = [...head.matchAll(IMPORT)].map(([, names = "", path = ""]) => take(path, pairs(names)));
  // Those of the platform stand where the library does that needs them.
  const isExternal = (/** @type {string} */ path) => output.imports.some((each) => each.external && each.path === path);
  const platform = [...text.matchAll(PLATFORM_IMPORT)].filter(([, path = ""]) => isExternal(path)).map(([all]) => all);
  const exported = pairs(tail?.[1] ?? "");
  const expected = output.imports.filter(({ kind }) => kind === "import-statement");
  const isUsual =
    imports.length + platform.length === expected.length &&
    imports.every((statement) => statement !== undefined) &&
    exported.length === output.exports.length &&
    !OWN_NAME.test(text);
  if (!isUsual) throw new Error(`${name} is not as the bundler used to make it.`);
  const body = platform.reduce(
    (rest, statement) => rest.replace(statement, " ".repeat(statement.length)),
    text.slice(head.length, tail?.index).replace(/\/\/# sourceMappingURL=\S+\s*$/, ""),
  );
  return {
    platform: platform.join(""),
    start: imports.join(""),
    body,
    end: exported.map(([local, as]) => `${as}:${local}`).join(","),
    cut: head.length,
  };
}

/** Of `a as b,c`: a and b, c and c. */
function pairs(/** @type {string} */ names) {
  return names.split(",").flatMap((each) => {
    const [first = "", second = first] = each.split(" as ");
    return first ? [[first, second]] : [];
  });
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The source map of a module whose first line has lost its first characters: only its first column is absolute. */
function shifted(/** @type {string} */ text, /** @type {number} */ cut) {
  if (!text) return { version: 3, sources: [], names: [], mappings: "" };
  /** @type {{ mappings: string }} */
  const map = JSON.parse(text);
  const [digits = ""] = /^[g-z0-9+/]*[A-Za-f]?/.exec(map.mappings) ?? [];
  if (digits === "") return map;
  const value = [...digits].reduceRight((sum, digit) => sum * 32 + (DIGITS.indexOf(digit) % 32), 0);
  let left = Math.max(0, (value >> 1) - cut) * 2;
  let first = "";
  do {
    const digit = left % 32;
    left = (left - digit) / 32;
    first += DIGITS[left > 0 ? digit + 32 : digit];
  } while (left > 0);
  return { ...map, mappings: `${first}${map.mappings.slice(digits.length)}` };
}

function fileName(/** @type {string} */ path) {
  return path.slice(path.lastIndexOf("/") + 1);
}
