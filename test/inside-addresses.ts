/*
 * Every spelling we know of an address that the service must not call, by what it is refused for. The one
 * table behind the test of the rule and the test of each endpoint that takes an address.
 */

export const NUMBERS = [
  "https://127.0.0.1/",
  "https://127.1/",
  "https://127.0.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0x7F.1/",
  "https://0x7f.0.0.1/",
  "https://0177.0.0.1/",
  "https://017700000001/",
  "https://127.0.0.1./",
  "https://127.0.0.1../",
  "https://127.0.0.1:8443/",
  "https://0/",
  "https://0.0.0.0/",
  "https://8.8.8.8/",
  "https://10.0.0.1/",
  "https://100.64.0.1/",
  "https://172.16.0.1/",
  "https://192.168.1.1/",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/",
  "https://[::]/",
  "https://[0:0:0:0:0:0:0:1]:8443/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:7f00:1]/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[fd00::1]/",
  "https://[fe80::1]/",
  "https://[2001:db8::1]:8443/",
  "https://①②⑦.0.0.1/",
  "https://127。0。0。1/",
  "https://127｡0.0｡1/",
  "https://127.0.0.1/",
  "https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/",
  "https://%31%32%37.0.0.1/",
];

export const PRIVATE_NAMES = [
  "https://localhost/",
  "https://LOCALHOST./",
  "https://localhost../",
  "https://localhost:8443/",
  "https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
  "https://api.localhost/",
  "https://localhost.localdomain/",
  "https://printer.local/",
  "https://db.svc.cluster.local/",
  "https://metadata.google.internal/",
  "https://router.home.arpa/",
  "https://nas.lan/",
  "https://wiki.corp/",
  "https://intranet/",
  "https://kubernetes",
  "https://127.0.0.1.nip.io/",
  "https://127.0.0.1.ip.addr.tools/",
  "https://7f000001.c0a80001.rbndr.us/",
  "https://make-127.0.0.1-rr.1u.ms/",
  "https://x.local.gd/",
  "https://localho.st/",
  "https://10-0-0-1.sslip.io./",
  "https://app.lvh.me/",
  "https://LOCALTEST.me/",
];

export const CREDENTIALS = [
  "https://user:pass@api.example.com/",
  "https://user@api.example.com/",
  "https://api.example.com@127.0.0.1/",
  "https://:@127.0.0.1/",
];

export const NO_ADDRESSES = [
  "https://",
  "https://a b.com/",
  "https:\\\\a.example.com",
  "https://api.example.com\\@127.0.0.1/",
  "https://api.example.com\r\nX-Evil: 1",
  "https://[fe80::1%25eth0]/",
  "https://[::1/",
  "https://127.0.0.1%00.example.com/",
  "https://256.256.256.256/",
  "https://1.2.3.4.5/",
];

export const OTHER_SCHEMES = [
  "ftp://api.example.com/",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "data:text/html,x",
  "gopher://127.0.0.1:6379/",
  "ws://api.example.com/",
];

export const INSIDE_ADDRESSES = [...NUMBERS, ...PRIVATE_NAMES, ...CREDENTIALS, ...NO_ADDRESSES, ...OTHER_SCHEMES];
