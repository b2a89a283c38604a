import * as z from "zod";
import { listSnippets } from "../emails/snippets/service.ts";
import { agentRead, Cursor, Id, Limit } from "./agents/agent-tool.ts";
import { Outside } from "./agents/views.ts";
import { defineTool } from "./tool.ts";

const TEXT_CHARACTERS = 2000;

const listTool = defineTool({
  name: "list_snippets",
  description: "List the person's snippets: texts with placeholders such as {first name} that they insert into emails.",
  input: z.object({}),
  scopes: ["emails:read"],
  writes: false,
  async run({ ctx }) {
    const { data, nextCursor } = await listSnippets(ctx, { limit: 20 });
    const snippets = data.map(({ id, name, text }) => ({ id, name, text: text.slice(0, TEXT_CHARACTERS) }));
    return { snippets, more: nextCursor !== null };
  },
  agents: agentRead({
    title: "List snippets",
    description: "List texts with placeholders that the person inserts into emails.",
    input: z.strictObject({ limit: Limit, cursor: Cursor }),
    output: z.object({
      snippets: z.array(z.object({ id: Id, outside: Outside })),
      nextCursor: z.string().nullable(),
    }),
    async run({ ctx, fence }, { limit, cursor }) {
      const { data, nextCursor } = await listSnippets(ctx, { limit, ...(cursor && { cursor }) });
      const snippets = data.map(({ id, name, text }) => ({
        id,
        outside: fence.members({ name, text }, TEXT_CHARACTERS),
      }));
      return { snippets, nextCursor };
    },
  }),
});

export const SNIPPET_TOOLS = [listTool];
