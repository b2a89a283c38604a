import http from "node:http";
import { Webhook } from "standardwebhooks";
import { bodyOf } from "../server.ts";

/** How the receiver behaves: a status, or one of the ways in which receivers go wrong. */
export interface Behaviour {
  status?: number;
  headers?: Record<string, string>;
  /** Behaves so only towards messages that contain this, and well towards others. */
  only?: string;
  /** Answers after this time. */
  delayMs?: number;
  /** Takes the message and does not answer until it is told how to behave next. */
  holds?: boolean;
}

export interface Received {
  id: string;
  timestamp: string;
  signature: string;
  body: string;
  contentType: string;
  /** Which of the secrets the receiver knows the message is signed with, by another's implementation. */
  verifiedWith: string[];
}

interface Mailbox {
  behaviour: Behaviour;
  secrets: string[];
  received: Received[];
  held: (() => void)[];
  atOnce: number;
  mostAtOnce: number;
}

/** Receivers of webhooks, one a path: `/hook/{name}`. Under `/control/{name}/…` a test arranges them. */
export function createFakeReceiver(): http.Server {
  const mailboxes = new Map<string, Mailbox>();
  const mailbox = (name: string): Mailbox => {
    const known = mailboxes.get(name);
    if (known) return known;
    const fresh = { behaviour: {}, secrets: [], received: [], held: [], atOnce: 0, mostAtOnce: 0 };
    mailboxes.set(name, fresh);
    return fresh;
  };
  return http.createServer(async (request, response) => {
    const [, kind, name = "", verb = ""] = (request.url ?? "/").split("/");
    const body = await bodyOf(request);
    if (kind === "control") response.end(JSON.stringify(arrange(mailbox(name), verb, body) ?? null));
    else await take(mailbox(name), request, body, response);
  });
}

async function take(box: Mailbox, request: http.IncomingMessage, body: string, response: http.ServerResponse) {
  box.atOnce += 1;
  box.mostAtOnce = Math.max(box.mostAtOnce, box.atOnce);
  box.received.push(read(box, request, body));
  const { only = "", delayMs } = box.behaviour;
  const behaviour = () => (body.includes(only) ? box.behaviour : {});
  if (delayMs) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (behaviour().holds) {
    await new Promise<void>((resolve) => {
      box.held.push(resolve);
      request.socket.once("close", resolve);
    });
  }
  box.atOnce -= 1;
  const { status = 200, headers = {} } = behaviour();
  response.writeHead(status, headers).end("what the receiver says is nobody's business");
}

function read(box: Mailbox, { headers }: http.IncomingMessage, body: string): Received {
  const signed = {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"]),
  };
  return {
    id: signed["webhook-id"],
    timestamp: signed["webhook-timestamp"],
    signature: signed["webhook-signature"],
    body,
    contentType: String(headers["content-type"]),
    verifiedWith: box.secrets.filter((secret) => isSigned(secret, body, signed)),
  };
}

function isSigned(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

function arrange(box: Mailbox, verb: string, text: string): unknown {
  const command = text ? JSON.parse(text) : {};
  switch (verb) {
    case "behave":
      box.behaviour = command;
      for (const release of box.held.splice(0)) release();
      return;
    case "know":
      box.secrets = command.secrets;
      return;
    case "received":
      return box.received;
    case "most":
      return box.mostAtOnce;
    default:
      throw new Error(`the fake receiver does not know ${verb}`);
  }
}
