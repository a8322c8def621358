// Where what is asked comes from, and what comes of it: the puzzle of a day, one of the archive, or a mistake of one's own.

import { daily, puzzle } from "./api.js";
import { fetchAhead, nextPuzzle, wishIn } from "./picking.js";
import { drawnMistake, dueMistakes, fetchMistakes, keepPractice } from "./practising.js";
import { dateTold, dayHere, keepResult, progress, resultTold, shareLine, statistics } from "./progress.js";
import { ApiError } from "./request.js";

/** @import { Asked, Puzzle } from "./types.js" */
/** @import { Result } from "./progress.js" */

/**
 * @typedef {object} Source
 * @property {string} heading until it is there
 * @property {string} list the address of the list that it is of
 * @property {string} listed what that is called
 * @property {string} further what leads to the next one
 * @property {string} none what is said where there is none
 * @property {boolean} isToday it is another one when the day is over
 * @property {boolean} isShared what comes of it is a line to send to others
 * @property {() => Promise<Asked>} fetch
 * @property {() => string} known what came of it earlier, in words
 * @property {(result: Result) => string} keep keeps what came of it; tells that
 * @property {() => Promise<string | null>} next the address of the next one
 */

/** @param {{ day?: string, id?: string, search?: string, mistake?: string }} props @returns {Source} */
export const sourceOf = (props) => (props.mistake ? ofMistake(props.mistake) : ofPuzzle(props));

/** @param {{ day?: string, id?: string, search?: string }} props @returns {Source} */
function ofPuzzle({ day, id, search = "" }) {
  /** @type {Puzzle} */
  let found;
  return {
    heading: id ? "Puzzle" : "Puzzle of the day",
    list: "/puzzles",
    listed: "Puzzles",
    further: id ? "Next puzzle" : "Another puzzle",
    none: "You have solved all of these. Choose another game or grade.",
    isToday: !id && !day,
    isShared: true,
    fetch: async () => {
      found = await (id ? puzzle(id) : daily(day || dayHere()));
      if (!id) fetchAhead();
      return {
        ...found,
        name: found.daily ? `Puzzle of the day ${found.daily}` : `Puzzle ${found.number}`,
        under: `${found.title}, grade ${found.grade} of 5.`,
        turns: found.turns.map(({ answer, right, wrong }) => ({ right: { [answer]: right }, wrong })),
      };
    },
    known: () => {
      const all = progress();
      const result = found.daily ? all.daily[found.daily] : all.puzzles[found.id];
      return result ? `Your first result counts: ${resultTold(result)}.` : "";
    },
    keep: (result) => {
      keepResult(found, result);
      return shareLine(found, result, statistics(progress()).streak);
    },
    next: () => nextPuzzle(id ? wishIn(search) : {}),
  };
}

/** @param {string} id @returns {Source} */
function ofMistake(id) {
  return {
    heading: "Your mistake",
    list: "/mistakes",
    listed: "Your mistakes",
    further: "Next mistake",
    none: "That was all for today.",
    isToday: false,
    isShared: false,
    fetch: async () => {
      if (!Object.hasOwn(progress().mistakes, id)) {
        throw new ApiError(404, { code: "mistake/unknown", error: "This mistake is not kept in this browser." });
      }
      const found = await drawnMistake(id);
      fetchMistakes();
      return { ...found, name: "Your mistake", under: `${found.title}.`, daily: null, date: null };
    },
    known: () => {
      const { box } = progress().mistakes[id];
      return box ? `Right ${box === 1 ? "once" : `${box} times`} in a row so far.` : "";
    },
    keep: ({ tries, hints }) => {
      const due = dueMistakes(progress()).includes(id); // whoever practises before the day changes no date
      if (due) keepPractice(id, tries === 1 && !hints);
      const back = progress().mistakes[id]?.due;
      const words = back ? `It comes back on ${dateTold(back)}.` : "You know it now.";
      return due ? words : `It was not due today. ${words}`;
    },
    next: async () => {
      const [next] = dueMistakes(progress()).filter((each) => each !== id);
      return next ? `/mistakes/${next}` : null;
    },
  };
}
