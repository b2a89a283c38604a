// npm run test:mail: the mail client and what uses it against real servers on loopback, where they are installed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { missingServers, startMailServers } from "../test/mail/servers/start.ts";
import { root } from "./migrate.mjs";

const missing = missingServers();
if (missing) {
  const line = "!".repeat(78);
  console.error(
    `\n${line}\n!! THE MAIL TESTS DID NOT RUN: ${missing}.\n!! Get all of it with\n` +
      "!! apt-get install dovecot-core dovecot-imapd dovecot-submissiond dovecot-lmtpd \\\n" +
      `!!   python3-aiosmtpd openssl\n${line}\n`,
  );
  process.exit(0);
}

const { servers, ca, stop } = await startMailServers();
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const options = ["run", "--config", "test/vitest.config.ts", "--project", "mail", ...process.argv.slice(2)];
const tests = spawn(process.execPath, [vitest, ...options], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, NODE_EXTRA_CA_CERTS: ca, MAIL_SERVERS: JSON.stringify(servers) },
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => tests.kill(signal));
const [code] = await once(tests, "exit");
await stop();
process.exit(code ?? 1);
