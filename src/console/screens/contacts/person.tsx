import { useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { change, patchedOne, versionOf } from "../../client/changes.ts";
import { isProblem } from "../../client/problem.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { useGet, useList } from "../../client/queries.ts";
import { personText } from "../../lib/people.ts";
import { navigate } from "../../lib/router.ts";
import { fullText, pastText } from "../../lib/time.ts";
import { contacts as m } from "../../messages/contacts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Entries, Entry } from "../../ui/entries.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { startNewTo } from "../mail/compose/opening.ts";
import { type Contact, nameOf } from "./contact.ts";
import { ContactDialog, phoneText } from "./contact-dialog.tsx";
import { emailPath, Related } from "./related.tsx";

/** One person: what is known of them, and what was written last. */
export function Person({ id }: { id: number }) {
  const query = useGet(["contact", id], "/api/contacts/{id}", { params: { id } });
  const { data, error, refetch } = query;
  const contact = patchedOne("contact", data);
  if (contact) return <Loaded contact={contact} />;
  return (
    <Page heading={m.heading} before={<Back />} class="wide-page">
      {isProblem(error, "not_found") ? (
        <Empty icon="people" title={m.gone} text={m.goneText} />
      ) : (
        <Pending of={{ error, refetch }} rows={6} form="text" />
      )}
    </Page>
  );
}

function Loaded({ contact }: { contact: Contact }) {
  const [isEditing, setIsEditing] = useState(false);
  const name = nameOf(contact);
  const [address] = contact.addresses;
  return (
    <Page
      heading={name}
      before={<Back />}
      class="wide-page"
      actions={
        <>
          <Button icon="trash" tone="quiet" onClick={() => remove(contact)}>
            {m.delete}
          </Button>
          <Button icon="edit" onClick={() => setIsEditing(true)}>
            {contact.isSaved ? m.edit : m.save}
          </Button>
          {address && (
            <Button
              tone="primary"
              icon="mail"
              onClick={() => startNewTo(`${personText({ name: contact.name, email: address })}, `)}
            >
              {m.write}
            </Button>
          )}
        </>
      }
    >
      <Details contact={contact} />
      <Related id={contact.id} />
      {address && <Emails addresses={contact.addresses} />}
      {isEditing && <ContactDialog contact={contact} onClose={() => setIsEditing(false)} />}
    </Page>
  );
}

const Back = () => (
  <a class="settings-up disclose" href="/app/contacts">
    <Icon name="left" size={16} />
    {m.back}
  </a>
);

/** The page of a contact that is gone is no place to stay. */
function remove(contact: Contact): void {
  const { id } = contact;
  void change<Contact, { undo?: string }>({
    kind: "contact",
    ids: [id],
    edit: () => null,
    send: () => api.delete("/api/contacts/{id}", { params: { id }, version: versionOf("contact", contact) }),
    failed: m.notDeleted,
    undo: {
      done: m.deleted(nameOf(contact)),
      send: ({ undo = "" }) => api.post("/api/contacts/restore", { body: { undo } }),
    },
  });
  navigate("/app/contacts");
}

function Details({ contact }: { contact: Contact }) {
  const habits = useHabits();
  const { addresses, company, phones, notes, received, sent, lastAt } = contact;
  const lines: [string, string][] = [
    [m.addresses, addresses.join("\n")],
    [m.company, company],
    [m.phones, phones.map(phoneText).join("\n")],
    [m.notes, notes],
    [m.received, String(received)],
    [m.sent, String(sent)],
    [m.last, lastAt ? fullText(habits, new Date(lastAt)) : m.never],
  ];
  return (
    <Card heading={m.details}>
      <dl class="contact-details">
        {lines
          .filter(([, text]) => text !== "")
          .map(([label, text]) => (
            <div key={label}>
              <dt class="label">{label}</dt>
              <dd>{text}</dd>
            </div>
          ))}
      </dl>
    </Card>
  );
}

/** A search takes ten operators, so that five addresses fit. */
const SEARCHED = 5;
const SHOWN = 8;

function Emails({ addresses }: { addresses: readonly string[] }) {
  const habits = useHabits();
  const now = useNow();
  const searched = addresses.slice(0, SEARCHED);
  const q = searched.flatMap((address) => [`from:${address}`, `to:${address}`]).join(" OR ");
  const list = useList(["email", "of", q], "/api/emails", { query: { q, limit: SHOWN } });
  return (
    <Card heading={m.emails}>
      <Entries of={{ ...list, hasMore: false }} none={m.noEmails}>
        {({ id, subject, snippet, status, direction, delivery, receivedAt }) => (
          <Entry
            name={
              <a class="plain" href={emailPath(id, status)}>
                {subject || m.noSubject}
              </a>
            }
            badge={
              direction === "outbound" && (
                <span class="badge">{delivery === "scheduled" ? m.scheduledBadge : m.sentBadge}</span>
              )
            }
            hint={<span class="contact-snippet">{snippet}</span>}
          >
            <time class="hint" dateTime={receivedAt}>
              {pastText(habits, new Date(receivedAt), now)}
            </time>
          </Entry>
        )}
      </Entries>
    </Card>
  );
}
