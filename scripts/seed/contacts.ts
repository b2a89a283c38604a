import type { SeedContext } from "./area.ts";

/** Of those who have written. */
const SAVED = [
  {
    address: "dana@whitfield-partners.example",
    company: "Whitfield & Partners",
    phones: [{ label: "mobile", number: "+44 7700 900142" }],
    notes: "Prefers a call to a long email.",
  },
  {
    address: "bruno@costa-foods.example",
    company: "Costa Foods",
    phones: [{ label: "work", number: "+351 21 555 0123" }],
    notes: "",
  },
  { address: "f.tanaka@kitefold.example", company: "Kitefold", phones: [], notes: "Nine hours ahead of London." },
];

/** Details of three people, unless somebody has saved them already. */
export async function contacts({ db, now }: SeedContext): Promise<string> {
  await db.batch(
    SAVED.map(({ address, company, phones, notes }) =>
      db
        .prepare(
          `UPDATE contacts SET company = ?2, phones = ?3, notes = ?4, is_saved = 1, version = version + 1, updated_at = ?5
           WHERE id = (SELECT contact_id FROM contact_addresses WHERE address = ?1) AND NOT is_saved`,
        )
        .bind(address, company, JSON.stringify(phones), notes, now.getTime()),
    ),
  );
  return `${SAVED.length} saved contacts`;
}
