import { useState } from "preact/hooks";
import { api, type Returned, request } from "../../../client/api.ts";
import { useAttempt } from "../../../client/attempt.ts";
import type { Profile } from "../../../client/profile.ts";
import { queryClient } from "../../../client/queries.ts";
import { numberText } from "../../../lib/numbers.ts";
import { data as m } from "../../../messages/settings-data.ts";
import { FileButton } from "../../../ui/file-button.tsx";
import { Section, SelectRow, SwitchRow } from "../../../ui/setting.tsx";
import { Jobs, Problems } from "./jobs.tsx";

type EmailImport = Returned<"/api/emails/import", "get">["data"][number];

const PLACES = ["", "inbox", "archived"] as const;
type Place = (typeof PLACES)[number];
/** Where each box is in the console. */
const BOXES = { inbox: "inbox", archived: "archive", spam: "spam", trash: "trash" } as const;

export function EmailImports({ profile }: { profile: Profile }) {
  const { isBusy, attempt } = useAttempt();
  const [place, setPlace] = useState<Place>("");
  const [isAnalyzed, setIsAnalyzed] = useState(false);

  async function send(file: File) {
    await attempt(m.emailsNotImported, async () => {
      const query = new URLSearchParams({
        name: file.name.slice(0, 200),
        ...(place && { status: place }),
        ...(isAnalyzed && { analyze: "true" }),
      });
      const headers = { "Content-Type": "application/octet-stream" };
      await request({ method: "POST", path: `/api/emails/import?${query}`, headers, body: file });
      await queryClient.invalidateQueries({ queryKey: ["job"] });
    });
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
        <FileButton
          label={m.chooseEmails}
          accept=".eml,.mbox,message/rfc822,application/mbox"
          isBusy={isBusy}
          onChoose={(file) => void send(file)}
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
