/* Every way known to us in which HTML makes a browser contact a server, for a server at `at` (`http://host:port`). */

/** Elements and attributes. Each has an address of its own, so that a test can say which one got through. */
function elements(at: string): string[] {
  let count = 0;
  const url = () => {
    count += 1;
    return `${at}/e${count}`;
  };
  const links =
    "preconnect dns-prefetch prefetch prerender preload modulepreload stylesheet icon shortcut apple-touch-icon manifest next search pingback author expect compression-dictionary";
  return [
    ...links.split(" ").map((rel) => `<link rel="${rel}" href="${url()}" as="image" crossorigin>`),
    ...["src", "srcset", "lowsrc", "dynsrc", "longdesc", "data-src"].map((name) => `<img ${name}="${url()}">`),
    `<img src="cid:none" srcset="${url()} 1x, ${url()} 2x" sizes="1px" attributionsrc="${url()}" crossorigin="use-credentials">`,
    `<picture><source srcset="${url()}"><img></picture>`,
    `<image src="${url()}"><image href="${url()}">`,
    `<script src="${url()}"></script><script type="speculationrules">{"prefetch":[{"urls":["${url()}"]}]}</script>`,
    `<script type="importmap">{"imports":{"a":"${url()}"}}</script>`,
    `<iframe src="${url()}"></iframe><iframe srcdoc="<img src='${url()}'>"></iframe><fencedframe src="${url()}"></fencedframe>`,
    `<object data="${url()}" codebase="${url()}" classid="${url()}"></object><embed src="${url()}"><portal src="${url()}"></portal>`,
    `<applet code="a" archive="${url()}" codebase="${url()}"></applet><param name="movie" value="${url()}">`,
    `<video src="${url()}" poster="${url()}" autoplay preload></video><audio src="${url()}" autoplay preload></audio>`,
    `<video><source src="${url()}"><track default src="${url()}"></video>`,
    `<input type="image" src="${url()}"><button formaction="${url()}" autofocus>x</button><isindex action="${url()}">`,
    `<body background="${url()}"><table background="${url()}"><tr background="${url()}"><td background="${url()}">x</td></tr></table>`,
    `<svg><image href="${url()}"/><use href="${url()}#a"/><feImage href="${url()}"/><script href="${url()}"/></svg>`,
    `<svg><image xlink:href="${url()}"/><a><set attributeName="href" to="${url()}"/></a><style>@import "${url()}";</style></svg>`,
    `<svg><rect fill="url(${url()}#a)" filter="url(${url()}#b)" clip-path="url(${url()}#c)" mask="url(${url()})"/></svg>`,
    `<svg><foreignObject><link rel=preconnect href="${url()}"><img src="${url()}"></foreignObject></svg>`,
    `<math><mtext><link rel=preconnect href="${url()}"></mtext><annotation-xml encoding="text/html"><img src="${url()}"></annotation-xml></math>`,
    `<a href="#x" ping="${url()}" attributionsrc="${url()}" autofocus>x</a><area href="#x" ping="${url()}">`,
    `<form action="${url()}"><input autofocus></form><q cite="${url()}">q</q><ins cite="${url()}">i</ins>`,
    `<html manifest="${url()}"><head profile="${url()}"></head>`,
    `<meta http-equiv="refresh" content="0;url=${url()}"><meta http-equiv="Link" content="<${url()}>; rel=preconnect">`,
    `<meta http-equiv="x-dns-prefetch-control" content="on"><a href="${url()}">a link</a>`,
    `<meta http-equiv="content-security-policy" content="img-src *; report-uri ${url()}"><meta http-equiv="origin-trial" content="x">`,
    `<base href="${at}/base/"><img src="e-relative"><img src="//${at.replace(/^\w+:\/\//, "")}/e-protocol">`,
    `<bgsound src="${url()}"><layer src="${url()}"></layer><ilayer src="${url()}"></ilayer><frameset><frame src="${url()}"></frameset>`,
    `<xml src="${url()}"></xml><v:fill src="${url()}"/><v:imagedata src="${url()}"/><menuitem icon="${url()}">`,
    `<div style="background: url(${url()})">x</div><div style="background-image: u\\72 l('${url()}')">x</div>`,
    `<div style='background: image-set("${url()}" 1x)'>x</div><div style='background: -webkit-image-set(url(${url()}) 1x)'>x</div>`,
    `<div style="list-style: square url(${url()}); cursor: url(${url()}), auto; border-image: url(${url()}) 1">x</div>`,
    `<div style="content: url(${url()}); mask: url(${url()}#m); filter: url(${url()}#f); clip-path: url(${url()}#c)">x</div>`,
    `<div style="--a: url(${url()}); background: var(--a)">x</div><div style="background: cross-fade(url(${url()}), red)">x</div>`,
    `<p style="background: url&#40;${url()}&#41;">x</p><p style="behavior: url(${url()}); -moz-binding: url(${url()})">x</p>`,
    `<style>@import "${url()}"; @import url(${url()}); @\\69mport '${url()}';</style>`,
    `<style>@font-face { font-family: f; src: url(${url()}) } p { font-family: f }</style>`,
    `<style>p { background: url("${url()}") } p::before { content: URL( '${url()}' ) } @media all { p { background: url(${url()}) } }</style>`,
    `<style>/* */p { background: u/**/rl(${url()}) } b { background: src("${url()}") } i { background: image("${url()}") }</style>`,
    `<style>p { background: \\75\\72\\6c(${url()}) } u { background: u\\zrl(${url()}) }</style>`,
    `<style>a { color: red }</sty<style>le><link rel=preconnect href="${url()}"></style>`,
    `<style media="x"><!--</style><link rel=preconnect href="${url()}"><!-- --></style>`,
    `<img src="x" onerror="fetch('${url()}')"><div onmouseenter="fetch('${url()}')">x</div>`,
    `<a href="javascript:fetch('${url()}')" autofocus>x</a>`,
  ];
}

/** Elements whose content is text or markup, depending on the reader, and quotes that do not end where they seem to. */
function disguises(at: string): string[] {
  let count = 0;
  const inner = () => {
    count += 1;
    return `<link rel="preconnect" href="${at}/d${count}"><img src="${at}/d${count}">`;
  };
  const around =
    "noscript noembed noframes xmp plaintext template iframe textarea title style script svg math select option object video audio canvas marquee button head table tr td col colgroup caption frameset details dialog listing custom-element";
  return [
    ...around
      .split(" ")
      .flatMap((name) => [
        `<${name}>${inner()}</${name}>`,
        `<${name}><p title="</${name}>${inner().replaceAll('"', "'")}">x</p>`,
        `<p title="<${name}>">${inner()}</p></${name}>`,
        `<svg><${name}>${inner()}</${name}></svg>`,
        `<math><mtext><${name}>${inner()}</${name}></mtext></math>`,
        `<noscript><${name}></noscript>${inner()}</${name}>`,
      ]),
    `<!--><b>${inner()}</b>-->`,
    `<!-- --!>${inner()}-->`,
    `<!--[if mso]>${inner()}<![endif]-->`,
    `<![CDATA[${inner()}]]>`,
    `<svg><![CDATA[</svg>${inner()}]]></svg>`,
    `<?xml ${inner()} ?>`,
    `<p a='"' b="'">${inner()}</p>`,
    `<p a=">${inner()}`,
    `"></p>${inner()}`,
    `<p/x="a"//>${inner()}`,
    `<lin\u0000k rel=preconnect href="${at}/nul">`,
    `<link\u000crel=preconnect\u000chref="${at}/feed">`,
    `<link/rel=preconnect/href="${at}/slash">`,
    `<LINK REL=PRECONNECT HREF=${at}/upper>`,
    `<p title="&quot;><link rel=preconnect href=${at}/entity>">x</p>`,
    `&lt;link rel=preconnect href=${at}/text&gt;`,
    `<${inner()}`,
    `</${inner()}`,
  ];
}

/** Emails, each in one piece: what is not closed would hide the rest. */
export function contactingEmails(at: string): string[] {
  const all = [...elements(at), ...disguises(at)];
  return [all.filter((each) => !/plaintext|frameset/.test(each)).join("\n"), ...all];
}
