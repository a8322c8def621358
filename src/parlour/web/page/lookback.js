// Looking back at the positions of a match.

import { refusalOf } from "./analysis.js";
import * as api from "./api.js";
import { announce, lastTold } from "./parts.js";
import { SAID } from "./session.js";

/** @import { Moment } from "./types.js" */
/** @import { MatchSession } from "./session.js" */

/** What the board shows. @param {MatchSession} session @returns {Moment} */
export const momentOf = ({ state, now }) => state.view ?? { round: now.round, ply: now.table.moves.length };

/** @param {MatchSession} session */
export const lookAtNewest = (session) => session.set({ view: null });

/**
 * Show the position after so many moves of a round, if there is one.
 * @param {MatchSession} session
 * @param {Moment} moment
 */
export async function lookAt(session, { round, ply }) {
  const { now } = session;
  const moves = now.rounds[round - 1]?.moves;
  if (!moves || ply < 0 || ply > moves.length) return;
  if (round === now.round && ply === moves.length) return lookAtNewest(session);
  const key = `${round}:${moves.join(".")}`;
  try {
    if (session.replay.key !== key) session.replay = { key, tables: (await api.replay(now.id, round)).tables };
    const table = session.replay.tables[ply];
    if (!table) return;
    session.set({ view: { round, ply, table } });
    announce(`${ply ? `Move ${ply}: ` : ""}${lastTold(table)}`);
  } catch (error) {
    session.refuse(refusalOf(error), SAID);
  }
}
