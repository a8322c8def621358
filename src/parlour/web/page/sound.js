// One small wooden click, made on the spot. Off unless somebody asks for it.

import { keep, kept } from "./store.js";

/** @type {AudioContext | null} */
let context = null;

export const soundOn = () => kept("sound") === "on";

export function toggleSound() {
  keep("sound", soundOn() ? "off" : "on");
  click();
}

export function click() {
  if (!soundOn()) return;
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(620, now);
    tone.frequency.exponentialRampToValueAtTime(180, now + 0.07);
    volume.gain.setValueAtTime(0.25, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 0.1);
    tone.connect(volume).connect(context.destination);
    tone.start(now);
    tone.stop(now + 0.11);
  } catch {
    // No sound on this device: nothing depends on it.
  }
}
