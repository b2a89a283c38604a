import type { Request } from "../../request/request.ts";
import { spanOf } from "../../request/times.ts";
import { type Planned, refOf, type Scene } from "../plan.ts";
import { resolve } from "../resolve.ts";

/** Accepts an invitation, declines it, or says maybe. Without a name, the only one that waits is meant. */
export const respond =
  (response: "accepted" | "declined" | "tentative") =>
  async (scene: Scene, request: Request): Promise<Planned> => {
    const target = await resolve(scene.sight, request, { kinds: ["event"], times: request.times });
    const [record, ...others] = "records" in target ? target.records : [];
    const span = spanOf(request.times, scene.sight.clock);
    const range = span ? { from: span.start.toISOString(), until: span.end.toISOString() } : {};
    const match = request.names.join(" ");
    const which = record && others.length === 0 ? refOf(record) : { ...(match && { match }), ...range };
    return { calls: [{ tool: "respond_to_invitation", input: { ...which, response }, label: record?.title ?? match }] };
  };
