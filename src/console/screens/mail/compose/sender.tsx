import { useGet } from "../../../client/queries.ts";
import { compose as m } from "../../../messages/compose.ts";
import { SelectField } from "../../../ui/field.tsx";

/** Only for people with several identities. */
export function Sender({ value, onChange }: { value: number | null; onChange(id: number): void }) {
  const { data } = useGet(["profile", "identities"], "/api/settings/identities", { staleTime: 5 * 60_000 });
  const identities = data?.data ?? [];
  if (identities.length < 2) return null;
  const chosen = value ?? identities.find(({ isDefault }) => isDefault)?.id ?? identities[0]?.id;
  return (
    <SelectField
      label={m.from}
      value={String(chosen)}
      options={identities.map(({ id, name, address }) => [String(id), address ? `${name} <${address}>` : name])}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}
