import { useGet } from "../../../client/queries.ts";
import { compose as m } from "../../../messages/compose.ts";
import { SelectField } from "../../../ui/field.tsx";

/** As whom the person can write, and as whom this email is written. */
export function useIdentities(value: number | null) {
  const { data } = useGet(["profile", "identities"], "/api/settings/identities", { staleTime: 5 * 60_000 });
  const identities = data?.data ?? [];
  const standard = identities.find(({ isDefault }) => isDefault);
  // Without a default, the service writes as nobody in particular, and signs nothing.
  const chosen = value === null ? standard : identities.find(({ id }) => id === value);
  return { identities, chosen };
}

/** Only for people with several identities. */
export function Sender({ value, onChange }: { value: number | null; onChange(id: number): void }) {
  const { identities, chosen } = useIdentities(value);
  if (identities.length < 2) return null;
  return (
    <SelectField
      label={m.from}
      value={String(chosen?.id ?? identities[0]?.id)}
      options={identities.map(({ id, name, address }) => [String(id), address ? `${name} <${address}>` : name])}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}
