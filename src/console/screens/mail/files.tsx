import "../../base.ts";
import { useState } from "preact/hooks";
import type { components } from "#api";
import { useHabits, useNow } from "../../client/profile.ts";
import { useList } from "../../client/queries.ts";
import { facts } from "../../lib/plain.ts";
import { sizeText } from "../../lib/size-text.ts";
import { pastText } from "../../lib/time.ts";
import { files } from "../../messages/files.ts";
import { find } from "../../messages/find.ts";
import { mail as m } from "../../messages/mail.ts";
import type { ScreenProps } from "../../shell/screen.ts";
import { IconButton } from "../../ui/button.tsx";
import { Entries, Entry } from "../../ui/entries.tsx";
import { SearchFilter, SelectFilter } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { saveFile } from "./attachments.tsx";
import { hasPreview, Preview } from "./preview.tsx";

type EmailFile = components["schemas"]["EmailFile"];
type Kind = keyof typeof files.kinds;

const pathOf = ({ emailId, n }: EmailFile) => `/api/emails/${emailId}/attachments/${n}`;
const DAY_MS = 86_400_000;

/** Every attached file. */
export default function Files({ query }: ScreenProps) {
  const [q, kind, days] = ["q", "kind", "days"].map((name) => query.get(name) ?? "");
  const [shown, setShown] = useState<EmailFile | null>(null);
  const now = useNow();
  const since = days ? new Date(now.getTime() - Number(days) * DAY_MS).toISOString().slice(0, 10) : undefined;
  const list = useList(["email", "files", q, kind, since], "/api/emails/attachments", {
    query: {
      limit: 50,
      ...(q && { q }),
      ...(kind && kind in files.kinds && { kind: kind as Kind }),
      ...(since && { since }),
    },
  });
  const isFiltered = Boolean(q || kind || days);
  return (
    <Page
      heading={find.files}
      lead={files.lead}
      class="wide-page"
      actions={
        <a class="button" href="/app/mail/inbox">
          {files.backToMail}
        </a>
      }
    >
      <search class="filters cluster" aria-label={files.filters}>
        <SearchFilter label={files.search} value={q ?? ""} hasPeople />
        <SelectFilter
          label={files.kind}
          name="kind"
          value={kind ?? ""}
          options={[["", files.anyKind], ...Object.entries(files.kinds)]}
        />
        <SelectFilter
          label={files.time}
          name="days"
          value={days ?? ""}
          options={[["", files.anyTime], ...files.times]}
        />
      </search>
      <Entries
        of={list}
        rows={8}
        none={
          <Empty
            icon="paperclip"
            title={isFiltered ? files.noneFound : files.none}
            text={isFiltered ? find.noneText : files.noneText}
          />
        }
      >
        {(file) => <Line file={file} onShow={() => setShown(file)} />}
      </Entries>
      {shown && (
        <Preview
          file={shown}
          path={pathOf(shown)}
          onSave={() => void saveFile(pathOf(shown), shown.name)}
          onClose={() => setShown(null)}
        />
      )}
    </Page>
  );
}

function Line({ file, onShow }: { file: EmailFile; onShow(): void }) {
  const habits = useHabits();
  const now = useNow();
  const { name, size, from, subject, emailId, receivedAt, status } = file;
  const box = status === "archived" ? "archive" : status;
  const save = () => void saveFile(pathOf(file), name);
  return (
    <Entry
      icon="paperclip"
      name={
        <button
          type="button"
          class="plain-link clip"
          aria-label={hasPreview(file) ? m.open(name) : m.save(name)}
          onClick={hasPreview(file) ? onShow : save}
        >
          {name}
        </button>
      }
      hint={
        <>
          {facts(sizeText(size), from.name || from.email, pastText(habits, new Date(receivedAt), now))}
          {" · "}
          <a href={`/app/mail/${box}/${emailId}`}>{subject || m.noSubject}</a>
        </>
      }
    >
      <IconButton icon="download" label={m.save(name)} onClick={save} />
    </Entry>
  );
}
