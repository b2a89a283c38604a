/*
 * Run by Node, so that lines are those of the source: loads the modules that are named on the command line and prints the
 * expressions that they build with `new RegExp` meanwhile, with the line of the call.
 */

const built: { file: string; line: number; source: string; flags: string }[] = [];
const Original = RegExp;

function record(expression: RegExp): RegExp {
  for (const [, file = "", line] of (new Error().stack ?? "").matchAll(/file:\/\/(\S+?):(\d+):\d+/g)) {
    if (!file.includes("/src/")) continue;
    built.push({ file, line: Number(line), source: expression.source, flags: expression.flags });
    break;
  }
  return expression;
}

globalThis.RegExp = new Proxy(Original, {
  construct: (target, given) => record(Reflect.construct(target, given)),
  apply: (target, self, given) => record(Reflect.apply(target, self, given)),
});
Error.stackTraceLimit = 30;

for (const path of process.argv.slice(2)) {
  // Some need the build, for the version or the platform: their expressions are read from the text.
  await import(path).catch(() => {});
}
process.stdout.write(JSON.stringify(built));

export {};
