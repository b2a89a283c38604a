import { openImap, sendBySmtp } from "../../providers/mailbox/client.ts";

/** The mail client, as one object: tests put servers in memory in its place. */
export const mailServers = { openImap, sendBySmtp };
