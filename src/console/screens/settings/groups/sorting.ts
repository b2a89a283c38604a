import "../../../base.ts";
import Email from "../email/email.tsx";
import Lists from "../lists/lists.tsx";
import Mailboxes from "../mailboxes/mailboxes.tsx";
import type { Pages } from "../page.ts";
import Snippets from "../snippets/snippets.tsx";

export const pages: Pages = { email: Email, lists: Lists, mailboxes: Mailboxes, snippets: Snippets };
