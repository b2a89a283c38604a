/** Made by `npm run train`; do not edit. */
export const THRESHOLDS = { add: 0.583, change: 0.944, remove: 0.704, email: 0.487, write: 0.508 };
