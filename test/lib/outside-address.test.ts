import { describe, expect, it } from "vitest";
import { outsideAddressProblem } from "../../src/lib/outside-address.ts";

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
    "https://API.Example.COM./v1",
  ])("may be %s", (url) => {
    expect(strict(url)).toBeNull();
    expect(local(url)).toBeNull();
  });

  it.each([
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://0177.0.0.1/",
    "https://127.0.0.1./",
    "https://0/",
    "https://8.8.8.8/",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[2001:db8::1]:8443/",
    "https://①②⑦.0.0.1/",
    "https://%31%32%37.0.0.1/",
  ])("is never numbers in any spelling: %s", (url) => {
    expect(strict(url)).toBe("must name a host, not an IP address");
  });

  it.each([
    "https://localhost/",
    "https://LOCALHOST./",
    "https://api.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://router.home.arpa/",
    "https://nas.lan/",
    "https://intranet/",
    "https://kubernetes",
  ])("is never a private name: %s", (url) => {
    expect(strict(url)).toBe("must name a public host");
  });

  it.each(["http://api.example.com/", "ftp://api.example.com/", "javascript:alert(1)", "file:///etc/passwd"])(
    "is reached over https: %s",
    (url) => {
      expect(strict(url)).toBe("must start with https://");
    },
  );

  it.each(["https://user:pass@api.example.com/", "https://user@api.example.com/"])(
    "carries no credentials: %s",
    (url) => {
      expect(strict(url)).toBe("must not carry a user name or password");
      expect(local(url)).toBe("must not carry a user name or password");
    },
  );

  it.each([
    "",
    "api.example.com",
    "https://",
    "https://a b.com/",
    " https://api.example.com",
    "https:\\\\a.example.com",
  ])("is a URL: %s", (url) => {
    expect(strict(url)).toMatch(/^must be a URL/);
  });

  it("is not endless", () => {
    expect(strict(`https://api.example.com/${"a".repeat(2000)}`)).toBe("must have at most 2000 characters");
  });

  it("may be http, numbers or a private name where the setting allows it, and nothing else", () => {
    for (const url of ["http://127.0.0.1:9201/v1", "http://localhost:11434", "https://[::1]/"]) {
      expect(local(url)).toBeNull();
    }
    expect(local("ftp://127.0.0.1/")).toBe("must start with https://");
  });
});
