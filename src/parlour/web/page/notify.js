// A word from the system when it is one's turn and the page is out of sight. Nobody is asked for leave but on a press.

import { keep, kept } from "./store.js";

export const canNotify = () => "Notification" in window;
export const notifying = () => canNotify() && Notification.permission === "granted" && kept("notify") === "on";

/** Whether it is on now. */
export async function toggleNotify() {
  const wanted = !notifying();
  if (wanted && Notification.permission !== "granted") await Notification.requestPermission();
  keep("notify", wanted ? "on" : "off");
  return notifying();
}

/** @param {string} title @param {string} body @param {string} match */
export async function notify(title, body, match) {
  if (!document.hidden || !notifying()) return;
  const how = { body, tag: match, icon: new URL("icon.svg", import.meta.url).href, data: `/m/${match}` };
  try {
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker?.active) {
      await worker.showNotification(title, how);
      return;
    }
    const note = new Notification(title, how);
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    // This device shows none: the title of the page says it too.
  }
}
