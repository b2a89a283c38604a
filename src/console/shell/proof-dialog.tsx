import { Callout } from "../ui/callout.tsx";
import "../base.ts";
import { proofRequest } from "../client/proof.ts";
import { parts } from "../messages/parts.ts";
import { shell } from "../messages/shell.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";

const m = parts.proof;

/** Asks for the password, and the code, because the API wants to know who is there: see `client/proof.ts`. */
export default function ProofDialog() {
  const request = proofRequest.value;
  if (!request) return null;
  const { needsCode, action, minutes, problem, isBusy, answer, cancel } = request;
  return (
    <Dialog title={m.title} size="small" typed="none" onClose={cancel}>
      <form
        class="form"
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const values = new FormData(event.currentTarget);
          const password = String(values.get("password") ?? "");
          const code = String(values.get("code") ?? "").replace(/\s/g, "");
          const missing = password === "" ? m.enterPassword : needsCode && code === "" ? m.enterCode : null;
          if (missing) proofRequest.value = { ...request, problem: missing };
          else if (!isBusy) answer({ currentPassword: password, ...(needsCode && { code }) });
        }}
      >
        <p>{action === null ? m.lead : m.leadFor(action)}</p>
        <p class="muted">{minutes === null ? m.eachTime : m.holds(minutes)}</p>
        <div role="alert">{problem && <Callout tone="danger">{problem}</Callout>}</div>
        <TextField label={m.password} name="password" type="password" autocomplete="current-password" autofocus />
        {needsCode && (
          <TextField
            label={m.code}
            name="code"
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={40}
            hint={m.codeHint}
          />
        )}
        <div class="form-actions wrap">
          <Button tone="primary" type="submit" isBusy={isBusy}>
            {m.confirm}
          </Button>
          <Button onClick={cancel}>{shell.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
