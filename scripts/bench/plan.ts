/** How much work a run does. */
export interface Plan {
  rounds: number;
  /** Of data endpoints without a credential and with an API key. */
  otherRounds: number;
  roundMs: number;
  /** In every round: what takes long, such as a login, would otherwise be measured by two. */
  leastAnswers: number;
  warmUpMs: number;
  boots: number;
  /** Failed logins of each kind. */
  signIns: number;
  /** In the first sync. */
  bookings: number;
  /** Of each kind, under the data endpoints. */
  records: number;
  /** Logins beside one comparison of a password each. */
  loginPairs: number;
  /** Fills of more rows are left out. */
  largestFill: number;
}

export const FULL: Plan = {
  rounds: 13,
  otherRounds: 5,
  roundMs: 200,
  leastAnswers: 8,
  warmUpMs: 600,
  boots: 9,
  signIns: 60,
  bookings: 10_000,
  records: 100_000,
  loginPairs: 40,
  largestFill: Number.POSITIVE_INFINITY,
};

/** For a busy machine: over as many records, with fewer rounds. */
export const SHORT: Plan = {
  rounds: 9,
  otherRounds: 3,
  roundMs: 100,
  leastAnswers: 8,
  warmUpMs: 300,
  boots: 9,
  signIns: 20,
  bookings: 2000,
  records: 100_000,
  loginPairs: 24,
  largestFill: 10_000,
};

/** A few seconds, to see that everything works and roughly where it stands. */
export const QUICK: Plan = {
  rounds: 5,
  otherRounds: 3,
  roundMs: 80,
  leastAnswers: 1,
  warmUpMs: 200,
  boots: 3,
  signIns: 12,
  bookings: 1000,
  records: 10_000,
  loginPairs: 6,
  largestFill: 10_000,
};
