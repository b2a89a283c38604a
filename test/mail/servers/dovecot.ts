import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

/** What each user of the servers logs in with, whatever the name. */
export const PASSWORD = "app-password-1";
/** Signs the access tokens (HS256) that the servers take with XOAUTH2, for the user in `sub`. */
export const TOKEN_KEY = "key-of-access-tokens-0123456789abcdef";

export interface DovecotPorts {
  imaps: number;
  imap: number;
  submissions: number;
  submission: number;
}

interface Settings {
  folder: string;
  ports: DovecotPorts;
  /** Where its submission service hands messages on. */
  relayPort: number;
  /** Only what every server has had since 2003: IMAP4rev1. */
  isPoor: boolean;
  tls: { certificate: string; key: string };
  account: Account;
}

/** Dovecot does not want to be root. */
export interface Account {
  user: string;
  group: string;
  ids: { uid?: number; gid?: number };
}

/** Dovecot 2.3, on loopback only, with a folder of its own. Resolves when it takes connections. */
export async function startDovecot(settings: Settings): Promise<{ process: ChildProcess; configuration: string }> {
  const { folder, ports, account } = settings;
  for (const name of ["run", "state", "home", "keys/default/HS256"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "keys/default/HS256/default"), Buffer.from(TOKEN_KEY).toString("base64"));
  writeFileSync(
    join(folder, "oauth2.conf"),
    `introspection_mode = local\nlocal_validation_key_dict = fs:posix:prefix=${folder}/keys/\n` +
      "username_attribute = sub\nusername_format = %n\n",
  );
  const configuration = join(folder, "dovecot.conf");
  writeFileSync(configuration, configurationOf(settings));
  own(folder, account);
  const process = spawn("dovecot", ["-F", "-c", configuration], {
    ...account.ids,
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const port of Object.values(ports)) await opens(port, process);
  return { process, configuration };
}

/** Gives a folder and what is in it to the account. */
export function own(folder: string, { ids }: Account): void {
  if (ids.uid === undefined) return;
  for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })]) {
    chownSync(join(folder, name), ids.uid, ids.gid ?? ids.uid);
  }
}

/** Resolves when the process listens. */
export async function opens(port: number, process: ChildProcess): Promise<void> {
  for (;;) {
    if (process.exitCode !== null) throw new Error(`${process.spawnfile} did not start`);
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("close", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const block = (name: string, lines: readonly string[]) =>
  `${name} {\n${lines.map((line) => `  ${line}\n`).join("")}}\n`;

function configurationOf({ folder, ports, relayPort, isPoor, tls, account }: Settings): string {
  const { user, group } = account;
  const service = (name: string, listeners: [name: string, port: number, isTls: boolean][]) =>
    block(`service ${name}-login`, [
      "chroot =",
      ...listeners.flatMap(([listener, port, isTls]) => [
        block(`inet_listener ${listener}`, ["address = 127.0.0.1", `port = ${port}`, `ssl = ${isTls ? "yes" : "no"}`]),
      ]),
    ]);
  const special = ["Drafts", "Junk", "Trash", "Sent", "Archive"].map((name) =>
    block(`mailbox ${name}`, ["auto = subscribe", `special_use = \\${name}`]),
  );
  const socket = (path: string) => block(`unix_listener ${path}`, ["mode = 0600"]);
  return [
    `base_dir = ${folder}/run`,
    `state_dir = ${folder}/state`,
    `log_path = ${folder}/dovecot.log`,
    "protocols = imap submission lmtp",
    "listen = 127.0.0.1",
    `default_internal_user = ${user}`,
    `default_internal_group = ${group}`,
    `default_login_user = ${user}`,
    "default_process_limit = 100",
    "first_valid_uid = 1",
    "first_valid_gid = 1",
    `mail_uid = ${user}`,
    `mail_gid = ${group}`,
    `mail_home = ${folder}/home/%n`,
    "mail_location = maildir:~/Maildir",
    "mail_fsync = never",
    "disable_plaintext_auth = yes",
    `auth_mechanisms = ${isPoor ? "plain" : "plain login xoauth2"}`,
    // A wrong password is told at once, and the next login is not slowed down.
    "auth_failure_delay = 0",
    "login_greeting = Ready.",
    "ssl = yes",
    `ssl_cert = <${tls.certificate}`,
    `ssl_key = <${tls.key}`,
    "hostname = mail.test",
    "postmaster_address = postmaster@mail.test",
    ...(isPoor ? [] : [block("passdb", ["driver = oauth2", "mechanisms = xoauth2", `args = ${folder}/oauth2.conf`])]),
    block("passdb", ["driver = static", `args = password=${PASSWORD}`]),
    block("userdb", ["driver = static", `args = uid=${user} gid=${group} home=${folder}/home/%n`]),
    block("service anvil", ["chroot ="]),
    service("imap", [
      ["imap", ports.imap, false],
      ["imaps", ports.imaps, true],
    ]),
    service("submission", [
      ["submission", ports.submission, false],
      ["submissions", ports.submissions, true],
    ]),
    block("service lmtp", [socket(`${folder}/lmtp`)]),
    block("service stats", [socket("stats-reader"), socket("stats-writer")]),
    "submission_relay_host = 127.0.0.1",
    `submission_relay_port = ${relayPort}`,
    "submission_max_mail_size = 30M",
    ...(isPoor ? ["imap_capability = IMAP4rev1"] : []),
    block("namespace inbox", ["inbox = yes", "separator = /", ...(isPoor ? [] : special)]),
    block("protocol imap", ["mail_max_userip_connections = 10"]),
    "",
  ].join("\n");
}
