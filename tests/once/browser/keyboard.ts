import type { Tab } from "../../support/chromium.ts";

const keys = {
  Tab: { windowsVirtualKeyCode: 9 },
  Enter: { windowsVirtualKeyCode: 13, text: "\r" },
  j: { windowsVirtualKeyCode: 74, text: "j" },
  k: { windowsVirtualKeyCode: 75, text: "k" },
};

/** Presses a key once. */
export async function press(tab: Tab, key: keyof typeof keys): Promise<void> {
  const event = { key, code: key, ...keys[key] };
  await tab.send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
  await tab.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
}
