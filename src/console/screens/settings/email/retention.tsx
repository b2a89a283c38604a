import type { components } from "#api";
import { api } from "../../../client/api.ts";
import { useRecord } from "../../../client/record.ts";
import { parts } from "../../../messages/parts.ts";
import { emailSettings as m } from "../../../messages/settings-email.ts";
import { Section, SelectRow } from "../../../ui/setting.tsx";
import { Pending } from "../../../ui/states.tsx";

type Kept = components["schemas"]["EmailRetention"];
type Changes = { trashDays?: number | null; spamDays?: number | null; kindDays?: Partial<Kept["kindDays"]> };

const DAYS = [7, 14, 30, 60, 90, 180, 365];
const BOXES = [
  ["trashDays", m.trash],
  ["spamDays", m.spam],
] as const;
const KINDS = ["newsletter", "notification", "receipt", "bounce", "auto_reply"] as const;

export function Retention() {
  const { record, error, retry, save, problemOf, isSaved } = useRecord<Kept, Changes>({
    key: ["setting", "retention"],
    read: (signal) => api.get("/api/settings/retention", { signal }),
    send: (body, version) => api.patch("/api/settings/retention", { body, version }),
    preview: (kept, { kindDays, ...rest }) => ({ ...kept, ...rest, kindDays: { ...kept.kindDays, ...kindDays } }),
    failed: parts.notSaved,
  });
  if (!record) return <Pending of={{ error, retry }} rows={3} />;
  return (
    <Section heading={m.retention} lead={m.retentionLead} isSaved={isSaved}>
      {BOXES.map(([name, label]) => (
        <DaysRow
          key={name}
          label={label}
          days={record[name]}
          problem={problemOf(name)}
          onChange={(days) => void save({ [name]: days })}
        />
      ))}
      {KINDS.map((kind) => (
        <DaysRow
          key={kind}
          label={m.retentionKinds[kind]}
          days={record.kindDays[kind]}
          problem={problemOf(`kindDays.${kind}`)}
          onChange={(days) => void save({ kindDays: { [kind]: days } })}
        />
      ))}
    </Section>
  );
}

interface DaysRowProps {
  label: string;
  days: number | null;
  problem: string | undefined;
  onChange(days: number | null): void;
}

function DaysRow({ label, days, problem, onChange }: DaysRowProps) {
  const all = [...new Set(days === null ? DAYS : [...DAYS, days])].sort((one, other) => one - other);
  return (
    <SelectRow
      label={label}
      value={days === null ? "" : String(days)}
      options={[["", m.forever], ...all.map((each) => [String(each), each === 365 ? m.year : m.days(each)] as const)]}
      problem={problem}
      onChange={(value) => onChange(value === "" ? null : Number(value))}
    />
  );
}
