import { beforeAll, describe, expect, it } from "vitest";
import { signedInPerson } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { head, join, part } from "./corpus/build.ts";
import { deliver } from "./deliver.ts";

const api = service();
let id = 0;
const preview = (n: number) => `/api/emails/${id}/attachments/${n}/preview`;

const FILES: readonly [name: string, type: string, content: string][] = [
  ["plan.html", "text/html", "<script>alert(1)</script>Grüße"],
  ["scan", "application/pdf", "%PDF-1.4"],
  ["scan.pdf", "application/octet-stream", "%PDF-1.4"],
  ["logo.svg", "image/svg+xml", "<svg onload='alert(1)'/>"],
  ["photo.png", "image/png", "png"],
  ["run.exe", "application/x-msdownload", "MZ"],
  ["notes.txt", "application/octet-stream", "note"],
];

beforeAll(async () => {
  const raw = join(
    head("Preview", "Content-Type: multipart/mixed; boundary=b\n"),
    "\n",
    part("Content-Type: text/plain", "See"),
    ...FILES.map(([name, type, content]) =>
      part(`Content-Type: ${type}\nContent-Disposition: attachment; filename="${name}"`, content),
    ),
    "--b--\n",
  );
  expect(await deliver(raw, { to: "preview@example.com" })).toBeNull();
  const { body } = await api.get("/api/emails?q=subject:preview");
  id = body.data[0].id;
});

describe("the preview of an attachment", () => {
  it("shows pictures, PDF and text as what runs nothing, and nothing else", async () => {
    const types: Record<string, unknown> = {};
    for (const [index, [name]] of FILES.entries()) {
      const { status, headers } = await api.get(preview(index + 1));
      types[name] = status === 200 ? headers.get("content-type") : status;
      if (status !== 200) continue;
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'self'");
      expect(policy).not.toContain("script-src");
      expect(policy.startsWith("sandbox;")).toBe(headers.get("content-type") !== "application/pdf");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
      expect(headers.get("content-disposition")).toMatch(/^inline/);
    }
    expect(types).toEqual({
      "plan.html": "text/plain; charset=utf-8",
      scan: "application/pdf",
      "scan.pdf": "application/pdf",
      "logo.svg": 404,
      "photo.png": "image/png",
      "run.exe": 404,
      "notes.txt": "text/plain; charset=utf-8",
    });
    expectProblem(await api.get(preview(99)), 404, "not_found");
  });

  it("takes the cookie of the console's session, from a page of this origin only", async () => {
    const closed = service({ ACCESS_MODE: "private" });
    const person = await signedInPerson();
    const cookie = `__Host-Http-poa=${person.refreshToken}`;
    const withHeaders = (headers: Record<string, string>) => closed.get(preview(1), { headers });
    expectProblem(await closed.get(preview(1)), 401, "unauthenticated");
    expect((await withHeaders({ cookie, "sec-fetch-site": "same-origin" })).status).toBe(200);
    expectProblem(await withHeaders({ cookie, "sec-fetch-site": "cross-site" }), 401, "unauthenticated");
    const file = `/api/emails/${id}/attachments/1`;
    expectProblem(
      await closed.get(file, { headers: { cookie, "sec-fetch-site": "same-origin" } }),
      401,
      "unauthenticated",
    );
  });
});
