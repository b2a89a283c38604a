import { useState } from "preact/hooks";
import { api, type Returned } from "../../../client/api.ts";
import type { Profile } from "../../../client/profile.ts";
import { numberText } from "../../../lib/numbers.ts";
import { data as m } from "../../../messages/settings-data.ts";
import { ImportButton } from "../../../ui/import-button.tsx";
import { Section, SelectRow, SwitchRow } from "../../../ui/setting.tsx";
import { Jobs, Problems } from "./jobs.tsx";

type EmailImport = Returned<"/api/emails/import", "get">["data"][number];

const PLACES = ["recent", "inbox", "archived", ""] as const;
/** What is newer is likely to wait for somebody. */
const RECENT_DAYS = 30;
type Place = (typeof PLACES)[number];
/** Where each box is in the console. */
const BOXES = { inbox: "inbox", archived: "archive", spam: "spam", trash: "trash" } as const;

export function EmailImports({ profile }: { profile: Profile }) {
  const [place, setPlace] = useState<Place>("recent");
  const [isAnalyzed, setIsAnalyzed] = useState(false);

  function pathOf({ name }: File): string {
    const query = new URLSearchParams({
      name: name.slice(0, 200),
      ...(place === "recent" ? { inboxDays: String(RECENT_DAYS) } : place && { status: place }),
      ...(isAnalyzed && { analyze: "true" }),
    });
    return `/api/emails/import?${query}`;
  }

  return (
    <Section heading={m.emails} lead={m.emailsLead}>
      <SelectRow<Place>
        label={m.emailPlace}
        hint={m.emailPlaceHint}
        value={place}
        options={PLACES.map((each) => [each, m.emailPlaces[each]])}
        onChange={setPlace}
      />
      <SwitchRow label={m.emailAnalyze} hint={m.emailAnalyzeHint} value={isAnalyzed} onChange={setIsAnalyzed} />
      <div class="form-actions wrap">
        <ImportButton
          label={m.chooseEmails}
          accept=".eml,.mbox,message/rfc822,application/mbox"
          pathOf={pathOf}
          type="application/octet-stream"
          failed={m.emailsNotImported}
        />
      </div>
      <Jobs<EmailImport>
        profile={profile}
        path="/api/emails/import"
        remove={(id) => api.delete("/api/emails/import/{id}", { params: { id } })}
        thing="email"
        nameOf={({ name }) => name}
        isEmpty={({ result }) => result.created + result.duplicates === 0}
        resultOf={({ result }) => m.emailResult(result.created, result.duplicates, result.skipped)}
        details={(job) => (
          <>
            <Places job={job} count={(value) => numberText(profile.locale, value)} />
            <Problems thing="email" reasons={job.result.problems.map(({ reason }) => reason)} />
          </>
        )}
      />
    </Section>
  );
}

/** Where the new emails are, with the way there. */
function Places({ job: { result }, count }: { job: EmailImport; count(value: number): string }) {
  const filled = (["inbox", "archived", "spam", "trash"] as const).filter((box) => result.boxes[box] > 0);
  if (filled.length === 0) return null;
  return (
    <p class="hint">
      {filled.map((box, at) => (
        <span key={box}>
          {at > 0 && " · "}
          <a href={`/app/mail/${BOXES[box]}`}>{m.emailsIn(count(result.boxes[box]), m.emailBoxes[box])}</a>
        </span>
      ))}
    </p>
  );
}
