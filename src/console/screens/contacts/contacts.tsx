import "../../base.ts";
import { useState } from "preact/hooks";
import { request } from "../../client/api.ts";
import { useAttempt } from "../../client/attempt.ts";
import { patched } from "../../client/changes.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { useList } from "../../client/queries.ts";
import { saveFile } from "../../lib/clipboard.ts";
import { useCommands } from "../../lib/commands.ts";
import { initials } from "../../lib/initials.ts";
import { facts } from "../../lib/plain.ts";
import { navigate } from "../../lib/router.ts";
import { pastText } from "../../lib/time.ts";
import { contacts as m } from "../../messages/contacts.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { Button } from "../../ui/button.tsx";
import { Entries, Entry } from "../../ui/entries.tsx";
import { SearchFilter, SelectFilter } from "../../ui/filters.tsx";
import { ImportButton } from "../../ui/import-button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { type Contact, nameOf } from "./contact.ts";
import { ContactDialog } from "./contact-dialog.tsx";
import { Person } from "./person.tsx";

export default function Contacts({ params, query }: ScreenProps) {
  return params.id === undefined ? <People query={query} /> : <Person key={params.id} id={Number(params.id)} />;
}

function People({ query }: Pick<ScreenProps, "query">) {
  const [q, saved] = [query.get("q") ?? "", query.get("saved") ?? ""];
  const [isAdding, setIsAdding] = useState(false);
  const { isBusy, attempt } = useAttempt();
  const list = useList(["contact", "list", q, saved], "/api/contacts", {
    query: { limit: 50, ...(q && { q }), ...(saved && { saved: true }) },
  });
  const isFiltered = q !== "" || saved !== "";
  useCommands(() => [{ id: "add-contact", label: m.add, icon: "plus", run: () => setIsAdding(true) }], []);
  return (
    <Page
      heading={m.heading}
      lead={m.lead}
      class="wide-page"
      actions={
        <>
          <ImportButton<{ created: number; updated: number; unchanged: number; skipped: number }>
            label={m.import}
            accept=".vcf,text/vcard"
            pathOf={() => "/api/contacts/import"}
            type="text/vcard"
            failed={m.notImported}
            done={({ created, updated, unchanged, skipped }) => m.imported(created, updated, unchanged, skipped)}
          />
          <Button icon="download" isBusy={isBusy} onClick={() => void attempt(m.notExported, exportAll)}>
            {m.export}
          </Button>
          <Button tone="primary" icon="plus" onClick={() => setIsAdding(true)}>
            {m.add}
          </Button>
        </>
      }
    >
      <search class="filters cluster" aria-label={m.filters}>
        <SearchFilter label={m.search} value={q} />
        <SelectFilter
          label={m.shown}
          name="saved"
          value={saved}
          options={[
            ["", m.all],
            ["true", m.saved],
          ]}
        />
      </search>
      <Entries
        of={{ ...list, records: list.records && patched("contact", list.records) }}
        rows={8}
        none={
          isFiltered ? (
            <Empty icon="search" title={m.noneFound} text={m.noneFoundText} />
          ) : (
            <Empty icon="people" title={m.none} text={m.noneText} />
          )
        }
      >
        {(each) => <Line contact={each} />}
      </Entries>
      {isAdding && (
        <ContactDialog
          contact={null}
          onSaved={({ id }) => navigate(`/app/contacts/${id}`)}
          onClose={() => setIsAdding(false)}
        />
      )}
    </Page>
  );
}

function Line({ contact }: { contact: Contact }) {
  const habits = useHabits();
  const now = useNow();
  const { id, name, addresses, company, isSaved, lastAt } = contact;
  return (
    <Entry
      before={<span class="avatar" data-initials={initials(nameOf(contact))} aria-hidden="true" />}
      name={
        <a class="plain" href={`/app/contacts/${id}`}>
          {nameOf(contact)}
        </a>
      }
      badge={isSaved && <span class="badge">{m.savedBadge}</span>}
      hint={facts(company, name && addresses[0])}
    >
      {lastAt && (
        <time class="hint" dateTime={lastAt}>
          {pastText(habits, new Date(lastAt), now)}
        </time>
      )}
    </Entry>
  );
}

async function exportAll(): Promise<void> {
  const response = await request({ method: "GET", path: "/api/contacts/export", headers: { Accept: "*/*" } });
  saveFile(m.exportFile, await response.blob());
}
