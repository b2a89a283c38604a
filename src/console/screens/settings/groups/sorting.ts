import "../../../base.ts";
import Email from "../email/email.tsx";
import Lists from "../lists/lists.tsx";
import type { Pages } from "../page.ts";
import Snippets from "../snippets/snippets.tsx";

export const pages: Pages = { email: Email, lists: Lists, snippets: Snippets };
