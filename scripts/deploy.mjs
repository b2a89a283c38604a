// npm run deploy: creates on Cloudflare whatever is missing, applies the migrations, then deploys. It finds everything by
// name and never replaces a database or a secret, so it can be repeated, also after a run that failed half-way.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { experimental_readRawConfig as readRawConfig } from "wrangler";
import { root, wrangler } from "./migrate.mjs";

const PRODUCTION = ["--env", "production"];

/** Where D1 and R2 store the data for the region that the Worker runs in (`placement.region` in wrangler.toml). */
const LOCATION_OF_REGION = new Map([
  ["aws:eu-central-1", "weur"],
  ["gcp:europe-central2", "eeur"],
  ["aws:us-east-1", "enam"],
  ["aws:us-west-2", "wnam"],
  ["aws:ap-southeast-1", "apac"],
  ["aws:ap-southeast-2", "oc"],
]);

/** Made here when they are missing. Any other secret is the operator's. */
const OWN_SECRETS = ["JWT_SECRET", "PASSWORD_PEPPER", "ENCRYPTION_KEY", "SETUP_TOKEN", "VAPID_PRIVATE_KEY"];
/** Without the values that made them, stored passwords and keys cannot be used again. */
const IRREPLACEABLE = ["PASSWORD_PEPPER", "ENCRYPTION_KEY"];

const LOGIN_HINT =
  "Not logged in? Log in with `npx wrangler login`, or set CLOUDFLARE_API_TOKEN; of several accounts, set CLOUDFLARE_ACCOUNT_ID.";
const R2_HINT = "R2 must be enabled once for an account, in the dashboard under R2.";

if (process.argv.length > 2) stop("npm run deploy takes no arguments: its settings are in wrangler.toml.");

const { rawConfig } = readRawConfig({ config: join(root, "wrangler.toml") });
const production = rawConfig.env.production;
const [database] = production.d1_databases;
const [namespace] = production.kv_namespaces;
const [bucket] = production.r2_buckets;

if (production.ai?.binding !== "AI") {
  stop(
    'Workers AI is not bound, so the assistant would have no model. Add [env.production.ai] with binding = "AI" to ' +
      "wrangler.toml. To run without a model, keep the binding and switch models off in Settings > Models.",
  );
}
createDatabase();
createBucket();
const namespaceId = namespace.id ?? createNamespace(database.database_name);
say("Applying migrations");
run(["d1", "migrations", "apply", database.binding, "--remote", ...PRODUCTION], { unattended: true });
const made = makeSecrets();
deploy();
console.log("\nDeployed. GET /api/health on the address above says whether anything is missing.");
if (made.includes("SETUP_TOKEN")) {
  console.log("Now register as the owner: POST /api/auth/register with the SETUP_TOKEN above as `setupToken`.");
}

function createDatabase() {
  const { database_id, database_name } = database;
  if (database_id || list(["d1", "list", "--json", ...PRODUCTION]).some(({ name }) => name === database_name)) return;
  const location = locationOfWorker();
  say(`Creating the database ${database_name} (${location})`);
  run(["d1", "create", database_name, "--location", location, ...PRODUCTION]);
}

/** wrangler would create it too, but wherever this machine is and not where the Worker runs. */
function createBucket() {
  const name = bucket.bucket_name;
  const { status, stdout, stderr } = wranglerRun(["r2", "bucket", "info", name, "--json", ...PRODUCTION]);
  if (status === 0) return;
  // Any other failure does not say whether it exists.
  if (!/bucket does not exist|code: 10006/.test(stdout + stderr)) {
    stop(`${stdout}${stderr}\nThe bucket ${name} could not be looked up. ${R2_HINT} ${LOGIN_HINT}`);
  }
  const location = locationOfWorker();
  say(`Creating the bucket ${name} (${location})`);
  run(["r2", "bucket", "create", name, "--location", location, ...PRODUCTION]);
}

/** D1 and R2 have the same names for places. */
function locationOfWorker() {
  const region = production.placement?.region;
  const location = LOCATION_OF_REGION.get(region);
  if (!location) {
    const known = [...LOCATION_OF_REGION.keys()].join(", ");
    stop(`Set \`region\` in [env.production.placement] of wrangler.toml to one of: ${known}. It is now ${region}.`);
  }
  return location;
}

/** wrangler would create one itself, but after a deploy that failed later it would not find it again. */
function createNamespace(/** @type {string} */ title) {
  const find = () => list(["kv", "namespace", "list", ...PRODUCTION]).find((one) => one.title === title)?.id;
  const found = find();
  if (found) return found;
  say(`Creating the KV namespace ${title}`);
  // Without --env, which would become part of the title.
  run(["kv", "namespace", "create", title]);
  return find() ?? stop(`The KV namespace ${title} was created but is not listed yet. Run npm run deploy again.`);
}

/** Makes the secrets that are missing and returns their names. */
function makeSecrets() {
  const existing = secretNames();
  const missing = OWN_SECRETS.filter((name) => !existing.includes(name));
  if (missing.length === 0) return [];
  const lost = IRREPLACEABLE.filter((name) => missing.includes(name));
  if (lost.length > 0 && hasAccount()) {
    const commands = lost.map((name) => `  npx wrangler secret put ${name} --env production`).join("\n");
    stop(
      `The database has accounts, but ${lost.join(" and ")} of this service ${lost.length === 1 ? "is" : "are"} not set. ` +
        `New values would make passwords and stored keys useless. Set the values used so far:\n${commands}`,
    );
  }
  const values = Object.fromEntries(missing.map((name) => [name, randomBytes(32).toString("base64url")]));
  say(`Storing new random secrets: ${missing.join(", ")}`);
  // Shown before it is stored: if the connection breaks while it is, it may be the one that counts.
  if (values.SETUP_TOKEN) console.log(`\n  SETUP_TOKEN, shown only now: ${values.SETUP_TOKEN}\n`);
  // Through standard input: arguments can be read by every process of this machine.
  run(["secret", "bulk", ...PRODUCTION], { input: JSON.stringify(values) });
  return missing;
}

function secretNames() {
  const { status, stdout, stderr } = wranglerRun(["secret", "list", "--format", "json", ...PRODUCTION]);
  if (status === 0) return parsed(stdout).map(({ name }) => name);
  // Before the first deploy. Any other failure says nothing about which secrets there are.
  if (/Worker "[^"]*".* not found/.test(stdout + stderr)) return [];
  return stop(`${stdout}${stderr}`);
}

function hasAccount() {
  const statement = "SELECT EXISTS (SELECT 1 FROM users) AS found";
  const args = ["d1", "execute", database.binding, "--remote", "--yes", "--json", "--command", statement];
  return list([...args, ...PRODUCTION])[0].results[0].found === 1;
}

/** wrangler creates queues and finds them by name. A namespace it knows by id only, which a copy of wrangler.toml tells. */
function deploy() {
  const file = join(root, ".wrangler.deploy.json");
  const kv_namespaces = [{ ...namespace, id: namespaceId }];
  const env = { ...rawConfig.env, production: { ...production, kv_namespaces } };
  writeFileSync(file, JSON.stringify({ ...rawConfig, env }));
  say("Deploying");
  try {
    const { status } = wranglerRun(["deploy", "--config", file, ...PRODUCTION], { shown: true });
    if (status !== 0) process.exitCode = status ?? 1;
  } finally {
    rmSync(file);
  }
  if (process.exitCode) stop("The deploy failed. Run npm run deploy again: it continues where this run stopped.");
}

/** The rows that a command lists as JSON. */
function list(/** @type {string[]} */ args) {
  return parsed(run(args));
}

/** wrangler may say something else first. */
function parsed(/** @type {string} */ text) {
  return JSON.parse(text.slice(text.search(/^\[/m)));
}

/** Runs wrangler and ends this run when it fails. */
function run(/** @type {string[]} */ args, options = {}) {
  const { status, stdout, stderr } = wranglerRun(args, options);
  if (status === 0) return stdout;
  return stop(`${stdout}${stderr}\n\`wrangler ${args.slice(0, 3).join(" ")}\` failed. ${LOGIN_HINT}`);
}

/** A command that is `shown` may ask the operator, such as for the name of a first workers.dev address. */
function wranglerRun(/** @type {string[]} */ args, { input = "", shown = false, unattended = false } = {}) {
  const env = {
    ...process.env,
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_HIDE_BANNER: "true",
    ...(unattended && { CI: "true" }),
  };
  const options = shown ? { stdio: "inherit" } : { input };
  const { error, status, stdout, stderr } = spawnSync(process.execPath, [wrangler, ...args], {
    cwd: root,
    env,
    encoding: "utf8",
    ...options,
  });
  if (error) stop(`wrangler did not start: ${error.message}`);
  return { status, stdout: stdout ?? "", stderr: stderr ?? "" };
}

function say(/** @type {string} */ text) {
  console.log(`${text}…`);
}

function stop(/** @type {string} */ reason) {
  console.error(reason.trim());
  process.exit(process.exitCode || 1);
}
