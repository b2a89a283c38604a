import { ACCOUNT_CASES, addSessions, register } from "./account-cases.ts";
import type { Case } from "./case.ts";

/**
 * What is not data, one entry an endpoint; data-cases.ts has the rest. A case that needs more than a path gives a function for `requests`: it gets a
 * fresh stage, may insert rows (`stage.insertRows`) and call our API (`stage.ours.json`), and returns the
 * requests with whatever it made, such as a token. The route to compare with stands in bare.ts.
 */
export const CASES: readonly Case[] = [
  {
    name: "GET /api/health",
    requests: { ours: { path: "/api/health" }, bare: { path: "/health" } },
  },
  {
    name: "unknown path",
    status: 404,
    requests: { ours: { path: "/api/nothing-is-here" }, bare: { path: "/nothing-is-here" } },
  },
  {
    name: "GET /api-docs",
    async requests({ ours, bare }) {
      const document = await ours.json({ path: "/api-docs" });
      await bare.expect({ method: "PUT", path: "/document", body: document }, 204);
      return { ours: { path: "/api-docs" }, bare: { path: "/document" } };
    },
  },
  {
    name: "GET /api/auth/me",
    async requests(stage) {
      const { token } = await register(stage);
      const headers = { authorization: `Bearer ${token}` };
      return { ours: { path: "/api/auth/me", headers }, bare: { path: "/account/me", headers } };
    },
    growth: { sizes: [1000, 10_000, 100_000], fill: addSessions },
  },
  ...ACCOUNT_CASES,
];
