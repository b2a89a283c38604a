import { describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { signedInPerson } from "../settings/people.ts";

const client = service();

describe("working hours", () => {
  const none = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] };
  const HOURS = "/api/settings/profile/working-hours";

  it("are office hours until the person sets their own, which free slots then keep to", async () => {
    const { token } = await signedInPerson();
    const before = await client.get(HOURS, { token });
    expect(before.body).toMatchObject({ isDefault: true, version: 1, days: { saturday: [] } });
    const days = { ...none, sunday: [{ start: "20:00", end: "21:00" }] };
    const put = await client.put(HOURS, { timeZone: "America/New_York", days }, { token });
    expect(put.body).toEqual({ timeZone: "America/New_York", days, isDefault: false, version: 2 });
    // A Sunday in March 2031, three weeks after the clocks went forward in New York.
    const range = "start=2031-03-29T00:00:00Z&end=2031-04-01T00:00:00Z";
    const { body } = await client.get(`/api/calendar/slots?durationMinutes=60&${range}&timeZone=UTC`, { token });
    expect(body.slots).toEqual([{ start: "2031-03-31T00:00:00.000Z", end: "2031-03-31T01:00:00.000Z" }]);
  });

  it("of the owner hold for whoever is not signed in", async () => {
    const owner = await signedInPerson();
    const vars = { OWNER_EMAIL: owner.email };
    const days = { ...none, saturday: [{ start: "10:00", end: "11:00" }] };
    await client.put(HOURS, { timeZone: "UTC", days }, { token: owner.token });
    const range = "start=2031-03-29T00:00:00Z&end=2031-04-01T00:00:00Z";
    const { body } = await service(vars).get(`/api/calendar/slots?durationMinutes=60&${range}`);
    expect(body.slots).toEqual([{ start: "2031-03-29T10:00:00.000Z", end: "2031-03-29T11:00:00.000Z" }]);
  });

  it.each([
    ["ends before it starts", [{ start: "17:00", end: "09:00" }]],
    ["is no time of day", [{ start: "9", end: "25:00" }]],
    [
      "overlaps another",
      [
        { start: "09:00", end: "12:00" },
        { start: "11:00", end: "13:00" },
      ],
    ],
  ])("refuse a range that %s", async (_, monday) => {
    const { token } = await signedInPerson();
    expectProblem(await client.put(HOURS, { days: { ...none, monday } }, { token }), 422, "validation_failed");
  });

  it("are not overwritten by who has an old version of them", async () => {
    const { token } = await signedInPerson();
    const stale = { token, headers: { "if-match": '"1"' } };
    expect((await client.put(HOURS, { days: none }, stale)).status).toBe(200);
    expectProblem(await client.put(HOURS, { days: none }, stale), 412, "version_conflict");
  });

  it("are set once by two requests that both read the default", async () => {
    const { token } = await signedInPerson();
    const first = { token, headers: { "if-match": '"1"' } };
    const answers = await Promise.all([1, 2].map(() => client.put(HOURS, { days: none }, first)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect((await client.get(HOURS, { token })).body).toMatchObject({ isDefault: false, version: 2 });
  });
});
