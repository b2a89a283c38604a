/** Made by `npm run train`; do not edit. */
export const THRESHOLDS = { add: 0.5, change: 0.5, remove: 0.5, email: 0.45, write: 0.45 };
