/** Made by `npm run train`; do not edit. */
export const GATE: readonly number[] = [-1.522, 0.133, -0.212, 0.516, -0.135, -3.207, 0.775];
export const SURE = 0.841;
