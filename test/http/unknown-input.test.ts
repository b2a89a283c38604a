import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { openSession, PASSWORD, signedInPerson } from "../auth/people.ts";
import { declarationsOf } from "../declared.ts";
import { type Answer, type CallOptions, consoleHeaders, expectProblem, forgetSecrets, service } from "../harness.ts";

/* Sends every operation a member and a query parameter that it does not have. Nothing may be dropped silently. */

type Route = ReturnType<typeof declarationsOf>[number];

const OAUTH = "OAuth asks its servers to ignore what they do not know";

/** What accepts more than it declares, and why. */
const TOLERANT: Record<string, string> = {
  "POST /api/bookingsvc/webhook": "the booking provider decides what its messages contain",
  "POST /api/billing/webhook": "Stripe decides what its events contain",
  "GET /.well-known/oauth-protected-resource/mcp": OAUTH,
  "GET /.well-known/oauth-authorization-server": OAUTH,
  "GET /oauth/authorize": OAUTH,
  "POST /oauth/authorize": OAUTH,
  "POST /oauth/register": OAUTH,
  "POST /oauth/token": OAUTH,
  "POST /oauth/revoke": OAUTH,
};

const client = service();
const { body: document } = await client.get("/api-docs");
const routes = declarationsOf(await createApp()).map(
  (route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const,
);
const strict = routes.filter(([name]) => !(name in TOLERANT));
const writes = strict.filter(([, { method }]) => method !== "get");

let ownerId: number;
beforeAll(async () => {
  ownerId = (await signedInPerson("owner")).id;
});

async function send({ method, path }: Route, options: CallOptions, query = ""): Promise<Answer> {
  const { token } = await openSession(ownerId);
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameters: { name: string; schema: { example?: unknown } }[] = document.paths[path][method].parameters;
    return String(parameters.find((parameter) => parameter.name === name)?.schema.example ?? "x");
  });
  const answer = await client.call(method.toUpperCase(), `${address}${query}`, {
    ...options,
    headers: { ...consoleHeaders(path), ...options.headers },
    token,
  });
  forgetSecrets();
  return answer;
}

/** The example of the route's body, with the proof that some routes need before they look at the rest. */
function exampleOf({ method, path }: Route): Record<string, unknown> {
  const content = document.paths[path][method].requestBody?.content["application/json"];
  const needsProof = document.paths[path][method].description?.includes("Requires `currentPassword`");
  return { ...content?.example, ...(needsProof && { currentPassword: PASSWORD }) };
}

const hasBody = ({ request }: Route) => request.body !== undefined;
const errorAt = (answer: Answer, path: string): string | undefined =>
  answer.body?.errors?.find((error: { path: string }) => error.path === path)?.message;

describe("every operation", () => {
  it.each(strict)("%s refuses a query parameter that it does not have, once or twice", async (_, route) => {
    const body = hasBody(route) ? { body: exampleOf(route) } : {};
    for (const query of ["?noSuchThing=1", "?noSuchThing=1&noSuchThing=2", "?noSuchThing"]) {
      const answer = await send(route, body, query);
      expectProblem(answer, 422, "validation_failed");
      expect(errorAt(answer, "noSuchThing"), query).toBe("is not a parameter of this request");
    }
  });

  it.each(writes)("%s refuses a member that it does not have, and names each", async (_, route) => {
    const answer = await send(route, { body: { ...exampleOf(route), noSuchThing: 1, __another: { deep: [] } } });
    expectProblem(answer, 422, "validation_failed");
    for (const name of ["noSuchThing", "__another"]) {
      expect(errorAt(answer, name)).toBe("is not a member of this request");
      expect(answer.body.detail).toContain(`${name} is not a member of this request`);
    }
  });

  it.each(writes.filter(([, route]) => !hasBody(route)))("%s accepts an empty object as its body", async (_, route) => {
    const { body, status } = await send(route, { body: {} });
    expect(body?.code, String(status)).not.toBe("validation_failed");
  });

  const nested = writes.flatMap(([name, route]) =>
    objectsIn(exampleOf(route)).map((path) => [name, path, route] as const),
  );

  it("has examples with objects in objects, to send unknown members in", () => {
    expect(nested.length).toBeGreaterThan(2);
  });

  it.each(nested)("%s refuses an unknown member at %s", async (_, path, route) => {
    const body = structuredClone(exampleOf(route));
    const place = path
      .split(".")
      .reduce<Record<string, unknown>>((at, step) => at[step] as Record<string, unknown>, body);
    place.noSuchThing = 1;
    expect(errorAt(await send(route, { body }), `${path}.noSuchThing`)).toBe("is not a member of this request");
  });
});

/** The paths of the objects inside a value. */
function objectsIn(value: unknown, path: string[] = []): string[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, member]) => objectsIn(member, [...path, name]));
  return path.length === 0 || Array.isArray(value) ? inside : [path.join("."), ...inside];
}

describe("the exceptions", () => {
  it("are routes that exist", () => {
    for (const name of Object.keys(TOLERANT)) expect(routes.map(([route]) => route)).toContain(name);
  });

  it.each(Object.keys(TOLERANT))("%s accepts whatever the other service sends", async (name) => {
    const route = routes.find(([other]) => other === name)?.[1];
    if (!route) throw new Error("no route");
    const sent = route.method === "get" ? {} : { body: { noSuchThing: 1 } };
    const { body } = await send(route, sent, "?noSuchThing=1");
    expect(body?.code).not.toBe("validation_failed");
  });
});

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
