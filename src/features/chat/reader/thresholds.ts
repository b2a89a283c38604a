/** Made by `npm run train`; do not edit. */
export const THRESHOLDS = { add: 0.45, change: 0.45, remove: 0.45, email: 0.45, write: 0.45 };
