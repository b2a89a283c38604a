import "../base.ts";
import { proofRequest } from "../client/proof.ts";
import { parts } from "../messages/parts.ts";
import { TextField } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";

const m = parts.proof;

/** Asks for the password, and the code, because the API wants to know who is there: see `client/proof.ts`. */
export default function ProofDialog() {
  const request = proofRequest.value;
  if (!request) return null;
  const { needsCode, action, minutes, answer, cancel } = request;
  return (
    <FormDialog
      title={m.title}
      size="small"
      typed="none"
      lead={action === null ? m.lead : m.leadFor(action)}
      button={m.confirm}
      required={{ password: m.enterPassword, code: m.enterCode }}
      send={({ password = "", code = "" }) =>
        answer({ currentPassword: password, ...(needsCode && { code: code.replace(/\s/g, "") }) })
      }
      onDone={() => {}}
      onClose={cancel}
    >
      <p class="muted">{minutes === null ? m.eachTime : m.holds(minutes)}</p>
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
    </FormDialog>
  );
}
