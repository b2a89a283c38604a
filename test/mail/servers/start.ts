import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { bodyOf, close, listen } from "../../fakes/server.ts";
import { type Cut, type Cutter, startCutter } from "./cutter.ts";
import { type Account, type DovecotPorts, opens, own, PASSWORD, startDovecot, TOKEN_KEY } from "./dovecot.ts";

/** What the tests know of the servers. */
export interface MailServers {
  /** Everything that Dovecot can do. */
  rich: DovecotPorts;
  /** IMAP4rev1 only. */
  poor: DovecotPorts;
  /** A mail server that takes passwords itself: what it is told is not told on. */
  relay: { submissions: number; submission: number };
  /** With a certificate that nobody knows. */
  untrusted: number;
  /** Cut connections to the rich IMAP server, and to the relay, both with TLS. */
  cutImap: number;
  cutRelay: number;
  password: string;
  tokenKey: string;
  /** Where the tests control what else happens: see `control.ts`. */
  controlUrl: string;
}

export interface Control {
  cut: { port: number; cut: Cut | null };
  doveadm: { server: "rich" | "poor"; args: string[]; input?: string };
}

/** A message as the relay took it. `content` in base64. */
export interface Sent {
  from: string;
  to: string[];
  options: string[];
  content: string;
}

/** Why the servers cannot be started here, or null. */
export function missingServers(): string | null {
  const works = (command: string, ...args: string[]) => {
    try {
      return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      return null;
    }
  };
  const version = works("dovecot", "--version");
  if (version === null) return "Dovecot is not installed";
  if (!version.startsWith("2.3.")) return `this is Dovecot ${version.trim()}, and its configuration here is for 2.3`;
  const protocols = works("dovecot", "--build-options") === null ? "" : readdirSync("/usr/lib/dovecot").join(" ");
  for (const each of ["imap", "submission", "lmtp"]) {
    if (!protocols.split(" ").includes(each)) return `Dovecot's ${each} service is not installed`;
  }
  if (works(PYTHON, "-c", "import aiosmtpd") === null) return "aiosmtpd is not installed";
  return works("openssl", "version") === null ? "openssl is not installed" : null;
}

/** The distribution's, which has its packages. */
const PYTHON = "/usr/bin/python3";

/** Real mail servers on free ports of loopback. `ca` is the file that `NODE_EXTRA_CA_CERTS` has to name. */
export async function startMailServers(): Promise<{ servers: MailServers; ca: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "mail-servers-"));
  chmodSync(folder, 0o755);
  const account = accountHere();
  const folders = { rich: join(folder, "rich"), poor: join(folder, "poor"), sent: join(folder, "sent") };
  for (const each of Object.values(folders)) mkdirSync(each);
  const tls = makeCertificates(folder);
  const ports = await freePorts(11);
  const port = () => ports.pop() ?? 0;
  const portsOf = () => ({ imaps: port(), imap: port(), submissions: port(), submission: port() });
  const [rich, poor] = [portsOf(), portsOf()];
  const [plain, submission, submissions] = [port(), port(), port()];
  own(folder, account);
  const common = { relayPort: plain, tls, account };
  const processes: ChildProcess[] = [];
  const relay = spawn(
    PYTHON,
    [
      ...["-W", "ignore"],
      ...[fileURLToPath(new URL("relay.py", import.meta.url)), folders.sent, tls.certificate, tls.key, PASSWORD],
      ...[join(folders.rich, "lmtp"), ...[plain, submission, submissions].map(String)],
    ],
    { ...account.ids, stdio: ["ignore", "ignore", "inherit"] },
  );
  processes.push(relay);
  for (const each of [plain, submission, submissions]) await opens(each, relay);
  const started = {
    rich: await startDovecot({ ...common, folder: folders.rich, ports: rich, isPoor: false }),
    poor: await startDovecot({ ...common, folder: folders.poor, ports: poor, isPoor: true }),
  };
  processes.push(started.rich.process, started.poor.process);
  const cutters = [await startCutter(rich.imaps), await startCutter(submissions)];
  const untrusted = createTlsServer({ cert: readFileSync(tls.untrusted), key: readFileSync(tls.key) });
  untrusted.on("tlsClientError", () => undefined);
  untrusted.listen(0, "127.0.0.1");
  await once(untrusted, "listening");
  const address = untrusted.address();
  const control = controlServer(cutters, folders.sent, (server) => [started[server].configuration, account]);
  const servers: MailServers = {
    ...{ rich, poor, relay: { submission, submissions } },
    untrusted: typeof address === "object" && address ? address.port : 0,
    cutImap: cutters[0]?.port ?? 0,
    cutRelay: cutters[1]?.port ?? 0,
    ...{ password: PASSWORD, tokenKey: TOKEN_KEY, controlUrl: await listen(control) },
  };
  const stop = async () => {
    close(control);
    untrusted.close();
    for (const cutter of cutters) cutter.stop();
    const ended = processes.map((each) =>
      each.exitCode === null && each.signalCode === null ? once(each, "exit") : undefined,
    );
    for (const each of processes) each.kill("SIGTERM");
    await Promise.all(ended);
    rmSync(folder, { recursive: true, force: true });
  };
  return { servers, ca: tls.ca, stop };
}

function accountHere(): Account {
  if (process.getuid?.() !== 0) {
    return { user: userInfo().username, group: execFileSync("id", ["-gn"], { encoding: "utf8" }).trim(), ids: {} };
  }
  const id = (option: string) => Number(execFileSync("id", [option, "nobody"], { encoding: "utf8" }));
  const group = execFileSync("id", ["-gn", "nobody"], { encoding: "utf8" }).trim();
  return { user: "nobody", group, ids: { uid: id("-u"), gid: id("-g") } };
}

/** A certificate authority of the tests, a certificate for `localhost` by it, and one by nobody. */
function makeCertificates(folder: string) {
  const at = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: ["ignore", "ignore", "pipe"] });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const ending = ["-days", "2", "-out"];
  openssl("req", "-x509", ...newKey, "-subj", "/CN=mail tests", "-keyout", at("ca.key"), ...ending, at("ca.pem"));
  openssl("req", ...newKey, "-subj", "/CN=localhost", "-keyout", at("key.pem"), "-out", at("request.pem"));
  writeFileSync(at("names"), "subjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth\n");
  const signed = ["x509", "-req", "-in", at("request.pem"), "-extfile", at("names"), "-CAcreateserial"];
  openssl(...signed, "-CA", at("ca.pem"), "-CAkey", at("ca.key"), ...ending, at("cert.pem"));
  openssl("req", "-x509", "-key", at("key.pem"), "-subj", "/CN=localhost", ...ending, at("untrusted.pem"));
  return { ca: at("ca.pem"), certificate: at("cert.pem"), key: at("key.pem"), untrusted: at("untrusted.pem") };
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}

/** For tests, which run in workerd and cannot start a process. */
function controlServer(
  cutters: readonly Cutter[],
  sent: string,
  dovecot: (server: "rich" | "poor") => [configuration: string, account: Account],
): Server {
  return createHttpServer(async (request, response) => {
    const reply = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    const body = request.method === "POST" ? JSON.parse(await bodyOf(request)) : null;
    if (request.url === "/cut") {
      const { port, cut }: Control["cut"] = body;
      for (const cutter of cutters) if (cutter.port === port) cutter.cut = cut;
      reply(200, null);
    } else if (request.url === "/doveadm") {
      const { server, args, input = "" }: Control["doveadm"] = body;
      const [configuration, { ids }] = dovecot(server);
      const child = execFile("doveadm", ["-c", configuration, ...args], ids, (error, stdout, stderr) =>
        reply(error ? 500 : 200, error ? stderr : stdout),
      );
      child.stdin?.end(input);
    } else {
      const files = readdirSync(sent).filter((name) => name.endsWith(".json"));
      const messages = files.sort().map((name): Sent => JSON.parse(readFileSync(join(sent, name), "utf8")));
      reply(200, messages);
    }
  });
}
