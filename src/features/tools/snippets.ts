import * as z from "zod";
import { listSnippets } from "../emails/snippets/service.ts";
import { defineTool } from "./tool.ts";

const TEXT_CHARACTERS = 2000;
const SHOWN = 20;

const listTool = defineTool({
  name: "list_snippets",
  description: "List the person's snippets: texts with placeholders such as {first name} that they insert into emails.",
  input: z.object({}),
  scopes: ["emails:read"],
  writes: false,
  async run({ ctx }) {
    const { data, nextCursor } = await listSnippets(ctx, { limit: SHOWN });
    const snippets = data.map(({ id, name, text }) => ({ id, name, text: text.slice(0, TEXT_CHARACTERS) }));
    return { snippets, more: nextCursor !== null };
  },
});

export const SNIPPET_TOOLS = [listTool];
