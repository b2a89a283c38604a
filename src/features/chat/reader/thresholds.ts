/** Made by `npm run train`; do not edit. */
export const GATE: readonly number[] = [-1.547, 0.079, -0.195, 0.683, -0.112, -4.445, 0.511];
export const SURE = 0.96;
