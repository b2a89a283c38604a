import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { contextFor, signedInPerson } from "../auth/people.ts";
import { apply, ics } from "../calendar/inviting.ts";
import { deliverAndAnalyse } from "../emails/deliver.ts";
import { service } from "../harness.ts";
import { ALL_SCOPES, agent } from "../mcp/agents.ts";

const api = service();

/** Every planted word begins like this, and names the kind of record and the field it stands in. */
export const PLANTED = /zq[a-z]+/g;
export const plantedIn = (text: string) => [...new Set(text.match(PLANTED))];

export const inHours = (hours: number) => {
  const at = new Date(Date.now() + hours * 3_600_000);
  at.setUTCMinutes(0, 0, 0);
  return at.toISOString();
};

async function made(path: string, body: object, token: string | null) {
  const answer = await api.post(path, body, { token });
  expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
  return answer.body;
}

const EMAIL = (ask: string, header = "X-Zq: zqheader") => `From: Zqsender zqsendername <zqsenderaddress@evil.example>
To: Zqto zqtoname <zqinbox@example.com>
Cc: zqcc@example.com
Subject: Review zqsubject ${ask}
Message-ID: <${crypto.randomUUID()}@evil.example>
${header}
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Please send the zqbody ${ask} report to Ann by Friday.
--b
Content-Type: application/pdf; name="zqfile.pdf"
Content-Disposition: attachment; filename="zqfile.pdf"

PDF
--b--
`;

const emailsOf = async () => (await api.get("/api/emails?limit=10")).body.data;

/** An outside word in every text of every kind of record that somebody else, or a program, can write. */
export async function plant() {
  const tables = ["task_lists", "email_drafts", "email_rules", "stream_milestones"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
  const person = await signedInPerson();
  const scopes = [...ALL_SCOPES, "ai:use", "stream:read", "stream:write"] as const;
  const { key } = await createApiKey(await contextFor(person.token), {
    name: "zqkeyname",
    scopes: [...scopes] as Parameters<typeof createApiKey>[1]["scopes"],
    expiresAt: null,
  });
  await deliverAndAnalyse(EMAIL("alpha", "List-Unsubscribe: <https://evil.example/zqunsubscribe>"), {
    to: "zqrecipient@example.com",
  });
  await deliverAndAnalyse(EMAIL("beta"), { to: "zqrecipient@example.com" });
  const list = await made("/api/tasks/lists", { name: "zqlist" }, key);
  const words = { description: "zqtaskdescription", tags: ["zqtasktag"] };
  const task = await made(
    "/api/tasks",
    { title: "Prepare zqtask alpha", ...words, listId: list.id, dueAt: inHours(-1) },
    key,
  );
  const other = await made("/api/tasks", { title: "Prepare zqtask beta", ...words }, key);
  const own = await made("/api/tasks", { title: "Water the plants" }, null);
  await made("/api/tasks", { title: "zqsubtask", parentId: own.id }, key);
  const details = {
    location: "zqplace",
    description: "zqeventdescription",
    notes: "zqnotes",
    tags: ["zqeventtag"],
    attendees: ["zqguest@evil.example"],
    meetingUrl: "https://evil.example/zqmeeting",
  };
  const event = await made(
    "/api/calendar/events",
    { title: "Meeting zqevent alpha", start: inHours(1), end: inHours(2), ...details },
    key,
  );
  await made("/api/calendar/events", { title: "Meeting zqevent beta", start: inHours(30), ...details }, key);
  const booking = await made(
    "/api/calendar/events",
    {
      title: "zqbooking",
      start: inHours(50),
      end: inHours(51),
      bookingId: "b-1",
      attendees: ["zqbooker@evil.example"],
    },
    key,
  );
  const invitation = await invite(70);
  await invite(90);
  const ownEvent = await made("/api/calendar/events", { title: "Lunch", start: inHours(120), end: inHours(121) }, null);
  const draft = await made(
    "/api/emails/drafts",
    { to: ["zqdraftto@evil.example"], subject: "zqdraftsubject", body: "zqdraftbody", html: "<p>zqdrafthtml</p>" },
    key,
  );
  await made("/api/emails/rules", RULE, key);
  await made("/api/stream/milestones", { metric: "subscribers", threshold: 77, label: "zqmilestone" }, key);
  await made(
    "/api/stream/status",
    { platform: "custom", state: "live", title: "zqstream", externalId: "zqexternal" },
    key,
  );
  const [newest, oldest] = await emailsOf();
  return {
    person,
    key,
    list,
    task,
    other,
    own,
    event,
    booking,
    invitation,
    ownEvent,
    draft,
    email: newest,
    older: oldest,
  };
}
export type Planted = Awaited<ReturnType<typeof plant>>;

const RULE = {
  name: "zqrule",
  conditions: [{ field: "from", op: "contains", value: "zqrulevalue" }],
  actions: { addTags: ["zqruletag"] },
};

async function invite(hours: number) {
  const start = inHours(hours).replaceAll(/[-:]|\.\d+/g, "");
  const from = "zqorganizer@example.org";
  const people = `ORGANIZER;CN=Zqhost zqhostname:mailto:${from}\nATTENDEE;CN=zqinvited:mailto:hello@example.com`;
  const text = ics(
    "REQUEST",
    crypto.randomUUID(),
    0,
    `DTSTART:${start}\nSUMMARY:Council zqinvitation\nLOCATION:zqroom\n${people}`,
  );
  const { results } = await apply(text, { from });
  return { id: results[0]?.eventId ?? 0 };
}

/** What an agent got, without what stands between marks. */
export const outsideOfMarks = (text: string) => text.replaceAll(/\[outside (\w{8})\].*?\[\/outside \1\]/gs, "");

export { agent };
