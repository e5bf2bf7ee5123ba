/**
 * The texts of the pages of the device flow, in English.
 *
 * @internal
 */
export const en = {
  /** The page on which a user enters the code of a device. */
  device: {
    title: "Connect a device",
    enterCode: "Enter the code that your device shows.",
    sameCode: "Does your device show this code?",
    caution: "Continue only if you have the device in front of you. Anyone who sends you a code, " +
      "or a link that contains one, may be trying to take over your account.",
    failed: "This code is unknown or has expired. Please try again.",
    code: "Code",
    confirm: "Yes, continue",
  },
  /** What the page adds on which a user allows or denies the request of a device. */
  deviceConsent: {
    caution: "This request comes from a device that showed you a code. Allow it only if you " +
      "have the device in front of you and started this yourself.",
  },
  /** The page that sends a user back to the device. */
  deviceDone: {
    allowed: "Device connected",
    continues: "will continue on its own.",
    goBack: "You can close this page and go back to your device.",
    denied: "Device not connected",
    noAccess: "has no access, and the code no longer works.",
    close: "You can close this page.",
  },
};

/** The texts of the pages of the device flow. */
export type DeviceFlowWords = typeof en;
