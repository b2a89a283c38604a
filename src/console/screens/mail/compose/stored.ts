import { api } from "../../../client/api.ts";
import { isProblem } from "../../../client/problem.ts";
import { changesOf, type Draft, type Fields } from "./composition.ts";

/* The draft that the service has. Every change names the version it was made from, so that none is written over. */

export const readStored = (id: number): Promise<Draft> => api.get("/api/emails/drafts/{id}", { params: { id } });

export const deleteStored = (id: number) => api.delete("/api/emails/drafts/{id}", { params: { id } });

export function writeStored(known: Draft, fields: Fields, keepalive = false): Promise<Draft> {
  const { id, version } = known;
  return api.patch("/api/emails/drafts/{id}", { params: { id }, body: changesOf(fields), version, keepalive });
}

/** Changes its files, which may have been changed elsewhere, too. */
export async function writeFiles(known: Draft, edited: (ids: string[]) => string[]): Promise<Draft> {
  const write = ({ id, version, attachments }: Draft) => {
    const body = { attachmentIds: edited(attachments.map((each) => each.id)) };
    return api.patch("/api/emails/drafts/{id}", { params: { id }, body, version });
  };
  try {
    return await write(known);
  } catch (failure) {
    if (!isProblem(failure, "version_conflict")) throw failure;
    return write(await readStored(known.id));
  }
}
