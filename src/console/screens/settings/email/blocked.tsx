import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { change, patched } from "../../../client/changes.ts";
import { queryClient, useList } from "../../../client/queries.ts";
import { emailSettings as m } from "../../../messages/settings-email.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Listed } from "../../../ui/listed.tsx";
import { Section } from "../../../ui/setting.tsx";

type BlockedSender = components["schemas"]["BlockedSender"];

export function Blocked({ isAdding }: { isAdding: boolean }) {
  const list = useList<BlockedSender>({
    key: ["blocked", "list"],
    read: (cursor, signal) => api.get("/api/emails/blocked-senders", { query: { limit: 50, cursor }, signal }),
  });
  const shown = list.records && patched("blocked", list.records);
  return (
    <Section heading={m.blocked} lead={m.blockedLead}>
      <Listed list={{ ...list, records: shown }} none={<p class="muted">{m.noBlocked}</p>}>
        <ul class="setting-list">
          {shown?.map((each) => (
            <li key={each.id} class="setting-line">
              <p class="grow setting-name">
                {each.sender} {each.kind === "domain" && <span class="badge">{m.domain}</span>}{" "}
                {each.unverifiedOnly && <span class="badge">{m.unverifiedOnly}</span>}
              </p>
              <Button aria-label={m.unblockName(each.sender)} onClick={() => unblock(each)}>
                {m.unblock}
              </Button>
            </li>
          ))}
        </ul>
      </Listed>
      <Form
        isRepeated
        class="form one-line"
        button={m.block}
        tone="plain"
        required={{ sender: m.enterSender }}
        send={async ({ sender = "" }) => {
          await api.post("/api/emails/blocked-senders", { body: { sender: sender.trim() } });
          await queryClient.invalidateQueries({ queryKey: ["blocked"] });
        }}
      >
        {(problemOf) => (
          <TextField
            label={m.sender}
            name="sender"
            maxLength={320}
            autocomplete="off"
            spellcheck={false}
            autofocus={isAdding}
            problem={problemOf("sender")}
          />
        )}
      </Form>
    </Section>
  );
}

function unblock({ id, sender, unverifiedOnly }: BlockedSender): void {
  void change<BlockedSender, unknown>({
    kind: "blocked",
    ids: [id],
    edit: () => null,
    send: () => api.delete("/api/emails/blocked-senders/{id}", { params: { id } }),
    failed: m.notUnblocked,
    undo: {
      done: m.unblocked(sender),
      send: () => api.post("/api/emails/blocked-senders", { body: { sender, unverifiedOnly } }),
    },
  });
}
