// What somebody has solved: the puzzles of the day with their streak, all others, and the grade; with it their mistakes and
// exams (practising.js). It stays in this browser; as a file it can be taken to another one or to the terminal, and two that are
// put together lose nothing. The terminal keeps and joins the same (study/progress.py).

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
 * @property {Record<string, Mistake>} mistakes by the digest of the position
 * @property {Record<string, Sitting>} exams by game, options and side
 *
 * @typedef {{ question: Record<string, unknown>, box: number, due: string, date: string }} Mistake a turning point of one's own;
 *   `box`: how often it was right in a row; `due`: when it comes back, empty if it is known; `date`: when it was met last
 * @typedef {{ answers: string[], passed: string }} Sitting an exam: all answers in their order, and when it was passed
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

const DATE = /^\d{4}-\d\d-\d\d$/;
/** @param {unknown} found */
const isDate = (found) => typeof found === "string" && DATE.test(found);
/** @param {unknown} found */
const isObject = (found) => typeof found === "object" && found !== null && !Array.isArray(found);

/** @param {unknown} found @returns {Progress} */
function read(found) {
  const { daily, puzzles, grade, run, mistakes, exams } = /** @type {Record<string, unknown>} */ (found ?? {});
  /** @template T @param {unknown} all @param {(one: T) => T | null} fits @returns {Record<string, T>} */
  const those = (all, fits) =>
    Object.fromEntries(
      Object.entries(isObject(all) ? /** @type {Record<string, T>} */ (all) : {}).flatMap(([key, one]) => {
        const fitting = isObject(one) && fits(one);
        return fitting ? [[key, fitting]] : [];
      }),
    );
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
    daily: results(daily, (key, { date }) => /^[1-9]\d{0,5}$/.test(key) && isDate(date)),
    puzzles: results(puzzles, (key) => /^[a-z0-9]{8}$/.test(key)),
    grade: whole(grade, 1, 5, 1),
    run: whole(run, -RUN, RUN, 0),
    mistakes: those(mistakes, (/** @type {Mistake} */ { question, box, due, date }) => {
      const fits = isObject(question) && whole(box, 0, 5, -1) >= 0 && (due === "" || isDate(due));
      return fits ? { question, box, due, date: isDate(date) ? date : "" } : null;
    }),
    exams: those(exams, (/** @type {Sitting} */ { answers, passed }) =>
      Array.isArray(answers) && answers.every((each) => typeof each === "string")
        ? { answers, passed: isDate(passed) ? passed : "" }
        : null,
    ),
  };
}

/** How many entries there are of each kind. @param {Record<string, unknown>} all */
const sizes = (all) =>
  ["daily", "puzzles", "mistakes", "exams"].map((kind) => Object.keys(all[kind] ?? {}).length).join();

/** @returns {Progress} */
export function progress() {
  const text = kept(KEY);
  try {
    const found = JSON.parse(text || "{}");
    const all = read(found);
    if (sizes(found) !== sizes(all)) setAside(text);
    return all;
  } catch {
    setAside(text);
    keep(KEY, "");
    return read(null);
  }
}

/** What cannot be read is kept apart: somebody may be able to mend it. @param {string} text */
function setAside(text) {
  if (damaged() !== text) keep(`${KEY}-damaged`, text);
}
/** What was set aside because it could not be read; empty if nothing was. */
export const damaged = () => kept(`${KEY}-damaged`);
export function forgetDamaged() {
  update((all) => all); // what is kept then is only what can be read
  keep(`${KEY}-damaged`, "");
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
export function update(change) {
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
 * Which of two lists comes first, by the first place in which they differ.
 * @param {(string | number)[]} a
 * @param {(string | number)[]} b
 */
function order(a, b) {
  for (let n = 0; n < Math.min(a.length, b.length); n++) if (a[n] !== b[n]) return a[n] < b[n] ? -1 : 1;
  return a.length - b.length;
}

/** @param {unknown} value @returns {string} JSON that is the same for the same content */
const plain = (value) =>
  JSON.stringify(value, (_, each) =>
    isObject(each)
      ? Object.fromEntries(
          Object.keys(each)
            .sort()
            .map((key) => [key, each[key]]),
        )
      : each,
  );

/**
 * What counts of two, of each kind: the one that comes first here. Of a puzzle, what was solved on its own day, then what was
 * solved at all, then what came first; of a mistake, what was practised last; of an exam, what was passed, then what has more
 * answers.
 */
const FIRST = {
  /** @param {string} key @param {DailyResult} result */
  daily: (key, result) => [Number(!onItsDay(key, result)), ...FIRST.puzzle(key, result)],
  /** @param {string} _ @param {Result & { date?: string }} result */
  puzzle: (_, { tries, hints, date = "" }) => [Number(tries === 0), date, tries, hints],
  /** @param {string} _ @param {Mistake} mistake */
  mistake: (_, { date, box, due, question }) => [date, box, due, plain(question)],
  /** @param {string} _ @param {Sitting} sitting */
  sitting: (_, { answers, passed }) => [Number(passed !== ""), answers.length, ...answers, passed],
};

/** Add what another device has. @param {Progress} other */
export function addProgress(other) {
  /**
   * @template T
   * @param {Record<string, T>} ours
   * @param {Record<string, T>} theirs
   * @param {(key: string, one: T) => (string | number)[]} rank
   * @param {number} sign 1: the lower rank counts; -1: the higher
   */
  const both = (ours, theirs, rank, sign) => {
    const all = { ...theirs, ...ours };
    for (const [key, one] of Object.entries(theirs)) {
      if (sign * order(rank(key, one), rank(key, all[key])) < 0) all[key] = one;
    }
    return all;
  };
  update((all) => ({
    format: 1,
    daily: both(all.daily, other.daily, FIRST.daily, 1),
    puzzles: both(all.puzzles, other.puzzles, FIRST.puzzle, 1),
    grade: Math.max(all.grade, other.grade),
    run: 0,
    mistakes: both(all.mistakes, other.mistakes, FIRST.mistake, -1),
    exams: both(all.exams, other.exams, FIRST.sitting, -1),
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
