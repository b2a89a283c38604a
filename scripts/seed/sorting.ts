import type { RuleActions, RuleCondition } from "../../src/db/schema/emails-sorting.ts";
import type { SeedContext } from "./area.ts";

const RULES: readonly { name: string; conditions: RuleCondition[]; actions: RuleActions }[] = [
  {
    name: "Newsletters to read later",
    conditions: [{ field: "kind", op: "is", value: "newsletter" }],
    actions: { addTags: ["reading"], archive: true, deleteAfterDays: 90 },
  },
  {
    name: "Invoices",
    conditions: [
      { field: "subject", op: "contains", value: "invoice" },
      { field: "authentication", op: "is_not", value: "failed" },
    ],
    actions: { addTags: ["invoices"], star: true },
  },
];
const BLOCKED = "offers@spam.example";

const SNIPPETS = {
  thanks: "Hello {first name},\n\nthank you for your message. {cursor}\n\nBest regards\n{my name}",
  later: "Hello {first name},\n\nI got your email of {date} and will answer it {cursor}.\n\n{my name}",
};

const SEARCHES = [
  ["Invoices of this month", 'invoice on:"this month"'],
  ["Large files", "has:attachment larger:1mb"],
];

/** Two rules, a blocked sender, two snippets and two saved searches. */
export async function sorting({ db, now }: SeedContext): Promise<string> {
  const at = now.getTime();
  const rules = RULES.map(({ name, conditions, actions }, index) =>
    db
      .prepare(
        `INSERT INTO email_rules (name, position, enabled, matching, conditions, actions, version, created_at, updated_at)
         SELECT ?1, ?2, 1, 'all', ?3, ?4, 1, ?5, ?5 WHERE NOT EXISTS (SELECT 1 FROM email_rules WHERE name = ?1)`,
      )
      .bind(name, index + 1, JSON.stringify(conditions), JSON.stringify(actions), at),
  );
  const block = db
    .prepare(
      "INSERT INTO blocked_senders (sender, unverified_only, created_at) VALUES (?1, 0, ?2) ON CONFLICT (sender) DO NOTHING",
    )
    .bind(BLOCKED, at);
  const snippets = Object.entries(SNIPPETS).map(([name, text]) =>
    db
      .prepare(
        `INSERT INTO email_snippets (name, text, version, created_at, updated_at) VALUES (?1, ?2, 1, ?3, ?3)
         ON CONFLICT (name) DO NOTHING`,
      )
      .bind(name, text, at),
  );
  const searches = SEARCHES.map(([name, q]) =>
    db
      .prepare(
        `INSERT INTO email_searches (name, q, version, created_at, updated_at)
         SELECT ?1, ?2, 1, ?3, ?3 WHERE NOT EXISTS (SELECT 1 FROM email_searches WHERE name = ?1)`,
      )
      .bind(name, q, at),
  );
  await db.batch([...rules, block, ...snippets, ...searches]);
  return `${RULES.length} email rules, a blocked sender, ${snippets.length} snippets and ${SEARCHES.length} saved searches`;
}
