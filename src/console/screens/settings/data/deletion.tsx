import { useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { toast } from "../../../client/notices.ts";
import { fieldProblem, isProblem } from "../../../client/problem.ts";
import type { Profile } from "../../../client/profile.ts";
import { useGet } from "../../../client/queries.ts";
import { signOut } from "../../../client/session.ts";
import { numberText } from "../../../lib/numbers.ts";
import { navigate } from "../../../lib/router.ts";
import { data as m } from "../../../messages/settings-data.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Section } from "../../../ui/setting.tsx";

export function Deletion({ profile, isAsked }: { profile: Profile; isAsked: boolean }) {
  const [isOpen, setIsOpen] = useState(isAsked);
  return (
    <Section
      heading={m.delete}
      lead={m.deleteLead}
      tone="danger"
      actions={
        <Button tone="danger" onClick={() => setIsOpen(true)}>
          {m.deleteButton}
        </Button>
      }
    >
      {isOpen && <DeletionDialog profile={profile} onClose={() => setIsOpen(false)} />}
    </Section>
  );
}

/** Names what will go, with its numbers, and takes the address as the last word. */
function DeletionDialog({ profile, onClose }: { profile: Profile; onClose(): void }) {
  const [needsOwner, setNeedsOwner] = useState(false);
  const address = profile.email.address;
  const usage = useGet(["setting", "billing", "usage"], "/api/settings/billing/usage").data;
  const security = useGet(["setting", "security"], "/api/settings/security").data;
  const count = (value: number | undefined) => numberText(profile.locale, value ?? 0);

  async function remove({ confirm = "", newOwner = "" }: Record<string, string>) {
    // Said here, because the service asks for the password first.
    if (confirm.trim().toLowerCase() !== address.toLowerCase()) throw fieldProblem("confirm", m.confirmWrong(address));
    try {
      await api.delete("/api/settings/account", {
        body: { confirm: confirm.trim(), ...(newOwner.trim() && { newOwner: newOwner.trim() }) },
      });
    } catch (error) {
      if (isProblem(error, "new_owner_required")) setNeedsOwner(true);
      throw error;
    }
    await signOut({ isGone: true });
    toast(m.deleted);
    // Without the way back to this page, which is nobody's now.
    navigate("/app/sign-in", { replace: true });
  }

  return (
    <Dialog title={m.deleteTitle} onClose={onClose}>
      <p>{m.willGo}</p>
      <ul class="will-go">
        <li>{m.goes.profile}</li>
        <li>{m.goes.access(security?.sessions ?? 1, security?.apiKeys ?? 0)}</li>
        {profile.role === "owner" ? (
          <>
            <li>
              {m.goes.service(count(usage?.emails.used), count(usage?.tasks.used), count(usage?.events.used))}
              <small class="muted">{m.goes.onlyLast}</small>
            </li>
            <li>
              {m.goes.connections(usage?.webhooks.used ?? 0)}
              <small class="muted">{m.goes.onlyLast}</small>
            </li>
          </>
        ) : (
          <li class="muted">{m.goes.serviceMember}</li>
        )}
      </ul>
      <Form
        button={m.deleteButton}
        tone="danger"
        required={{ confirm: m.enterConfirm }}
        beside={<Button onClick={onClose}>{m.cancelDelete}</Button>}
        send={remove}
      >
        <TextField
          label={m.confirm}
          name="confirm"
          hint={m.confirmHint(address)}
          autocomplete="off"
          spellcheck={false}
        />
        {needsOwner && (
          <TextField label={m.newOwner} name="newOwner" type="email" hint={m.newOwnerHint} autocomplete="off" />
        )}
      </Form>
    </Dialog>
  );
}
