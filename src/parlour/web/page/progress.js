// What somebody has solved: the puzzles of the day with their streak, all others, and the grade. It stays in this browser; as a
// file it can be taken to another one or to the terminal, and two that are put together lose no day.

import { counted } from "./parts.js";
import { keep, kept } from "./store.js";

/**
 * @typedef {{ tries: number, hints: number }} Result `tries`: 0 if the answer was shown
 * @typedef {Result & { date: string }} DailyResult `date`: when it was solved
 * @typedef {object} Progress
 * @property {1} format
 * @property {Record<string, DailyResult>} daily by number
 * @property {Record<string, Result>} puzzles by id
 * @property {number} grade that one is given puzzles of
 * @property {number} run how many in a row were solved at once; below zero: how many were not
 */

const KEY = "progress";
const FIRST_DAY = Date.UTC(2026, 0, 1); // of daily puzzle 1
const DAY = 86_400_000; // milliseconds
const RUN = 2; // puzzles in a row that change the grade
const AHEAD = 14 * 3_600_000; // milliseconds that the earliest clocks on Earth are ahead of UTC
export const GRADES = [1, 2, 3, 4, 5];

// Days. A day begins at the player's own midnight.

/** The date here, as in 2027-02-16. @param {Date} [time] */
export const dayHere = (time = new Date()) =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
/** The number of the daily puzzle of a date. @param {string} date */
export const numberOf = (date) => Math.round((Date.parse(date) - FIRST_DAY) / DAY) + 1;
/** @param {number} number */
export const dateOf = (number) => new Date(FIRST_DAY + (number - 1) * DAY).toISOString().slice(0, 10);
/** Tomorrow's date, if it has begun somewhere: then its puzzle is out. */
export function tomorrowIfOut() {
  const tomorrow = dateOf(numberOf(dayHere()) + 1);
  return tomorrow <= new Date(Date.now() + AHEAD).toISOString().slice(0, 10) ? tomorrow : null;
}
/** A date for people: "Monday, 16 February". @param {string} date @param {Intl.DateTimeFormatOptions} [how] */
export const dateTold = (date, how = { weekday: "long", day: "numeric", month: "long" }) =>
  new Date(date).toLocaleDateString("en-GB", { ...how, timeZone: "UTC" });

// Reading. What does not fit is left out, one result at a time, so that damage to one costs no other.

/** @param {unknown} found @param {number} least @param {number} most @param {number} otherwise */
const whole = (found, least, most, otherwise) =>
  Number.isInteger(found) && Number(found) >= least && Number(found) <= most ? Number(found) : otherwise;

/** @param {unknown} found @returns {Progress} */
function read(found) {
  const { daily, puzzles, grade, run } = /** @type {Record<string, unknown>} */ (found ?? {});
  /** @param {unknown} all @param {(key: string, result: DailyResult) => boolean} fits */
  const results = (all, fits) =>
    Object.fromEntries(
      Object.entries(all ?? {}).filter(
        ([key, result]) =>
          whole(result?.tries, 0, 1e6, -1) >= 0 && whole(result?.hints, 0, 1e6, -1) >= 0 && fits(key, result),
      ),
    );
  return {
    format: 1,
    daily: results(daily, (key, { date }) => /^[1-9]\d{0,5}$/.test(key) && /^\d{4}-\d\d-\d\d$/.test(date)),
    puzzles: results(puzzles, (key) => /^[a-z0-9]{8}$/.test(key)),
    grade: whole(grade, 1, 5, 1),
    run: whole(run, -RUN, RUN, 0),
  };
}

/** @returns {Progress} */
export function progress() {
  const text = kept(KEY);
  try {
    return read(JSON.parse(text || "{}"));
  } catch {
    keep(`${KEY}-damaged`, text); // set aside: somebody may be able to mend it
    keep(KEY, "");
    return read(null);
  }
}

/** The progress that a file holds; an Error in words for people if it holds none. @param {string} text */
export function readProgress(text) {
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Error("That file is not JSON, so it did not come from Parlour.");
  }
  if (!found || typeof found !== "object" || found.format !== 1) {
    throw new Error("That file holds no progress that this version of Parlour can read.");
  }
  return read(found);
}

// Writing. Each time anew from what is kept, because another tab may have written meanwhile.

/** @param {(all: Progress) => Progress} change */
function update(change) {
  keep(KEY, JSON.stringify(change(progress())));
  dispatchEvent(new Event("progress"));
}

/** Hear of every change, in this tab or another. @param {() => void} listener @returns {() => void} stop it */
export function onProgress(listener) {
  /** @param {StorageEvent} event */
  const elsewhere = (event) => event.key === `parlour.${KEY}` && listener();
  addEventListener("progress", listener);
  addEventListener("storage", elsewhere);
  return () => {
    removeEventListener("progress", listener);
    removeEventListener("storage", elsewhere);
  };
}

/**
 * Keep what came of a puzzle: the first time counts. Those that are no dailies move the grade: two in a row solved at the first
 * try without a hint lead one up, two in a row with a wrong move or the answer shown lead one down.
 * @param {{ id: string, daily: number | null }} puzzle
 * @param {Result} result
 */
export function keepResult({ id, daily }, { tries, hints }) {
  update((all) => {
    if (daily) return { ...all, daily: { [daily]: { tries, hints, date: dayHere() }, ...all.daily } };
    if (Object.hasOwn(all.puzzles, id)) return all;
    const step = tries === 1 ? (hints ? 0 : 1) : -1;
    const run = step && Math.sign(all.run) === step ? all.run + step : step;
    const moves = Math.abs(run) >= RUN;
    const grade = Math.min(5, Math.max(1, all.grade + (moves ? step : 0)));
    return { ...all, puzzles: { ...all.puzzles, [id]: { tries, hints } }, grade, run: moves ? 0 : run };
  });
}

/** @param {number} grade */
export const keepGrade = (grade) => update((all) => ({ ...all, grade, run: 0 }));

/** Whether a daily was solved on its own day. @param {string} number @param {DailyResult} result */
const onItsDay = (number, { tries, date }) => tries > 0 && date === dateOf(Number(number));

/**
 * The better of two results: solved on its own day, then solved at all, then what came first.
 * @param {string} key
 * @param {DailyResult} a
 * @param {DailyResult} b
 */
function better(key, a, b) {
  /** @param {DailyResult} result */
  const rank = (result) => [Number(onItsDay(key, result)), Number(result.tries > 0)].join("");
  if (rank(a) !== rank(b)) return rank(a) > rank(b) ? a : b;
  const order =
    [a.date ?? "", a.tries, a.hints].map(String).join() <= [b.date ?? "", b.tries, b.hints].map(String).join();
  return order ? a : b;
}

/** Add what another device has. @param {Progress} other */
export function addProgress(other) {
  /** @template {Result} T @param {Record<string, T>} ours @param {Record<string, T>} theirs */
  const both = (ours, theirs) => {
    const all = { ...theirs, ...ours };
    for (const key of Object.keys(all)) {
      if (Object.hasOwn(ours, key) && Object.hasOwn(theirs, key)) {
        const [a, b] = /** @type {DailyResult[]} */ (/** @type {unknown} */ ([ours[key], theirs[key]]));
        all[key] = /** @type {T} */ (/** @type {unknown} */ (better(key, a, b)));
      }
    }
    return all;
  };
  update((all) => ({
    ...all,
    daily: both(all.daily, other.daily),
    puzzles: both(all.puzzles, other.puzzles),
    grade: Math.max(all.grade, other.grade),
  }));
}

// Telling.

/**
 * Statistics of the dailies: played, solved, the streak that lasts until now, and the longest. A streak is of days on which the
 * puzzle of that day was solved; it lasts as long as today can still be added to it. A clock that was put back ends none.
 * @param {Progress} all
 */
export function statistics({ daily }) {
  const entries = Object.entries(daily);
  const days = entries.filter(([number, result]) => onItsDay(number, result)).map(([number]) => Number(number));
  days.sort((a, b) => a - b);
  let [longest, run] = [0, 0];
  days.forEach((day, index) => {
    run = index && days[index - 1] === day - 1 ? run + 1 : 1;
    longest = Math.max(longest, run);
  });
  const newest = days.at(-1) ?? 0;
  const streak = newest >= numberOf(dayHere()) - 1 ? run : 0;
  return { played: entries.length, solved: entries.filter(([, { tries }]) => tries > 0).length, streak, longest };
}

/** How it stands with today's puzzle, in a few words: "Solved. Day 9 in a row." */
export function standing() {
  const all = progress();
  const { streak } = statistics(all);
  const today = all.daily[numberOf(dayHere())];
  const row = streak > 1 ? `Day ${streak} in a row.` : "";
  if (today) return today.tries ? `Solved. ${row}`.trim() : "The next one comes tomorrow.";
  return streak ? `Keep your streak: ${counted(streak, "day")} so far.` : "";
}

/** @param {Result} result */
export const resultTold = ({ tries, hints }) =>
  tries
    ? `solved ${tries === 1 ? "at the first try" : `in ${tries} tries`}, ${hints ? counted(hints, "hint") : "no hint"}`
    : "the answer was shown";

/**
 * A result to share: in words, and without a spoiler; the same words as at the terminal.
 * @param {{ daily: number | null, number: number, title: string }} puzzle
 * @param {Result} result
 * @param {number} streak
 */
export function shareLine({ daily, number, title }, result, streak) {
  const day = daily && streak > 1 ? ` Day ${streak} in a row.` : "";
  return `Parlour ${daily ? `daily ${daily}` : `puzzle ${number}`}, ${title}: ${resultTold(result)}.${day}`;
}
