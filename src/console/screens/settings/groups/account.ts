import "../../../base.ts";
import Billing from "../billing/billing.tsx";
import Data from "../data/data.tsx";
import type { Pages } from "../page.ts";
import Tokens from "../tokens/tokens.tsx";

export const pages: Pages = {
  tokens: Tokens,
  billing: Billing,
  data: Data,
};
