// What the server offers to those who practise and sit exams, each thing as a function.

import { getOnce } from "./api.js";
import { getSlowly, postJson } from "./request.js";
import { seatOf } from "./store.js";

/** @import { Diploma, ExamList, ExamSheet, MistakeList, Practice } from "./types.js" */
/** @import { Patience } from "./api.js" */

/** The turning points of a match, as questions. @param {string} id @param {Patience} patience @returns {Promise<MistakeList>} */
export const mistakes = async (id, patience) =>
  /** @type {MistakeList} */ (await getSlowly(`/api/matches/${id}/mistakes`, { ...patience, seat: seatOf(id) }));
/** A question as it is kept, with all that solving it takes. @param {Record<string, unknown>} question @returns {Promise<Practice>} */
export const practice = (question) => postJson("/api/practice", { question });
/** @returns {Promise<ExamList>} */
export const exams = () => getOnce("/api/exams");
/**
 * The questions of an exam from where these answers lead.
 * @param {string} game
 * @param {string} number
 * @param {string[]} answers
 * @param {Patience} patience
 */
export const sheet = async (game, number, answers, patience) => {
  const path = `/api/exams/${game}/${number}`;
  const further = { ...patience, method: "POST", body: { answers } };
  const found = answers.length ? getSlowly(`${path}/further`, further) : getSlowly(path, patience);
  return /** @type {ExamSheet} */ (await found);
};
/**
 * What all answers to an exam prove.
 * @param {string} game
 * @param {string} number
 * @param {{ answers: string[], name: string, date: string }} proved
 * @returns {Promise<Diploma>}
 */
export const diploma = (game, number, proved) => postJson(`/api/exams/${game}/${number}/diploma`, proved);
