import { AppError } from "../../lib/errors.ts";
import type { AgentCall } from "../tools/agents/agent-tool.ts";
import { NOTICE } from "../tools/agents/fence.ts";
import { documentOf, KINDS, mayRead } from "../tools/agents/finding.ts";
import { agentToolByName } from "../tools/registry.ts";
import { type Era, RpcError } from "./protocol.ts";
import { idAdvice, missingScopes } from "./registry.ts";

const BRIEF = "poa://brief/today";
const TEXT_CHARACTERS = 16_000;
const mimeType = "text/plain";
const NAMES = {
  mail: ["Email", "An email by its id"],
  task: ["Task", "A task by its id"],
  event: ["Event", "An event by its id"],
};

function mayBrief({ ctx }: AgentCall): boolean {
  const tool = agentToolByName("daily_brief");
  return tool !== undefined && missingScopes(ctx.actor, tool).length === 0;
}

export async function listResources(_: object, call: AgentCall) {
  const brief = { uri: BRIEF, name: "brief", title: "Today's brief", description: "Today at a glance.", mimeType };
  return { resources: mayBrief(call) ? [brief] : [] };
}

const kinds = ["mail", "task", "event"] as const;

export async function listTemplates(_: object, call: AgentCall) {
  const templates = kinds.map((kind) => {
    const [title, description] = NAMES[kind];
    return { uriTemplate: `poa://${kind}/{id}`, name: kind, title, description, mimeType };
  });
  return { resourceTemplates: templates.filter(({ name }) => mayRead(call, name)) };
}

/** Text by other people stands between marks here, too. */
export async function readResource({ uri }: Record<string, unknown>, call: AgentCall, era: Era) {
  const unknown = () => {
    const data = { uri: String(uri).slice(0, 500) };
    const message = `Resource not found. ${idAdvice(call.ctx.actor)} Addresses are such as poa://mail/12.`;
    return new RpcError(era === "modern" ? "invalidParams" : "resourceNotFound", message, { data });
  };
  const text = await textOf(uri, call).catch((error) => {
    throw error instanceof AppError && error.code === "not_found" ? unknown() : error;
  });
  if (text === undefined) throw unknown();
  return { contents: [{ uri, mimeType, text }] };
}

async function textOf(uri: unknown, call: AgentCall): Promise<string | undefined> {
  const brief = agentToolByName("daily_brief");
  if (uri === BRIEF && mayBrief(call) && brief && "run" in brief) {
    const { text, outside } = await brief.run(call, {});
    const words = typeof outside === "object" && outside && "text" in outside ? outside.text : text;
    return withNotice(call, String(words ?? ""));
  }
  const [, kind, ref = ""] = /^poa:\/\/(mail|task|event)\/([\w@:.+-]+)$/.exec(decoded(String(uri))) ?? [];
  if (kind !== "mail" && kind !== "task" && kind !== "event") return undefined;
  if (!mayRead(call, kind)) throw new AppError("insufficient_scope", `This needs the scope ${KINDS[kind]}.`);
  const { title, text, isOutside, metadata } = await documentOf(call, kind, ref);
  const words = text === title ? title : `${title}\n\n${text}`;
  const shown = isOutside ? call.fence.around(words, TEXT_CHARACTERS) : words.slice(0, TEXT_CHARACTERS);
  return withNotice(call, `${shown}\n\n${JSON.stringify(metadata)}`);
}

function withNotice({ fence }: AgentCall, text: string): string {
  return fence.isUsed ? `${NOTICE}\n\n${text}` : text;
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}
