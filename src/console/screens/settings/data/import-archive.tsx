import { useState } from "preact/hooks";
import { api, type Returned, request } from "../../../client/api.ts";
import { attempt } from "../../../client/notices.ts";
import type { Profile } from "../../../client/profile.ts";
import { queryClient } from "../../../client/queries.ts";
import { numberText } from "../../../lib/numbers.ts";
import { data as m } from "../../../messages/settings-data.ts";
import { FileButton } from "../../../ui/file-button.tsx";
import { Progress } from "../../../ui/meter.tsx";
import { Section } from "../../../ui/setting.tsx";
import { Jobs, Problems } from "./jobs.tsx";

type Import = Returned<"/api/settings/data/import", "get">["data"][number];

/** What one request can carry; larger archives go in parts. */
const LARGEST = 95 * 1024 * 1024;

export function ImportArchive({ profile }: { profile: Profile }) {
  const [sent, setSent] = useState<{ done: number; total: number } | null>(null);
  if (profile.role !== "owner") return <Section heading={m.import} lead={m.importOwner} />;
  const count = (value: number) => numberText(profile.locale, value);

  async function send(file: File) {
    setSent({ done: 0, total: 1 });
    await attempt(m.notImported, async () => {
      if (file.size <= LARGEST) {
        const headers = { "Content-Type": "application/zip" };
        await request({ method: "POST", path: "/api/settings/data/import", headers, body: file });
      } else {
        const uploadId = await upload(file, (done, total) => setSent({ done, total }));
        await api.post("/api/settings/data/import", { body: { uploadId } });
      }
      await queryClient.invalidateQueries({ queryKey: ["job"] });
    });
    setSent(null);
  }

  return (
    <Section
      heading={m.import}
      lead={m.importLead}
      actions={
        <FileButton
          label={m.chooseArchive}
          accept=".zip,application/zip"
          isBusy={sent !== null}
          onChoose={(file) => void send(file)}
        />
      }
    >
      {sent && sent.total > 1 && (
        <>
          <p class="muted">{m.uploading(sent.done + 1, sent.total)}</p>
          <Progress label={m.progressOf} {...sent} />
        </>
      )}
      <Jobs<Import>
        profile={profile}
        path="/api/settings/data/import"
        remove={(id) => api.delete("/api/settings/data/import/{id}", { params: { id } })}
        resultOf={({ result }) =>
          result &&
          m.imported(
            count(Object.values(result.records).reduce((sum, each) => sum + each, 0)),
            count(result.files),
            result.account,
          )
        }
        details={({ result }) => (
          <Problems
            reasons={[
              ...(result?.leftOut ?? []).map(({ name, records, reason }) => m.leftOut(name, count(records), reason)),
              ...(result?.changed ?? []).map(({ name, records, reason }) => m.changed(name, count(records), reason)),
            ]}
          />
        )}
      />
    </Section>
  );
}

/** Sends an archive in parts. One that fails is tried once more; what was sent is deleted when it fails again. */
async function upload(file: File, tell: (done: number, total: number) => void): Promise<string> {
  const { id, partSize } = await api.post("/api/settings/data/uploads");
  const total = Math.ceil(file.size / partSize);
  try {
    for (let part = 1; part <= total; part++) {
      tell(part - 1, total);
      const body = file.slice((part - 1) * partSize, part * partSize);
      const path = `/api/settings/data/uploads/${id}/parts/${part}`;
      const put = () => request({ method: "PUT", path, headers: { "Content-Type": "application/octet-stream" }, body });
      await put().catch(put);
    }
  } catch (error) {
    await api.delete("/api/settings/data/uploads/{id}", { params: { id } }).catch(() => {});
    throw error;
  }
  return id;
}
