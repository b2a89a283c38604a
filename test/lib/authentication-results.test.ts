import { describe, expect, it } from "vitest";
import { onlySender, parseResults, readAuthentication, senderProof } from "../../src/lib/authentication-results.ts";

const US = "mx.cloudflare.net";
const ENVELOPE = "ann@good.example";
const FROM = { key: "from", value: "Ann <ann@good.example>" };

const results = (value: string, server = US) => ({ key: "authentication-results", value: `${server}; ${value}` });
const received = (by: string) => ({ key: "received", value: `from a.example by ${by} id 1` });

/** What is read of a message with these results on top. */
function read(value: string, { from = [FROM], envelopeFrom = ENVELOPE, storedAs = onlySender(from) ?? "" } = {}) {
  const headers = [received("cloudflare-email.net"), results(value), ...from];
  return readAuthentication({ headers, from: storedAs, envelopeFrom }, [US]);
}

const proofOf = (value: string, options?: Parameters<typeof read>[1]) => senderProof(read(value, options));

describe("the results of our own receiver", () => {
  it("are read as Cloudflare writes them, folded and with comments", () => {
    const value = `dkim=pass header.d=good.example header.s=20251104 header.b=L6CZ3O/=;
\tdmarc=pass header.from=good.example policy.dmarc=none;
\tspf=none (${US}: no SPF records found for postmaster@out.good.example) smtp.helo=out.good.example;
\tspf=pass (${US}: domain of ann@good.example designates 2607::1 as permitted sender) smtp.mailfrom=ann@good.example;
\tarc=pass smtp.remote-ip="2607::1"`;
    expect(read(value)).toEqual({ spf: "pass", dkim: "pass", dmarc: "pass" });
  });

  it("are split at semicolons outside of comments and quotes, with spaces, versions and letters of any case", () => {
    const { server, results: found } = parseResults(
      'MX.Cloudflare.NET. 1 ; DMARC / 1 = PASS (a \\) ; dmarc=fail (nested; ) ) reason="x; dmarc=fail header.from=a" header.from = "good.example" ;; none',
    );
    expect(server).toBe(US);
    expect(found).toMatchObject([{ method: "dmarc", result: "pass" }]);
    expect(Object.fromEntries(found[0]?.properties ?? [])).toEqual({
      reason: "x; dmarc=fail header.from=a",
      "header.from": "good.example",
    });
  });

  const words: [string, string][] = [
    ["pass", "pass"],
    ["fail", "fail"],
    ["softfail", "fail"],
    ["permerror", "fail"],
    ["none", "none"],
    ["neutral", "none"],
    ["temperror", "none"],
    ["policy", "none"],
    ["unheard-of", "none"],
  ];
  it.each(words)("%s counts as %s", (word, expected) => {
    expect(read(`dmarc=${word} header.from=good.example`)?.dmarc).toBe(expected);
    expect(read(`spf=${word} smtp.mailfrom=ann@good.example`)?.spf).toBe(expected);
    expect(read(`dkim=${word} header.d=good.example`)?.dkim).toBe(expected);
  });

  it("may come in the ARC form", () => {
    const header = { key: "arc-authentication-results", value: `i=2; ${US}; dmarc=fail header.from=good.example` };
    const forged = results("dmarc=pass header.from=good.example");
    expect(
      readAuthentication({ headers: [header, forged, FROM], from: ENVELOPE, envelopeFrom: ENVELOPE }, [US])?.dmarc,
    ).toBe("fail");
  });

  it("are unknown where nothing trusted stands on top", () => {
    const pass = "dmarc=pass header.from=good.example";
    const unknown = [
      [],
      [results(pass, "mx.other.example")],
      [results(pass, `x.${US}`)],
      [results(pass, `${US}.evil.example`)],
      [FROM, results(pass)],
      [{ key: "subject", value: "Hi" }, results(pass)],
      [{ key: "dkim-signature", value: "v=1" }, results(pass)],
      [received("cloudflare-email.net"), received("mail.example"), results(pass)],
    ];
    for (const headers of unknown) {
      expect(
        readAuthentication({ headers: [...headers, FROM], from: ENVELOPE, envelopeFrom: ENVELOPE }, [US]),
      ).toBeNull();
    }
    expect(
      readAuthentication({ headers: [results(pass), FROM], from: ENVELOPE, envelopeFrom: ENVELOPE }, []),
    ).toBeNull();
  });

  it("are those of the topmost header, whatever forged ones say below it or of another server above it", () => {
    const headers = [
      received("cloudflare-email.net"),
      results("dmarc=pass header.from=good.example", "mx.other.example"),
      results("dmarc=fail header.from=good.example"),
      results("dmarc=pass header.from=good.example"),
      FROM,
    ];
    expect(readAuthentication({ headers, from: ENVELOPE, envelopeFrom: ENVELOPE }, [US])?.dmarc).toBe("fail");
  });
});

describe("a pass for another domain than the one in From", () => {
  it.each([
    ["dmarc=pass header.from=evil.example", "failed"],
    ["dmarc=pass", "unverified"],
    ["dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=x@evil.example; dmarc=none", "unverified"],
    ["dkim=pass header.d=notgood.example; dmarc=none", "unverified"],
    ["dkim=pass header.d=example; dmarc=none", "unverified"],
    ["dkim=pass header.d=mail.good.example; dmarc=none", "verified"],
    ["dkim=pass header.i=@good.example; dmarc=none", "verified"],
    ["dkim=pass header.d=evil.example; dkim=pass header.d=GOOD.example; dmarc=none", "verified"],
  ])("%s: %s", (value, expected) => expect(proofOf(value)).toBe(expected));

  it("of SPF is no proof if the envelope is another's, whatever the header says", () => {
    const value = "spf=pass smtp.mailfrom=ann@good.example; dmarc=none";
    expect(proofOf(value)).toBe("verified");
    expect(proofOf(value, { envelopeFrom: "x@evil.example" })).toBe("unverified");
  });
});

describe("an email fails", () => {
  it.each([
    ["dmarc=fail header.from=good.example; dkim=pass header.d=good.example", "failed"],
    ["dmarc=none; spf=fail smtp.mailfrom=x@good.example; dkim=none", "failed"],
    ["dmarc=none; spf=softfail smtp.mailfrom=x@good.example; dkim=fail header.d=good.example", "failed"],
    ["dmarc=none; spf=none; dkim=permerror header.d=good.example", "failed"],
    ["dmarc=none; spf=fail smtp.mailfrom=x@good.example; dkim=pass header.d=good.example", "verified"],
    ["dmarc=fail header.from=good.example; arc=pass", "failed"],
    ["none", "unverified"],
  ])("%s: %s", (value, expected) => expect(proofOf(value)).toBe(expected));

  it("if it has no From, several, or one with several addresses", () => {
    const pass = "dmarc=pass header.from=good.example; dkim=pass header.d=good.example";
    const from = (value: string) => ({ key: "from", value });
    expect(proofOf(pass, { from: [] })).toBe("failed");
    expect(proofOf(pass, { from: [FROM, FROM] })).toBe("failed");
    for (const value of ["ann@good.example, x@evil.example", "Group: ann@good.example;", "", "Ann", "ann@"]) {
      expect(proofOf(pass, { from: [from(value)] }), value).toBe("failed");
    }
    expect(proofOf(pass, { from: [from('"ann@good.example" <x@evil.example>')] })).toBe("failed");
    const own = "dmarc=pass header.from=evil.example";
    for (const value of [
      '"ann@good.example"@evil.example',
      "ann@good.example@evil.example",
      "<@good.example:x@evil.example>",
    ]) {
      expect(proofOf(own, { from: [from(value)], storedAs: value }), value).toBe("failed");
    }
  });
});

describe("words that a sender smuggles into a comment or a value", () => {
  const smuggled =
    "x);dmarc=pass()header.from=good.example;dkim=pass()header.d=good.example;spf=pass()smtp.mailfrom=a@good.example;y=(";
  it.each([
    ["dmarc=fail header.from=good.example", "failed"],
    ["dmarc=none", "unverified"],
  ])("prove nothing beside %s", (real, expected) => {
    const value = `dkim=none; ${real}; spf=pass (domain of ${smuggled}@evil.example) smtp.mailfrom=x@evil.example`;
    expect(proofOf(value, { envelopeFrom: "x@evil.example" })).toBe(expected);
    expect(proofOf(value)).toBe(expected);
    const quoted = `${real}; spf=pass smtp.mailfrom="a; dkim=pass header.d=good.example"@evil.example`;
    expect(proofOf(quoted)).toBe(expected);
  });
});

describe("results prove nothing", () => {
  const pass = "dmarc=pass header.from=good.example";

  it("about an email that is stored under another address than the one in From", () => {
    expect(proofOf(pass, { storedAs: "ANN@good.example" })).toBe("verified");
    for (const storedAs of ["bob@good.example", "boss@victim.example", ""]) {
      expect(proofOf(pass, { storedAs }), storedAs).toBe("failed");
    }
  });

  it.each([
    'spf=pass (domain of "a("@evil.example) smtp.mailfrom=x@evil.example; dmarc=fail header.from=good.example',
    "dkim=none (a\\); dmarc=fail header.from=good.example",
    'spf=pass smtp.mailfrom="@evil.example; dmarc=fail header.from=good.example',
    `${pass}; spf=none (never closed`,
  ])("if a sender's words hide the end of them: %s", (value) => expect(proofOf(value)).toBe("failed"));
});

it("international names are compared as DNS spells them", () => {
  const from = [{ key: "from", value: "a@Bücher.example" }];
  expect(proofOf("dmarc=pass header.from=xn--bcher-kva.example", { from })).toBe("verified");
});
