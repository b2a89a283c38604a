import { describe, expect, it } from "vitest";
import { outsideAddressProblem } from "../../src/lib/outside-address.ts";
import { CREDENTIALS, NO_ADDRESSES, NUMBERS, OTHER_SCHEMES, PRIVATE_NAMES } from "../inside-addresses.ts";

const strict = (url: string) => outsideAddressProblem(url, { allowPrivate: false });
const local = (url: string) => outsideAddressProblem(url, { allowPrivate: true });

describe("an address outside", () => {
  it.each([
    "https://api.example.com",
    "https://api.example.com:8443/v1?x=1#y",
    "https://1password.com/",
    "https://127.0.0.1.example.com/",
    "https://xn--bcher-kva.example/",
    "https://localhost.example.com/",
    "https://notnip.io/",
    "https://API.Example.COM./v1",
  ])("may be %s", (url) => {
    expect(strict(url)).toBeNull();
    expect(local(url)).toBeNull();
  });

  it.each(NUMBERS)("is never numbers in any spelling: %s", (url) => {
    expect(strict(url)).toBe("must name a host, not an IP address");
  });

  it.each(PRIVATE_NAMES)("is never a private name, or one that leads to any address: %s", (url) => {
    expect(strict(url)).toBe("must name a public host");
  });

  it.each(["http://api.example.com/", ...OTHER_SCHEMES])("is reached over https: %s", (url) => {
    expect(strict(url)).toBe("must start with https://");
  });

  it.each(CREDENTIALS)("carries no credentials: %s", (url) => {
    // A parser drops credentials that are empty, and sees the numbers behind them.
    expect(strict(url)).toMatch(/^must not contain a user name or password$|not an IP address$/);
  });

  it("carries no credentials where private hosts are allowed either", () => {
    expect(local("https://user:pass@127.0.0.1/")).toBe("must not contain a user name or password");
  });

  it.each(["", "api.example.com", " https://api.example.com", ...NO_ADDRESSES])("is a URL: %j", (url) => {
    expect(strict(url)).toMatch(/^must be a URL/);
  });

  it("is not endless", () => {
    expect(strict(`https://api.example.com/${"a".repeat(2000)}`)).toBe("must have at most 2000 characters");
  });

  it("may be http, numbers or a private name where the setting allows it, and nothing else", () => {
    for (const url of ["http://127.0.0.1:9201/v1", "http://localhost:11434", "https://[::1]/"]) {
      expect(local(url)).toBeNull();
    }
    for (const url of OTHER_SCHEMES) expect(local(url)).toBe("must start with https://");
  });
});
