/*
 * Run by Node, so that lines are those of the source: loads the modules that are named on the command line and prints the
 * expressions that they build with `new RegExp` meanwhile, with the line of the call. What is built at the first use is
 * built by a message.
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

const READERS = ["readAct", "readEmailCommand", "readNewEmail", "readReference"];

for (const path of process.argv.slice(2)) {
  // Some need the build, for the version or the platform: their expressions are read from the text.
  const loaded: Record<string, unknown> = await import(path).catch(() => ({}));
  for (const name of READERS) {
    const reader = loaded[name];
    if (typeof reader === "function") reader("move the second one, the last two and the other ones to friday");
  }
}
process.stdout.write(JSON.stringify(built));

export {};
