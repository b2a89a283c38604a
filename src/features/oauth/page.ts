import { type AgentScope, PROPOSAL_RULES, type ProposalRule } from "../../lib/agent-rules.ts";
import { toBase64, toBytes } from "../../lib/encoding.ts";
import { formTarget, redirectHost } from "../../lib/redirect-uri.ts";
import { escapeMarkup } from "../../lib/text.ts";
import type { AuthorizationRequest } from "./request.ts";

/** What a page shows, and what it may do in a browser. */
export interface Page {
  html: string;
  policy: string;
  status: number;
}

/*
 * Buttons take no click for the first half second after the pointer has come to them. Otherwise a page that covers this
 * one could close between the two clicks of a double click, and the second would allow what nobody has read.
 */
const STYLE = `
:root { color-scheme: light dark; --line: rgba(128,128,128,.45); --soft: rgba(128,128,128,.12); --button: #2456c7; --quiet: rgba(128,128,128,.18); }
* { box-sizing: border-box; }
body { margin: 0; padding: 40px 16px 56px; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 480px; margin: 0 auto; }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 12px; }
h2 { font-size: 16px; margin: 0; }
p { margin: 0 0 12px; }
dl { margin: 0 0 24px; padding: 12px 16px; background: var(--soft); border-radius: 10px; }
dt { font-size: 13px; opacity: .75; }
dd { margin: 0 0 8px; font-weight: 600; }
dd:last-child { margin-bottom: 0; }
label.field { display: block; font-weight: 600; margin: 20px 0 4px; }
input[type=email], input[type=password], input[type=text] { width: 100%; font: inherit; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; }
fieldset { margin: 0 0 24px; padding: 0; border: 0; }
legend { padding: 0; font-weight: 600; margin-bottom: 8px; }
.choice { display: flex; gap: 12px; padding: 10px 12px; border: 1px solid var(--line); border-bottom: 0; }
.choice:first-of-type { border-radius: 10px 10px 0 0; }
.choice:last-of-type { border-bottom: 1px solid var(--line); border-radius: 0 0 10px 10px; }
.choice input { flex: none; width: 18px; height: 18px; margin: 3px 0 0; accent-color: var(--button); }
small { display: block; font-size: 14px; opacity: .8; }
.acts { display: flex; flex-wrap: wrap; gap: 12px; margin: 24px 0 16px; }
button { flex: 1 1 160px; min-height: 48px; font: inherit; font-weight: 600; padding: 10px 20px; border: 0; border-radius: 8px; background: var(--button); color: #fff; cursor: pointer; }
button.quiet { background: var(--quiet); color: inherit; }
:focus-visible { outline: 3px solid #6b93f2; outline-offset: 2px; }
.acts:hover button { animation: settle .5s step-end; }
@keyframes settle { from { pointer-events: none; } to { pointer-events: auto; } }
[role=alert] { margin: 0 0 20px; padding: 12px 14px; border: 1px solid var(--line); border-left: 4px solid #c0392b; border-radius: 8px; }
`;

let styleHash: Promise<string> | undefined;

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(toBytes(text)));
  return `sha256-${toBase64(new Uint8Array(digest))}`;
}

async function page(title: string, content: string, status: number, target?: string, head = ""): Promise<Page> {
  styleHash ??= hashOf(STYLE);
  // Chromium holds the form to its policy also where the response to it leads.
  const forms = target === undefined ? "'none'" : `'self' ${target}`;
  const policy =
    `default-src 'none'; style-src '${await styleHash}'; form-action ${forms}; ` +
    "base-uri 'none'; frame-ancestors 'none'";
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${head}
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
  return { html, policy, status };
}

const alertHtml = (problem: string | undefined) =>
  problem === undefined ? "" : `<p role="alert">${escapeMarkup(problem)}</p>\n`;

const hidden = (name: string, value: string) => `<input type="hidden" name="${name}" value="${escapeMarkup(value)}">`;

export function errorPage(problem: string, status: number): Promise<Page> {
  const content = `<h1>This connection cannot be made</h1>
${alertHtml(problem)}<p>Go back to the agent and try again. No access was granted.</p>`;
  return page("This connection cannot be made", content, status);
}

/** Opens the same address again from here: a browser sends its session's cookie only to pages that it came to from ours. */
export function arrivalPage(address: string): Promise<Page> {
  const head = `\n<meta http-equiv="refresh" content="0;url=${escapeMarkup(address)}">`;
  const content = `<h1>One moment</h1>\n<p><a href="${escapeMarkup(address)}">Continue</a></p>`;
  return page("One moment", content, 200, undefined, head);
}

interface Shown {
  request: AuthorizationRequest;
  problem?: string;
  status?: number;
}

const targetOf = ({ redirectUri }: AuthorizationRequest) => formTarget(redirectUri);
const intro = ({ client }: AuthorizationRequest) =>
  `<p><strong>${escapeMarkup(client.name)}</strong> asks to be connected to your account. Sign in to decide.</p>`;

export function signInPage({ request, problem, status = 200, email = "" }: Shown & { email?: string }): Promise<Page> {
  const content = `<h1>Sign in</h1>
${alertHtml(problem)}${intro(request)}
<form method="post">
${hidden("step", "password")}
<label class="field" for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" value="${escapeMarkup(email)}" required${email ? "" : " autofocus"}>
<label class="field" for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${email ? " autofocus" : ""}>
<div class="acts"><button>Sign in</button></div>
</form>
<p><small>Have you forgotten your password? <a href="/app/forgot">Reset it</a>, then connect again.</small></p>`;
  return page("Sign in", content, status, targetOf(request));
}

export function codePage({ request, problem, status = 200, challenge }: Shown & { challenge: string }): Promise<Page> {
  const content = `<h1>Two-factor code</h1>
${alertHtml(problem)}${intro(request)}
<form method="post">
${hidden("step", "code")}
${hidden("challenge", challenge)}
<label class="field" for="code">Two-factor code</label>
<input id="code" name="code" type="text" inputmode="text" autocomplete="one-time-code" required autofocus>
<small>From your authenticator app, or a backup code.</small>
<div class="acts"><button>Continue</button></div>
</form>`;
  return page("Two-factor code", content, status, targetOf(request));
}

const SCOPE_WORDS: Record<AgentScope, [string, string]> = {
  "emails:read": ["Read your emails", "Find and read emails and their requests."],
  "emails:write": [
    "Sort your emails and draft replies",
    "Mark, archive, tag and snooze. It cannot send or delete anything.",
  ],
  "tasks:read": ["See your tasks", "List and search your tasks."],
  "tasks:write": ["Create and change tasks", "Also complete them."],
  "calendar:read": ["See your calendar", "Events, and when you are free."],
  "calendar:write": ["Create, move and cancel events", "No invitations or notifications are sent."],
};

const RULE_WORDS: Record<ProposalRule, [string, string]> = {
  every_write: ["Ask me before every change", "Recommended. You confirm each one in the console, on Today or in Chat."],
  changes: ["Ask me before it changes or cancels something", "New tasks and events are created at once."],
  never: ["Never ask me", "An email could make the agent act in your name."],
};

function choice(kind: "checkbox" | "radio", name: string, value: string, words: [string, string], isChecked: boolean) {
  const [label, explanation] = words;
  return (
    `<label class="choice"><input type="${kind}" name="${name}" value="${value}"${isChecked ? " checked" : ""}>` +
    `<span>${label}<small>${explanation}</small></span></label>`
  );
}

/** What the person had chosen when the page is shown again. */
export interface Choices {
  scopes: readonly AgentScope[];
  rule: ProposalRule;
}

interface Consent extends Shown {
  ticket: string;
  email: string;
  /** What the person has to confirm. */
  proof: "none" | "password" | "password and code";
  choices?: Choices;
}

const PASSWORD_FIELD = `<label class="field" for="password">Your password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
`;
const CODE_FIELD = `<label class="field" for="code">Two-factor code</label>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" required>
`;
const PROOF_FIELDS = { none: "", password: PASSWORD_FIELD, "password and code": `${PASSWORD_FIELD}${CODE_FIELD}` };

export function consentPage(shown: Consent): Promise<Page> {
  const { request, problem, status = 200, ticket, email, proof, choices } = shown;
  const { client, redirectUri, scopes } = request;
  const published = client.id.includes("://")
    ? `<dt>Published by</dt><dd>${escapeMarkup(new URL(client.id).host)}</dd>\n`
    : "";
  const content = `<h1>Connect ${escapeMarkup(client.name)}?</h1>
${alertHtml(problem)}<p>You are signed in as <strong>${escapeMarkup(email)}</strong>.</p>
<dl>
<dt>Agent</dt><dd>${escapeMarkup(client.name)}</dd>
${published}<dt>Redirects to</dt><dd>${escapeMarkup(redirectHost(redirectUri))}</dd>
</dl>
<p>Anyone can choose a name. Allow this only if you have just asked this agent to connect.</p>
<form method="post">
${hidden("step", "consent")}
${hidden("ticket", ticket)}
<fieldset>
<legend>It may</legend>
${scopes.map((scope) => choice("checkbox", "scope", scope, SCOPE_WORDS[scope], choices?.scopes.includes(scope) ?? true)).join("\n")}
</fieldset>
<fieldset>
<legend>After it has read other people's text, such as an email</legend>
${PROPOSAL_RULES.map((rule, at) => choice("radio", "proposals", rule, RULE_WORDS[rule], choices ? rule === choices.rule : at === 0)).join("\n")}
</fieldset>
<p><small>You can disconnect it at any time in the console, in Settings under Connections.</small></p>
${PROOF_FIELDS[proof]}<div class="acts">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny" class="quiet" formnovalidate>Cancel</button>
</div>
</form>`;
  return page(`Connect ${escapeMarkup(client.name)}?`, content, status, targetOf(request));
}
