/** "…, tag finance", "… tagged as work" */
const WITH_TAG =
  /(?:[,;]{1,9} (?:and )?(?:(?:tag|label)(?: it)?|(?:with )?(?:the |a )?(?:tag|label):?)|[,;]? (?:and )?(?:tagged|labell?ed))(?: (?:as|with))? #?(?<tag>[\p{L}\p{N}-]{2,30})(?=$|[\s.!,]*$|, )/iu;

/** The tag that a message gives to a new task, and the message without it. */
export function withoutTag(said: string): { tag: string | undefined; message: string } {
  const tag = WITH_TAG.exec(said)?.groups?.tag;
  return { tag, message: tag ? said.replace(WITH_TAG, "") : said };
}

const TAG_BEFORE =
  /^(?:and |so )?(?:what|which|any|show|list|do i have|are there)(?: me| any| my| the)* (?<word>[\p{L}\d-]{3,}) (?:tasks|to-?dos)\b/u;
const NO_TAG = /^(?:open|overdue|other|urgent|important|new|more|finished|completed|done|old|late|the|any)$/;

/** "which finance tasks are open?", if there are tasks with that tag. */
export async function tagBefore(
  text: string,
  find: (tag: string) => Promise<{ tasks: readonly unknown[] } | { text: string }>,
): Promise<string | undefined> {
  const word = TAG_BEFORE.exec(text)?.groups?.word;
  if (!word || NO_TAG.test(word)) return undefined;
  const found = await find(word);
  return "tasks" in found && found.tasks.length > 0 ? word : undefined;
}
