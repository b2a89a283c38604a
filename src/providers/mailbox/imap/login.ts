import { tlsFailure } from "../connection.ts";
import { saslResponse } from "../reason.ts";
import { type MailboxAuth, MailboxError, type ServerAddress } from "../types.ts";
import { type Commands, isBusy, type Piece, quoted } from "./commands.ts";
import type { Status } from "./responses.ts";

/** From the greeting to a session that is logged in, knows its capabilities and has said what it needs. */
export async function logIn(commands: Commands, { tls }: ServerAddress, auth: MailboxAuth): Promise<Set<string>> {
  await commands.greeting();
  if (tls === "starttls") {
    const offered = await capabilitiesOf(commands);
    if (!offered.has("STARTTLS")) throw refuseTls(commands, "The server offers no STARTTLS on this port.");
    const status = await commands.run("tls", ["STARTTLS"]);
    if (status.status !== "OK") throw refuseTls(commands, `The server refused STARTTLS: ${commands.wordsOf(status)}`);
    await commands.startTls();
  }
  await authenticate(commands, auth, await capabilitiesOf(commands));
  const capabilities = await capabilitiesOf(commands);
  if (capabilities.has("ID")) await commands.run("login", ['ID ("name" "Personal Operations Assistant")']);
  const wanted = ["QRESYNC", "CONDSTORE"].find((each) => capabilities.has(each));
  if (wanted && capabilities.has("ENABLE")) await commands.run("login", [`ENABLE ${wanted}`]);
  else capabilities.delete("QRESYNC");
  return capabilities;
}

function refuseTls(commands: Commands, reason: string): MailboxError {
  commands.connection.close();
  return tlsFailure(reason);
}

async function capabilitiesOf(commands: Commands): Promise<Set<string>> {
  if (!commands.capabilities) await commands.must("login", ["CAPABILITY"]);
  if (!commands.capabilities) throw commands.broken("it does not say what it can do");
  return commands.capabilities;
}

async function authenticate(commands: Commands, auth: MailboxAuth, offered: ReadonlySet<string>): Promise<void> {
  const mechanism = auth.kind === "password" ? "PLAIN" : "XOAUTH2";
  let status: Status;
  if (offered.has(`AUTH=${mechanism}`)) {
    const response = saslResponse(auth);
    const isAtOnce = offered.has("SASL-IR");
    // Asked again, the server gets an empty line: XOAUTH2 explains a refusal that way.
    const left: Piece[] = isAtOnce ? [] : [response];
    const command = `AUTHENTICATE ${mechanism}${isAtOnce ? ` ${response}` : ""}`;
    commands.capabilities = keepLiterals(offered);
    status = await commands.run("login", [command], undefined, { onContinue: () => left.pop() ?? "" });
  } else if (auth.kind === "password" && !offered.has("LOGINDISABLED")) {
    commands.capabilities = keepLiterals(offered);
    status = await commands.run("login", ["LOGIN ", quoted(auth.username), " ", quoted(auth.password)]);
  } else {
    const what = auth.kind === "password" ? "a password" : "an access token";
    throw new MailboxError("mailbox_auth_failed", "login", `The server takes no login with ${what}.`);
  }
  if (status.status === "OK") {
    // What was offered before the login is not what is offered now.
    if (commands.capabilities?.has(BEFORE_LOGIN)) commands.capabilities = null;
    return;
  }
  commands.connection.close();
  // Gmail's "[ALERT] Application-specific password required" is a refusal, "[ALERT] Too many connections" is not.
  if (isBusy(status)) throw commands.refusal("login", status);
  throw new MailboxError("mailbox_auth_failed", "login", commands.wordsOf(status));
}

/** Marks a set of the time before: the login may bring a new one. No server has such a capability. */
const BEFORE_LOGIN = " ";

function keepLiterals(offered: ReadonlySet<string>): Set<string> {
  return new Set([BEFORE_LOGIN, ...["LITERAL+", "LITERAL-"].filter((each) => offered.has(each))]);
}
