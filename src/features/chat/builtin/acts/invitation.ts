import { type Request, slotsOf } from "../../request/request.ts";
import { spanOf } from "../../request/times.ts";
import { type Planned, refOf, type Scene } from "../plan.ts";
import { resolve } from "../resolve.ts";

const KIND =
  /^(?:(?:(?:tentatively|provisionally|please) )?(?:accept|decline|reject) )?(?:(?:the|my) )?(?:(?:invitation|invite)s?(?: (?:from|by|of|to|for)(?: the)?)?\b\s*)?/i;
const COMMENT =
  /(?:,\s|\s)(?:and\s)?(?:say(?:ing)?|tell (?:them|him|her)|with the (?:comment|note|message))(?:\sthat)?:?\s(?=\S)/i;

/**
 * Accepts an invitation, declines it, or says maybe. Who has invited and which invitations wait is known where they are
 * answered, so names are looked for there; without any, the only one that waits is meant.
 */
export const respond =
  (response: "accepted" | "declined" | "tentative") =>
  async (scene: Scene, request: Request): Promise<Planned> => {
    const [, comment] = request.text.split(COMMENT);
    const match = [...request.names, ...slotsOf(request, "g")]
      .map((name) => name.split(COMMENT)[0]?.replace(KIND, "").trim() ?? "")
      .filter((name) => name !== "")
      .join(" ");
    const span = spanOf(request.times, scene.sight.clock);
    const range = span ? { from: span.start.toISOString(), until: span.end.toISOString() } : {};
    const target =
      match === "" && request.reference ? await resolve(scene.sight, request, { kinds: ["event"] }) : { unclear: true };
    const [record, ...others] = "records" in target ? target.records : [];
    // The whole series, unless a day is said.
    const which =
      record && others.length === 0
        ? span
          ? refOf(record)
          : { id: record.id }
        : { ...(match && { match: match.slice(0, 200) }), ...range };
    const input = { ...which, response, ...(comment && { comment: comment.slice(0, 1000) }) };
    return { calls: [{ tool: "respond_to_invitation", input, label: record?.title ?? match }] };
  };
