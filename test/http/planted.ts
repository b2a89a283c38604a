import { env } from "cloudflare:workers";

/*
 * A word of its own for everything that one scope reads, in every text of every record: whoever lacks the scope must
 * never see it, in whatever response or email.
 */

export const WORDS = {
  "emails:read": "zebrafinch",
  "tasks:read": "marmoset",
  "calendar:read": "quetzal",
  "stream:read": "okapi",
} as const;
export type PlantedScope = keyof typeof WORDS;

interface Planted {
  scope: PlantedScope;
  /** Column → the SQL of its text with the word, which is `?1`. */
  words: Record<string, string>;
  /** Columns with text that the service chooses, or that names something by an id. */
  others: string;
}

const ADDRESS = "?1 || '@example.com'";
const PEOPLE = `json_array(json_object('name', ?1, 'email', ${ADDRESS}))`;
const TAGS = "json_array(?1)";
const WORD = "?1";

/** An analysis as the engine writes it, about the word. */
const ANALYSIS = `json_object(
  'urgency', json_object('level', 'normal', 'score', 10, 'reasons', json_array(?1)),
  'category', 'work', 'sentiment', 'neutral', 'summary', ?1, 'insights', json_array(?1),
  'actionItems', json_array(), 'meeting', NULL, 'replyNeeded', json('true'),
  'engine', json_object('kind', 'builtin', 'model', NULL, 'provider', NULL, 'upstreamModel', NULL, 'fallbackReason', NULL))`;

export const PLANTED: Record<string, Planted> = {
  emails: {
    scope: "emails:read",
    words: {
      message_id: "'<' || ?1 || id || '@example.com>'",
      from_name: WORD,
      from_email: ADDRESS,
      to_recipients: PEOPLE,
      cc_recipients: PEOPLE,
      reply_to: `json_object('name', ?1, 'email', ${ADDRESS})`,
      subject: WORD,
      snippet: WORD,
      // Also something to do, so that the email makes a task.
      body: "'Please send the ' || ?1 || ' figures by Friday. See you on Monday at 10:00.'",
      html: "'<p>' || ?1 || '</p>'",
      attachments:
        "CASE json_array_length(attachments) WHEN 0 THEN attachments ELSE json_set(attachments, '$[0].name', ?1) END",
      tags: TAGS,
      analysis: ANALYSIS,
      delivery_error: "CASE delivery WHEN 'failed' THEN ?1 END",
    },
    others:
      "message_key in_reply_to reference_ids direction source bcc_recipients kind authentication delivery delivered_to " +
      "raw_key content_key object_key status list applied_rules urgency category sign_in written_as",
  },
  threads: {
    scope: "emails:read",
    words: { participants: `json_array(json_array(?1, ${ADDRESS}, 0))` },
    others: "",
  },
  email_drafts: {
    scope: "emails:read",
    words: {
      to_recipients: PEOPLE,
      cc_recipients: PEOPLE,
      bcc_recipients: PEOPLE,
      subject: WORD,
      body: WORD,
      html: WORD,
    },
    others: "sign_in ",
  },
  email_rules: {
    scope: "emails:read",
    words: { name: WORD, conditions: "json_array(json_object('field', 'subject', 'op', 'is', 'value', ?1))" },
    others: "matching actions",
  },
  email_snippets: { scope: "emails:read", words: { name: "?1 || id", text: WORD }, others: "" },
  email_searches: { scope: "emails:read", words: { name: WORD, q: WORD }, others: "" },
  blocked_senders: { scope: "emails:read", words: { sender: "?1 || id || '@example.com'" }, others: "" },
  // With their addresses, so that a person who has written before is still known.
  contacts: {
    scope: "emails:read",
    words: {
      name: WORD,
      company: WORD,
      notes: WORD,
      phones: "json_array(json_object('label', '', 'number', ?1))",
    },
    others: "addresses sort_name",
  },
  email_uploads: { scope: "emails:read", words: { name: WORD }, others: "id key type content_id" },
  tasks: {
    scope: "tasks:read",
    words: { title: WORD, description: WORD, tags: TAGS },
    others: "status priority due_date source quote email_part repetition reminders",
  },
  task_lists: { scope: "tasks:read", words: { name: "?1 || id", name_key: "?1 || id" }, others: "color" },
  events: {
    scope: "calendar:read",
    words: {
      title: WORD,
      description: WORD,
      location: WORD,
      meeting_url: "'https://example.com/' || ?1",
      organizer: `json_object('name', ?1, 'email', ${ADDRESS})`,
      attendees: `json_array(json_object('name', ?1, 'email', ${ADDRESS}, 'response', 'accepted'))`,
      tags: TAGS,
      notes: WORD,
      cancel_reason: WORD,
      external_status: WORD,
    },
    others:
      "start_date end_date time_zone status source added_by_stranger invitation booking_id reminders ical_uid " +
      "external_hash rescheduled_from_booking_id rrule exdates overrides",
  },
  stream_sessions: {
    scope: "stream:read",
    words: {
      external_id: "?1 || id",
      title: WORD,
      url: "'https://example.com/' || ?1",
      thumbnail_url: "'https://example.com/' || ?1",
    },
    others: "platform state",
  },
  captions: {
    scope: "stream:read",
    words: { text: WORD, hashtags: TAGS, post_url: "'https://example.com/' || ?1", error: WORD },
    others: "kind platform subject status engine",
  },
  stream_milestones: { scope: "stream:read", words: { label: WORD }, others: "metric platform" },
  stream_voices: {
    scope: "stream:read",
    words: { custom_prompt: WORD, hashtags: TAGS, call_to_action: WORD },
    others: "platform tone format",
  },
  stream_credentials: { scope: "stream:read", words: { account: WORD }, others: "platform sealed status" },
};

/** Writes the words into all records that there are, but for those that have them already. */
export async function plant(): Promise<void> {
  const statements = Object.entries(PLANTED).map(([table, { scope, words }]) => {
    const columns = Object.entries(words);
    const set = columns.map(([column, sql]) => `${column} = ${sql}`);
    const isPlanted = `instr(coalesce(${columns[0]?.[0]}, ''), ?1)`;
    return env.DB.prepare(`UPDATE ${table} SET ${set.join(", ")} WHERE NOT ${isPlanted}`).bind(WORDS[scope]);
  });
  // Of a task that came from an email, the quote is the email's.
  const quote = `Please send the ${WORDS["emails:read"]} figures.`;
  const quotes = env.DB.prepare("UPDATE tasks SET quote = ?1 WHERE quote IS NOT ?1").bind(quote);
  await env.DB.batch([...statements, quotes]);
}

/** The words in a text that only these scopes do not read. */
export function leaked(text: string, scopes: readonly string[]): string[] {
  const found = Object.entries(WORDS).filter(
    ([scope, word]) => !scopes.includes(scope) && text.toLowerCase().includes(word),
  );
  return found.map(([, word]) => word);
}

/** The text columns of a table that are neither planted nor said to have no words. */
export async function forgottenColumns(table: string): Promise<string[]> {
  const { results } = await env.DB.prepare(`PRAGMA table_xinfo(${table})`).all<{ name: string; type: string }>();
  const known = [...Object.keys(PLANTED[table]?.words ?? {}), ...(PLANTED[table]?.others.split(" ") ?? [])];
  const texts = results.filter(({ type }) => /^text/i.test(type)).map(({ name }) => name);
  return texts.filter((name) => !known.includes(name)).map((name) => `${table}.${name}`);
}
