import { fileName, joinedParameters } from "../../../lib/mime/headers.ts";
import type { BodyPart } from "../types.ts";
import { ResponseProblem } from "./framer.ts";
import { numberOf, textOf, type Value } from "./responses.ts";

/** No mail program nests deeper, and what is deeper is not listed. */
const MAX_DEPTH = 50;

/** BODYSTRUCTURE as a tree. An attached message stays one part. */
export function bodyPartOf(value: Value | undefined, section = "", depth = 0): BodyPart {
  if (!Array.isArray(value)) throw new ResponseProblem("a body structure is no list");
  if (!Array.isArray(value[0])) return leafOf(value, section === "" ? "1" : section);
  const count = value.findIndex((each) => !Array.isArray(each));
  const children = count < 0 ? value : value.slice(0, count);
  const [subtype, parameters, disposition] = count < 0 ? [] : value.slice(count);
  const isTooDeep = depth >= MAX_DEPTH;
  return {
    section,
    type: `multipart/${lower(subtype) || "mixed"}`,
    parameters: Object.fromEntries(parametersOf(parameters)),
    contentId: null,
    encoding: "7bit",
    size: 0,
    ...dispositionOf(disposition, new Map()),
    parts: isTooDeep
      ? []
      : children.map((child, at) =>
          bodyPartOf(child, section === "" ? `${at + 1}` : `${section}.${at + 1}`, depth + 1),
        ),
  };
}

function leafOf(value: Value[], section: string): BodyPart {
  const [type, subtype, parameters, contentId, , encoding, size, ...rest] = value;
  const name = `${lower(type) || "application"}/${lower(subtype) || "octet-stream"}`;
  // Text has its number of lines, and an attached message its envelope, its structure and its lines.
  const own = name.startsWith("text/") ? 1 : name === "message/rfc822" || name === "message/global" ? 3 : 0;
  const given = parametersOf(parameters);
  return {
    section,
    type: name,
    parameters: Object.fromEntries(given),
    contentId: textOf(contentId),
    encoding: lower(encoding) || "7bit",
    size: numberOf(size) ?? 0,
    ...dispositionOf(rest[own + 1], given),
    parts: [],
  };
}

function dispositionOf(value: Value | undefined, parameters: ReadonlyMap<string, string>) {
  const [kind, given] = Array.isArray(value) ? value : [value];
  const disposition = lower(kind);
  const part = {
    type: { value: "", params: new Map(parameters) },
    disposition: { value: disposition, params: parametersOf(given) },
  };
  return {
    disposition: disposition || null,
    fileName: fileName({ ...part, transferEncoding: "", contentId: "" }) || null,
  };
}

function parametersOf(value: Value | undefined): Map<string, string> {
  const given = new Map<string, string>();
  if (Array.isArray(value)) {
    for (let at = 0; at + 1 < value.length; at += 2) {
      const [name, text] = [lower(value[at]), textOf(value[at + 1])];
      if (name !== "" && text !== null && !given.has(name)) given.set(name, text);
    }
  }
  return joinedParameters(given);
}

function lower(value: Value | undefined): string {
  return textOf(value)?.toLowerCase() ?? "";
}
