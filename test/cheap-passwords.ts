import bcrypt from "bcryptjs";

/*
 * A password's hash is slow on purpose: a tenth of a second, and the tests make hundreds. Here each takes the fewest rounds
 * and still names the cost that the service asked for. Its salt begins with a mark, so that hashes from elsewhere are
 * checked as they are, once for each password. test/tooling signs in at the build, which hashes in earnest.
 */

const MARK = "Cheap";
const FEWEST = "$2b$04$";

const { compareSync } = bcrypt;
const compared = new Map<string, boolean>();

/** May be called again for each file of a worker. */
export function hashCheaply(): void {
  Object.assign(bcrypt, {
    hash: async (text: string, cost: number) => {
      const salt = `${FEWEST}${MARK}${bcrypt.genSaltSync(4).slice(FEWEST.length + MARK.length)}`;
      return `$2b$${String(cost).padStart(2, "0")}$${bcrypt.hashSync(text, salt).slice(FEWEST.length)}`;
    },
    compareSync: (text: string, hash: string) => {
      const rest = hash.slice(FEWEST.length);
      const isSame = compared.get(text + hash) ?? compareSync(text, rest.startsWith(MARK) ? `${FEWEST}${rest}` : hash);
      compared.set(text + hash, isSame);
      return isSame;
    },
  });
}
