import { api, type Returned, request } from "../../../client/api.ts";
import { useAttempt } from "../../../client/attempt.ts";
import type { Profile } from "../../../client/profile.ts";
import { queryClient } from "../../../client/queries.ts";
import { saveFile } from "../../../lib/clipboard.ts";
import { bytesText, numberText } from "../../../lib/numbers.ts";
import { facts } from "../../../lib/plain.ts";
import { longDay } from "../../../lib/time.ts";
import { data as m } from "../../../messages/settings-data.ts";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/setting.tsx";
import type { SettingsProps } from "../page.ts";
import { Deletion } from "./deletion.tsx";
import { EmailImports } from "./email-imports.tsx";
import { ImportArchive } from "./import-archive.tsx";
import { Jobs } from "./jobs.tsx";

declare global {
  interface Window {
    /** Not in every browser. */
    showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
  }
}

type Export = Returned<"/api/settings/data/exports", "get">["data"][number];

export default function Data({ profile, query }: SettingsProps) {
  return (
    <>
      <Exports profile={profile} />
      <EmailImports profile={profile} />
      <ImportArchive profile={profile} />
      <Deletion profile={profile} isAsked={query.get("do") === "delete"} />
    </>
  );
}

function Exports({ profile }: { profile: Profile }) {
  const { busy, attempt } = useAttempt();
  const count = (value: number) => numberText(profile.locale, value);

  const begin = async () => {
    await api.post("/api/settings/data/exports");
    await queryClient.invalidateQueries({ queryKey: ["job"] });
  };

  return (
    <Section
      heading={m.export}
      lead={m.exportLead}
      actions={
        <Button tone="primary" isBusy={busy === "start"} onClick={() => void attempt(m.notExported, begin, "start")}>
          {m.startExport}
        </Button>
      }
    >
      <Jobs<Export>
        profile={profile}
        path="/api/settings/data/exports"
        remove={(id) => api.delete("/api/settings/data/exports/{id}", { params: { id } })}
        removed={m.exportRemoved}
        resultOf={({ size, result, expiresAt }) =>
          result &&
          facts(
            m.archive(
              bytesText(profile.locale, size ?? 0),
              count(Object.values(result.records).reduce((sum, each) => sum + each, 0)),
              count(result.files),
            ),
            m.until(longDay(profile, new Date(expiresAt))),
            result.missingFiles > 0 && m.missing(result.missingFiles),
          )
        }
        actions={(job) =>
          job.downloadUrl && (
            <Button
              icon="download"
              isBusy={busy === job.id}
              onClick={() => void attempt(m.notDownloaded, () => download(job), job.id)}
            >
              {m.download}
            </Button>
          )
        }
      />
      <Button
        tone="quiet"
        icon="download"
        isBusy={busy === "json"}
        onClick={() => void attempt(m.notDownloaded, () => save("/api/settings/data/export", m.quickFile), "json")}
      >
        {m.quickExport}
      </Button>
    </Section>
  );
}

/** Above this, an archive goes straight to the disk where the browser can do that, instead of through memory. */
const LARGE_BYTES = 50 * 1024 * 1024;

async function download({ id, createdAt, size }: Export): Promise<void> {
  const name = `poa-export-${createdAt.slice(0, 10)}.zip`;
  // Asked for first: the browser lets a page ask only shortly after a click.
  const file = (size ?? 0) > LARGE_BYTES ? await window.showSaveFilePicker?.({ suggestedName: name }) : undefined;
  return save(`/api/settings/data/exports/${id}/download`, name, file);
}

/** A link could not carry our token, so the file is read here. */
async function save(path: string, name: string, file?: FileSystemFileHandle): Promise<void> {
  const response = await request({ method: "GET", path, headers: { Accept: "*/*" } });
  if (file && response.body) await response.body.pipeTo(await file.createWritable());
  else saveFile(name, await response.blob());
}
