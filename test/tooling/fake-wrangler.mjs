// Stands in for wrangler's command line: an account in a file beside it, and a record of every call.
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("account.json", import.meta.url);
const account = JSON.parse(readFileSync(file, "utf8"));
const args = process.argv.slice(2);
const input = args[1] === "bulk" ? readFileSync(0, "utf8") : undefined;
const call = args.slice(0, 3).join(" ");

account.calls.push(args.join(" "));
const failure = account.failing.find(({ at }) => call.startsWith(at));
// A command whose response is lost has done its work all the same.
if (failure && !failure.afterwards) fail("Something went wrong [code: 10000]");
const result = act();
if (failure) fail("fetch failed");
save();
if (result !== undefined) console.log(`Some warning first\n${JSON.stringify(result, null, 2)}`);

function act() {
  if (call.startsWith("d1 list")) return account.databases.map((name) => ({ name, uuid: `id of ${name}` }));
  if (call.startsWith("d1 execute")) return [{ results: [{ found: account.accounts > 0 ? 1 : 0 }], success: true }];
  if (call === "kv namespace list") return account.namespaces.map((title) => ({ id: `id of ${title}`, title }));
  if (call.startsWith("secret list")) {
    if (account.secrets) return Object.keys(account.secrets).map((name) => ({ name, type: "secret_text" }));
    return fail('Worker "personal-operations-assistant-production" (env: production) not found.');
  }
  if (call === "r2 bucket info") {
    if (account.buckets.includes(args[3])) return { name: args[3] };
    return fail("The specified bucket does not exist. [code: 10006]");
  }

  if (call === "r2 bucket create") account.buckets.push(args[3]);
  else if (call.startsWith("d1 create")) account.databases.push(args[2]);
  else if (call === "d1 migrations apply") account.migrated = true;
  else if (call === "kv namespace create") account.namespaces.push(args[3]);
  else if (call.startsWith("secret bulk")) account.secrets = { ...account.secrets, ...JSON.parse(input) };
  else if (call.startsWith("deploy")) {
    account.deployed = JSON.parse(readFileSync(args[args.indexOf("--config") + 1], "utf8")).env.production;
    account.migratedBefore = account.migrated;
  } else fail(`Unknown command: ${args.join(" ")}`);
}

function fail(message) {
  save();
  console.error(message);
  process.exit(1);
}

function save() {
  writeFileSync(file, JSON.stringify(account));
}
