/* Notifications of this browser. */
const states = {
  unsupported:
    "This browser cannot show notifications. On an iPhone or iPad, add the console to the home screen first.",
  not_set_up: "Notifications are not set up on this service: it has no VAPID_PRIVATE_KEY.",
  blocked: "Notifications are blocked for this site. Allow them in the browser’s settings.",
  off: "Notifications are off on this device.",
  on: "Notifications are on: reminders are shown on this device.",
};

export const push = {
  turnOn: "Turn on notifications on this device",
  turnOff: "Turn off notifications on this device",
  states,
  failed: "Notifications could not be changed.",
};
