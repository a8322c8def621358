// Three soft sounds, made on the spot: a piece put down, a turn that comes round, the end. Off unless somebody asks for them.

import { keep, kept } from "./store.js";

/** @typedef {"move" | "turn" | "end"} Sound */
/** @type {Record<Sound, { type: OscillatorType, notes: [hertz: number, after: number, lasts: number][], falls: number }>} */
const SOUNDS = {
  move: { type: "triangle", notes: [[620, 0, 0.1]], falls: 0.3 }, // wood on wood
  turn: {
    type: "sine",
    notes: [
      [523, 0, 0.16],
      [659, 0.1, 0.22],
    ],
    falls: 1,
  },
  end: {
    type: "sine",
    notes: [
      [392, 0, 0.3],
      [494, 0.14, 0.3],
      [587, 0.28, 0.6],
    ],
    falls: 1,
  },
};

/** @type {AudioContext | null} */
let context = null;

export const soundOn = () => kept("sound") === "on";

export function toggleSound() {
  keep("sound", soundOn() ? "off" : "on");
  sound("move");
}

/** @param {Sound} which */
export function sound(which) {
  if (!soundOn()) return;
  const { type, notes, falls } = SOUNDS[which];
  try {
    context ??= new AudioContext();
    for (const [hertz, after, lasts] of notes) {
      const begin = context.currentTime + after;
      const tone = context.createOscillator();
      const volume = context.createGain();
      tone.type = type;
      tone.frequency.setValueAtTime(hertz, begin);
      tone.frequency.exponentialRampToValueAtTime(hertz * falls, begin + lasts * 0.7);
      volume.gain.setValueAtTime(0.001, begin);
      volume.gain.exponentialRampToValueAtTime(0.2, begin + 0.012);
      volume.gain.exponentialRampToValueAtTime(0.001, begin + lasts);
      tone.connect(volume).connect(context.destination);
      tone.start(begin);
      tone.stop(begin + lasts + 0.02);
    }
  } catch {
    // No sound on this device: nothing depends on it.
  }
}
