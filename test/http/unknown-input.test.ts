import { describe, expect, it } from "vitest";
import { document } from "./operations.ts";

/* What the API reference says of unknown members. walk.test.ts sends some to every operation. */

describe("the API reference", () => {
  interface Schema {
    $ref?: string;
    additionalProperties?: unknown;
    properties?: object;
  }
  const bodyOf = (path: string, method: string): Schema => {
    const { schema } = document.paths[path][method].requestBody.content["application/json"];
    return schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1)] : schema;
  };

  it("says that a body takes no other members where that is so", () => {
    expect(bodyOf("/api/emails/{id}/reply", "post").additionalProperties).toBe(false);
    expect(bodyOf("/api/auth/register", "post").additionalProperties).toBe(false);
    expect(bodyOf("/api/ai/chat", "post").additionalProperties).toBe(false);
  });

  it("does not say so where a record may be sent back, nor of a response", () => {
    expect(bodyOf("/api/tasks", "post").additionalProperties).toBeUndefined();
    expect(bodyOf("/api/tasks/{id}", "patch").additionalProperties).toBeUndefined();
    for (const name of ["Task", "Email", "Event", "Address", "Problem"]) {
      expect(document.components.schemas[name], name).toBeDefined();
      expect(document.components.schemas[name].additionalProperties, name).toBeUndefined();
    }
  });

  it("has no closed schema as a part of another, whose members it would refuse", () => {
    const parts: Schema[] = [];
    const collect = (node: unknown): void => {
      if (typeof node !== "object" || node === null) return;
      if ("allOf" in node && Array.isArray(node.allOf)) parts.push(...node.allOf);
      Object.values(node).forEach(collect);
    };
    collect(document);
    const closed = parts.filter(({ $ref, additionalProperties }) => {
      const target = $ref ? document.components.schemas[$ref.split("/").at(-1) ?? ""] : { additionalProperties };
      return target.additionalProperties === false;
    });
    expect(closed).toEqual([]);
  });
});
