// Your mistakes and exams: what is kept of them, when a mistake comes back, and what is needed to go on without the server.

import * as api from "./examapi.js";
import { dateOf, dayHere, numberOf, progress, update } from "./progress.js";

/** @import { ExamSheet, ShownMistake, Practice } from "./types.js" */
/** @import { Progress } from "./progress.js" */

export const DAYS = [1, 3, 7, 16, 35]; // from one box to the next, as at the terminal

/** @param {string} day @param {number} days */
const after = (day, days) => dateOf(numberOf(day) + days);

/**
 * The mistakes to practise on a day, the longest due first. One that would come back later than any can was practised while the
 * clock was wrong: it is due as well.
 * @param {Progress} all
 */
export function dueMistakes({ mistakes }, today = dayHere()) {
  const latest = after(today, DAYS[DAYS.length - 1]);
  const due = Object.entries(mistakes).filter(([, each]) => each.due && !(today < each.due && each.due <= latest));
  return due.sort(([, a], [, b]) => (a.due < b.due ? -1 : Number(a.due > b.due))).map(([id]) => id);
}

/** Keep mistakes that were made: they are asked from today on. One that is being practised stays where it is. @param {ShownMistake[]} made */
export async function keepMistakes(made) {
  const date = dayHere();
  update((all) => {
    const mistakes = { ...all.mistakes };
    for (const { id, question } of made) if (!mistakes[id]?.due) mistakes[id] = { question, box: 0, due: date, date };
    return { ...all, mistakes };
  });
  for (const { id, practice } of made) await store(`mistake/${id}`, practice);
}

/**
 * A mistake was practised. If right it comes back after 1, 3, 7, 16 and 35 days, then it is known; else after one.
 * @param {string} id
 * @param {boolean} right
 */
export function keepPractice(id, right) {
  const date = dayHere();
  update((all) => {
    const known = all.mistakes[id];
    if (!known) return all;
    const learnt = right && known.box >= DAYS.length;
    const box = right ? Math.min(known.box + 1, DAYS.length) : 0;
    const due = learnt ? "" : after(date, right ? DAYS[known.box] : DAYS[0]);
    return { ...all, mistakes: { ...all.mistakes, [id]: { ...known, box, due, date } } };
  });
}

/** @param {string} id */
export function forgetMistake(id) {
  update((all) => ({
    ...all,
    mistakes: Object.fromEntries(Object.entries(all.mistakes).filter(([key]) => key !== id)),
  }));
  store(`mistake/${id}`, null);
}

/** A mistake with all that solving it takes: as it lies here, or from the server. @param {string} id @returns {Promise<Practice>} */
export async function drawnMistake(id) {
  const here = /** @type {Practice | undefined} */ (await stored(`mistake/${id}`));
  if (here) return here;
  const drawn = await api.practice(progress().mistakes[id].question);
  await store(`mistake/${id}`, drawn);
  return drawn;
}

/** Have everything here that will be asked, for when the server cannot be reached. */
export async function fetchMistakes() {
  const { mistakes } = progress();
  for (const [id, { due }] of Object.entries(mistakes)) if (due) await drawnMistake(id).catch(() => {}); // then not now
}

// Exams.

/** @param {string} exam */
export const sittingOf = (exam) => progress().exams[exam] ?? { answers: [], passed: "" };

/**
 * Keep one more answer to an exam; false, and nothing kept, if it has gone on elsewhere.
 * @param {string} exam
 * @param {string[]} known the answers that are thought to be kept
 * @param {string[]} answers those to be kept
 * @param {boolean} isOver no question is left
 */
export function keepAnswers(exam, known, answers, isOver) {
  const { answers: here, passed } = sittingOf(exam);
  if (here.join(" ") !== known.join(" ")) return false;
  const sitting = { answers, passed: isOver ? dayHere() : passed };
  update((all) => ({ ...all, exams: { ...all.exams, [exam]: sitting } }));
  return true;
}

/** @param {string} exam @returns {Promise<ExamSheet[] | undefined>} */
export const storedSheets = async (exam) => /** @type {ExamSheet[] | undefined} */ (await stored(`exam/${exam}`));
/** @param {ExamSheet[]} sheets */
export const storeSheets = (sheets) => store(`exam/${sheets[0].exam}`, sheets);

// What is too large for the store of texts. It can be fetched again, so it is no loss where there is no room for it.

const CACHE = "parlour-practice-1"; // another number when what lies there changes its form
/** @type {Map<string, unknown>} */
const memory = new Map();

/** @param {string} name */
const address = (name) => `/practice/${encodeURIComponent(name)}`;

/** @param {string} name @param {unknown} what null: nothing any more */
async function store(name, what) {
  if (what === null) memory.delete(name);
  else memory.set(name, what);
  try {
    const cache = await caches.open(CACHE);
    if (what === null) await cache.delete(address(name));
    else await cache.put(address(name), Response.json(what));
  } catch {
    // memory has it
  }
}

/** @param {string} name */
async function stored(name) {
  if (memory.has(name)) return memory.get(name);
  try {
    const found = await (await caches.open(CACHE)).match(address(name));
    return found ? await found.json() : undefined;
  } catch {
    return undefined;
  }
}
