import { describe, expect, it } from "vitest";
import { htmlEntities } from "../../node_modules/postal-mime/dist/esm/html-entities.js";
import { service } from "../harness.ts";

const api = service();

/** The text that is stored for an email of HTML. */
async function textOf(html: string): Promise<string> {
  const email = { from: "ann@example.com", to: ["hello@example.com"], subject: "HTML", receivedAt: "2031-01-01" };
  return (await api.post("/api/emails", { ...email, html })).body.body;
}

describe("the text of an email of HTML", () => {
  it("has the sign of each of the 2,231 names that HTML knows", async () => {
    const names = Object.entries(htmlEntities);
    expect(names.length).toBe(2231);
    // Between letters, where nothing is left out but a soft hyphen; white space is one space.
    const lines = (await textOf(names.map(([name]) => `<p>a${name}z</p>`).join(""))).split("\n\n");
    const wrong = names.flatMap(([name, sign], at) => {
      const line = `a${sign}z`.replace(/\s+/, " ").replace("\u00ad", "");
      return lines[at] === line ? [] : [`${name}: ${lines[at]}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ["a sign without its semicolon", "caf&eacute &copy 2031, 5&nbsp&euro;", "café © 2031, 5 €"],
    ["signs by number, also as Windows counts", "&#171;&#xBB; &#128; &#x1F600; &#0; &#xD800;", "«» € 😀 \ufffd \ufffd"],
    ["what is no sign", "AT&T &nosuch; a & b", "AT&T &nosuch; a & b"],
    ["a > in an attribute", `<a title="a>b" href='x>y'>one</a> <p alt="<b>">two</p>`, "one\ntwo"],
    ["an attribute without quotes", "<a href=x/y?a=b&copy=c>one</a>two", "onetwo"],
    ["a < that begins no tag", "1 < 2 <3 a <- b", "1 < 2 <3 a <- b"],
    ["comments, also of Outlook", "a<!-- > -->b<!--[if mso]><p>no</p><![endif]--><!-->c", "abc"],
    ["scripts, styles and titles", "<title>T</title><style>p>a{}</style><script>if(1<2)'</p>'</script>yes", "yes"],
    ["a head that is not closed", "<head><title>T</title><meta a=b><p>Hello", "Hello"],
    ["templates", "a<template>no<template>no</template>no</template>b</template>c", "abc"],
    ["a text field", "<textarea>1 &lt; 2 <b></textarea> <xmp>&lt;<i></xmp>", "1 < 2 <b> &lt;<i>"],
    ["lists", "<ul><li>One<li>Two</ul>End", "- One\n- Two\nEnd"],
    ["tables", "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>", "A B\n\n1 2"],
    ["quotes", "Yes.<blockquote>Shall we?</blockquote>", "Yes.\nShall we?"],
    ["lines", "one\ntwo<br>three<hr>four", "one two\nthree\nfour"],
    ["fillers of a newsletter", "Hi&zwnj; &nbsp;&zwnj;&#847; &shy;&nbsp;&#8203;<p>there</p>", "Hi\u200c\nthere"],
    ["a joiner within a word", "می&zwnj;خواهم", "می\u200cخواهم"],
    ["markup that no parser can tell", "<select><xmp>a</xmp></select>b", "ab"],
  ])("is as a browser shows it: %s", async (_, html, text) => {
    expect(await textOf(html)).toBe(text);
  });

  it("is found however deep it is", async () => {
    expect(await textOf(`${"<div><b>".repeat(50_000)}Hello`)).toBe("Hello");
  });
});

describe("a meeting in a text of HTML", () => {
  it("is read without the tags, whatever is in their attributes, and with all signs", async () => {
    const text = `<p title="on Monday > at 9am">Could we meet&hellip; on Tuesday at&ensp;3pm &laquo;caf&eacute;&raquo;?</p>`;
    const { body } = await api.post("/api/calendar/detect", { text, referenceTime: "2030-01-07T10:00:00Z" });
    expect(body.meetings).toMatchObject([{ start: "2030-01-08T15:00:00.000Z" }]);
    expect(JSON.stringify(body.signals)).not.toContain("Monday");
  });
});
