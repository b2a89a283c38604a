import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { useRecords } from "../../../client/records.ts";
import { emailSettings as m } from "../../../messages/settings-email.ts";
import { Button } from "../../../ui/button.tsx";
import { Entries, Entry } from "../../../ui/entries.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Section } from "../../../ui/setting.tsx";

type BlockedSender = components["schemas"]["BlockedSender"];

export function Blocked({ isAdding }: { isAdding: boolean }) {
  const list = useRecords(["blocked", "list"], "/api/emails/blocked-senders", { query: { limit: 100 } });
  const unblock = (each: BlockedSender) => {
    const { id, sender, unverifiedOnly } = each;
    const body = { sender, unverifiedOnly };
    list.remove(each, {
      send: () => api.delete("/api/emails/blocked-senders/{id}", { params: { id } }),
      failed: m.notUnblocked,
      undo: { done: m.unblocked(sender), send: () => api.post("/api/emails/blocked-senders", { body }) },
    });
  };
  return (
    <Section heading={m.blocked} lead={m.blockedLead}>
      <Entries of={list} none={m.noBlocked}>
        {(each) => (
          <Entry
            name={
              <>
                {each.sender} {each.kind === "domain" && <span class="badge">{m.domain}</span>}{" "}
                {each.unverifiedOnly && <span class="badge">{m.unverifiedOnly}</span>}
              </>
            }
          >
            <Button aria-label={m.unblockName(each.sender)} onClick={() => unblock(each)}>
              {m.unblock}
            </Button>
          </Entry>
        )}
      </Entries>
      <Form
        isRepeated
        class="form one-line"
        button={m.block}
        tone="plain"
        required={{ sender: m.enterSender }}
        send={async ({ sender = "" }) => {
          await api.post("/api/emails/blocked-senders", { body: { sender: sender.trim() } });
          await list.reread();
        }}
      >
        <TextField
          label={m.sender}
          name="sender"
          maxLength={320}
          autocomplete="off"
          spellcheck={false}
          autofocus={isAdding}
        />
      </Form>
    </Section>
  );
}
