import { toBase64, toBytes } from "../lib/encoding.ts";

interface Page {
  html: string;
  policy: string;
}

interface Field {
  name: string;
  label: string;
  type: "email" | "password" | "text";
  autocomplete: string;
  hint?: string;
  /** Shown once it is asked for. */
  isHidden?: true;
}

interface Form {
  title: string;
  intro: string;
  fields: readonly Field[];
  button: string;
}

const EMAIL: Field = { name: "email", label: "Email", type: "email", autocomplete: "username" };

const FORMS: Record<string, Form> = {
  "/app/forgot": {
    title: "Reset your password",
    intro: "Enter the email address of your account. You will get an email with a link to choose a new password.",
    fields: [EMAIL],
    button: "Send the link",
  },
  "/app/reset": {
    title: "Choose a new password",
    intro: "A new password signs out every session of your account.",
    fields: [
      {
        name: "password",
        label: "New password",
        type: "password",
        autocomplete: "new-password",
        hint: "At least 8 characters. A few unrelated words are a good password.",
      },
    ],
    button: "Save the password",
  },
  "/app/verify": {
    title: "Confirm your email address",
    intro: "Sign in to confirm that this address belongs to your account.",
    fields: [
      EMAIL,
      { name: "password", label: "Password", type: "password", autocomplete: "current-password" },
      {
        name: "code",
        label: "Two-factor code",
        type: "text",
        autocomplete: "one-time-code",
        hint: "From your authenticator app, or a backup code.",
        isHidden: true,
      },
    ],
    button: "Sign in and confirm",
  },
};

const STYLE = `
:root { color-scheme: light dark; --line: rgba(128,128,128,.5); --button: #2456c7; }
body { margin: 0; padding: 48px 16px; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 400px; margin: 0 auto; }
h1 { font-size: 24px; line-height: 1.25; margin: 0 0 12px; }
label { display: block; font-weight: 600; margin: 20px 0 4px; }
input { box-sizing: border-box; width: 100%; font: inherit; padding: 10px 12px; border: 1px solid var(--line); border-radius: 8px; }
small { display: block; margin-top: 4px; opacity: .75; font-size: 14px; }
button { font: inherit; font-weight: 600; margin-top: 24px; padding: 12px 20px; border: 0; border-radius: 8px; background: var(--button); color: #fff; cursor: pointer; }
button[disabled] { opacity: .6; cursor: wait; }
:focus-visible { outline: 3px solid #6b93f2; outline-offset: 2px; }
[role=alert], [role=status] { margin: 20px 0 0; padding: 12px 14px; border: 1px solid var(--line); border-left: 4px solid #c0392b; border-radius: 8px; overflow-wrap: anywhere; }
[role=status] { border-left-color: #2e8b57; }
[hidden] { display: none; }
`;

/** The token stays in the fragment until it is used, so that a reload does not lose it. */
const SCRIPT = `
"use strict";
const form = document.querySelector("form");
const failure = document.querySelector("[role=alert]");
const success = document.querySelector("[role=status]");
const codeField = document.getElementById("code-field");
const button = form.querySelector("button");
const token = new URLSearchParams(location.hash.slice(1)).get("token") || "";
let challengeToken = "";

async function call(path, body, bearer) {
  const headers = { "Content-Type": "application/json" };
  if (bearer) headers.Authorization = "Bearer " + bearer;
  const response = await fetch(path, { method: "POST", headers, body: body && JSON.stringify(body), credentials: "omit" });
  const text = await response.text();
  const answer = text ? JSON.parse(text) : {};
  if (response.ok) return answer;
  const error = new Error(answer.detail || "The service did not accept this. Try again.");
  error.code = answer.code;
  throw error;
}

const acts = {
  "/app/forgot": async ({ email }) => {
    await call("/api/auth/password/forgot", { email });
    return "If an account has this address, an email is on its way. The link in it works for 30 minutes.";
  },
  "/app/reset": async ({ password }) => {
    await call("/api/auth/password/reset", { token, password });
    return "Your password was changed. Use it to sign in from now on.";
  },
  "/app/verify": async ({ email, password, code }) => {
    const given = code.replace(/[\\s-]/g, "");
    let signedIn;
    if (challengeToken) {
      const factor = /^\\d{6}$/.test(given) ? { code: given } : { backupCode: code.trim() };
      signedIn = await call("/api/auth/login/2fa", { challengeToken, ...factor });
    } else signedIn = await call("/api/auth/login", { email, password });
    if (signedIn.twoFactorRequired) {
      challengeToken = signedIn.challengeToken;
      codeField.hidden = false;
      codeField.querySelector("input").focus();
      return null;
    }
    challengeToken = "";
    try {
      const { email: confirmed } = await call("/api/settings/profile/email/confirm", { token }, signedIn.token);
      return confirmed + " is confirmed.";
    } finally {
      await call("/api/auth/logout", undefined, signedIn.token).catch(() => {});
    }
  },
};

function show(element, text) {
  failure.hidden = success.hidden = true;
  element.textContent = text;
  element.hidden = false;
}

if (location.pathname !== "/app/forgot" && !token) {
  form.hidden = true;
  show(failure, "This link is not complete. Open it from the email again, or copy all of it.");
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  failure.hidden = true;
  try {
    const done = await acts[location.pathname](Object.fromEntries(new FormData(form)));
    if (done) {
      form.hidden = true;
      history.replaceState(null, "", location.pathname);
      show(success, done);
    }
  } catch (error) {
    if (error.code === "challenge_expired") {
      challengeToken = "";
      codeField.hidden = true;
    }
    show(failure, error.code ? error.message : "The service could not be reached. Try again.");
    form.querySelector("input").focus();
  } finally {
    button.disabled = false;
  }
});
`;

function fieldHtml({ name, label, type, autocomplete, hint, isHidden }: Field): string {
  const described = hint ? ` aria-describedby="${name}-hint"` : "";
  return (
    `<div id="${name}-field"${isHidden ? " hidden" : ""}><label for="${name}">${label}</label>` +
    `<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"${described}${isHidden ? "" : " required"}>` +
    `${hint ? `<small id="${name}-hint">${hint}</small>` : ""}</div>`
  );
}

/** The page at one of the paths, with a policy that allows its own script and style only. */
export async function accountPage(path: string): Promise<Page> {
  const form = FORMS[path];
  if (!form) throw new Error(`there is no page at ${path}`);
  const { title, intro, fields, button } = form;
  const [script, style] = await Promise.all([hashOf(SCRIPT), hashOf(STYLE)]);
  const policy =
    `default-src 'none'; script-src '${script}'; style-src '${style}'; connect-src 'self'; form-action 'none'; ` +
    "base-uri 'none'; frame-ancestors 'none'";
  // A form without a script would put the password into the address: it is sent by POST, and the policy stops it.
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<form method="post">
<p>${intro}</p>
${fields.map(fieldHtml).join("\n")}
<button>${button}</button>
</form>
<p role="alert" hidden></p>
<p role="status" hidden></p>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
  return { html, policy };
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(toBytes(text)));
  return `sha256-${toBase64(new Uint8Array(digest))}`;
}
