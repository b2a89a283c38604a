import { describe, expect, it } from "vitest";
import { isWeakPassword } from "../../src/features/auth/password/weak-passwords.ts";
import { expectProblem, service } from "../harness.ts";
import { mailbox } from "../settings/people.ts";
import { insertCheapPerson, newEmail, PASSWORD, signedInPerson } from "./people.ts";

const ADA = { email: "ada.lovelace@engines.example", name: "Ada Lovelace" };

describe("a password that is easy to guess", () => {
  it.each([
    ["a common one", "password password123 iloveyou letmein1 trustno1 princess sunshine football welcome1 changeme"],
    [
      "one with capitals, digits and signs",
      "Password123! PASSWORD1 Welcome2026! Summer2025 Dragon!! 123monkey !admin99",
    ],
    ["one in other letters", "p@ssw0rd P4$$w0rd! l3tm31n! ILoveY0u 5un5h1ne pa55word m0nk3y12"],
    [
      "a row of the keyboard",
      "qwertyuiop asdfghjkl zxcvbnm1 1q2w3e4r 1qaz2wsx qazwsxedc q1w2e3r4 qwer1234 Qwerty123! azerty123",
    ],
    ["a sequence", "12345678 123456789 87654321 abcdefgh abcd1234 1234abcd zyxwvuts 01234567 a1b2c3d4 147258369"],
    ["a repetition", "aaaaaaaa 11111111 abcabcabc 12121212 passwordpassword 11223344 aabbccdd 123123123 xyzxyzxy"],
    ["a date", "19870412 01011990 12.05.1987 2026-11-15"],
    ["a part of the address", "ada.lovelace ada.lovelace@engines.example engines.example lovelace1 engines123"],
    ["the name", "AdaLovelace lovelace.ada Lovel@ce Ada12345 ADA-1815"],
    ["two common words", "adminpassword letmeinplease dragonmaster userpass1 adminadmin1 passwordpassword1"],
    ["one backwards", "drowssap drowssap1 ecalevol1815 nimda4321"],
    [
      "one with signs between",
      "pass*word password/password p*a*s*s*w*o*r*d p|a|s|s|w|o|r|d 12/31/1990 qwerty+qwerty pass\u200bword p\u00adassword",
    ],
    ["one in letters of other scripts", "рassword1 pаsswоrd ρassword12 ｐａｓｓｗｏｒｄ"],
    ["one of other languages", "kennwort geheim123 Sommer2024! soleil123 tequiero1 пароль123 woaini1314 welkom123"],
    ["a row of another keyboard", "йцукенгш фывапрол aqwzsx123 aoeuidhtns qsdfghjk ١٢٣٤٥٦٧٨ 12qwaszx 13579246"],
    ["the service", "personaloperationsassistant poa12345 Assistant1 operations2026"],
  ])("is refused: %s", (_, passwords) => {
    expect(passwords.split(" ").filter((password) => !isWeakPassword(password, ADA))).toEqual([]);
  });

  it("is refused with spaces, too", () => {
    for (const password of ["p a s s w o r d", "ada lovelace", "1234 5678", "qwerty uiop"]) {
      expect(isWeakPassword(password, ADA), password).toBe(true);
    }
  });

  it("does not stand in the way of good ones, which need no digits, capitals or signs", () => {
    const good = [
      PASSWORD,
      "a brand new passphrase",
      "purple monkey dishwasher",
      "ada likes green tea with lemon",
      "my password is long enough",
      "kitchen table under water",
      "x7#kP2mq",
      "jq8Zt3vL",
      "84725638",
      "Tr0ub4dor&3",
      "der alte Hund bellt",
      "le chat mange du fromage",
      "собака ест борщ зимой",
      "hope faith dog bear",
      "winter is coming soon",
      "hupgen-3dyqze-Wirvyf",
      "aB3$xy9$",
      "vB7-kP2x",
      "🔑🦊🌵🎷🧀🚲🪐🎈",
    ];
    expect(good.filter((password) => isWeakPassword(password, ADA))).toEqual([]);
  });

  it("is refused at registration, at a change and at a reset, and nothing changes", async () => {
    const client = service();
    for (const password of ["password123", "12345678"]) {
      const answer = await client.post("/api/auth/register", { email: newEmail(), password, name: "Ada" });
      expectProblem(answer, 422, "weak_password");
      expect(answer.body.errors).toEqual([{ path: "password", message: "is too easy to guess" }]);
    }
    const own = { email: "charles.babbage@example.com", password: "charles.babbage", name: "C. B." };
    expectProblem(await client.post("/api/auth/register", own), 422, "weak_password");

    const { token, email } = await signedInPerson();
    const change = { currentPassword: PASSWORD, newPassword: email.split("@")[0] };
    const changed = await client.post("/api/settings/security/password", change, { token });
    expectProblem(changed, 422, "weak_password");
    expect(changed.body.errors[0].path).toBe("newPassword");

    const person = await insertCheapPerson(PASSWORD, 10);
    const mail = mailbox();
    await service(mail.vars).post("/api/auth/password/forgot", { email: person.email });
    const [, reset] = /#token=(\S+)/.exec(mail.sent.at(-1)?.text ?? "") ?? [];
    const weak = { token: reset, password: "Qwerty123!" };
    expectProblem(await client.post("/api/auth/password/reset", weak), 422, "weak_password");
    expect((await client.post("/api/auth/login", { email: person.email, password: PASSWORD })).status).toBe(200);
    // The token was not used up.
    const strong = { token: reset, password: "another passphrase entirely" };
    expect((await client.post("/api/auth/password/reset", strong)).status).toBe(204);
  });
});
