/** Made by `npm run train`; do not edit. */
export const GATE: readonly number[] = [-1.365, 0.053, -0.195, 0.666, -0.131, -4.482, 0.587];
export const SURE = 0.925;
