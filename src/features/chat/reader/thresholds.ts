/** Made by `npm run train`; do not edit. */
export const THRESHOLDS = { add: 0.8, change: 0.8, remove: 0.8, email: 0.8, write: 0.8 };
