import { describe, expect, it } from "vitest";
import { safeCss } from "../../src/lib/html/safe-css.ts";

const own = (address: string) => (address.startsWith("data:image/png") ? address : null);

describe("a style sheet of somebody else", () => {
  it("keeps a picture that may load", () => {
    const css = 'td { background: url("data:image/png;base64,iVBORw0KGgo=") }';
    expect(safeCss(css, own)).toBe(css);
  });

  it.each(['"', "'"])("cannot end the text that an allowed address stands in, and go on with rules (%s)", (quote) => {
    const inner = quote === '"' ? "'" : '"';
    const address = "data:image/png;}*{background:url(//evil.example/)}@media print{a\u2003";
    const css = safeCss(`p { content: ${quote}url(${inner}${address}${inner})${quote} }`, own);
    expect(css.match(/url\(/g)).toHaveLength(1);
    expect(css.match(/[{}]/g)).toHaveLength(2);
    expect(css).toContain("%28//evil.example/%29%7D");
  });
});
