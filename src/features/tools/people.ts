import * as z from "zod";
import { listContacts } from "../contacts/service.ts";
import { agentRead, Id, Limit, Time, timeOrNull } from "./agents/agent-tool.ts";
import { Outside } from "./agents/views.ts";
import { defineTool, isOutside } from "./tool.ts";

const query = z.string().trim().min(1).max(100);

const findPeople = defineTool({
  name: "find_people",
  description: "Find people by a part of their name, company or address: addresses, phone numbers, the last contact.",
  input: z.object({ query: query.describe("Beginnings of words."), limit: z.int().min(1).max(20).default(5) }),
  scopes: ["emails:read"],
  writes: false,
  ownWords: {
    because: "The mark of each contact covers all of its words.",
    in: ({ people }) => !people.some(isOutside),
  },
  async run({ ctx }, { query: q, limit }) {
    const { data } = await listContacts(ctx, { q, limit });
    const people = data.map(({ id, name, addresses, company, phones, notes, lastAt, received, sent, outside }) => {
      return { id, name, addresses, company, phones, notes, lastAt, received, sent, outside };
    });
    return { people };
  },
  agents: agentRead({
    title: "Find people",
    description: "Find people by beginnings of words of name, company or address; the likeliest first.",
    input: z.strictObject({ query, limit: Limit }),
    output: z.object({
      people: z.array(
        z.object({
          id: Id,
          isSaved: z.boolean(),
          received: z.int(),
          sent: z.int(),
          lastAt: Time.nullable(),
          outside: Outside,
        }),
      ),
    }),
    async run({ ctx, timeZone, fence }, { query: q, limit }) {
      const { data } = await listContacts(ctx, { q, limit });
      const people = data.map(({ id, isSaved, received, sent, lastAt, ...rest }) => {
        const phones = rest.phones.map(({ label, number }) => `${label} ${number}`.trim()).join(", ");
        const words = { name: rest.name, addresses: rest.addresses.join(", "), company: rest.company, phones };
        const outside = fence.members({ ...words, notes: rest.notes }, 200);
        return { id, isSaved, received, sent, lastAt: timeOrNull(timeZone, lastAt), outside };
      });
      return { people };
    },
  }),
});

export const PEOPLE_TOOLS = [findPeople];
